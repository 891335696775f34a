import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { providerOf } from './provider.ts';
import type { AnswerReader, Operation, Piece } from './reader.ts';
import { type RequestOptions, watchRequests } from './stainless.ts';
import { propertyOf } from './unwatched.ts';
import { anthropicTokens, isObject } from './usage.ts';

export type WrapAnthropicOptions = {
  /** Provider whose prices apply. Default: derived from the kind of client and its base URL. */
  readonly provider?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;

const PATH = /^\/v1\/messages(\?|$)/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Merges the usage of `message_start` with that of `message_delta`, whose counts are cumulative. */
const mergeUsage = (start: unknown, delta: unknown): Json => {
  const merged: Record<string, unknown> = { ...(isObject(start) ? start : {}) };
  for (const [name, value] of Object.entries(isObject(delta) ? delta : {})) {
    if (value !== null && value !== undefined) merged[name] = value;
  }
  return merged;
};

const detailsOf = (message: Json, requestModel: string | undefined, tools: number): EventFields => {
  const model = textOf(message.model);
  const usage = isObject(message.usage) ? message.usage : {};
  const metadata = {
    ...(model !== undefined && model !== requestModel && { response_model: model }),
    ...(typeof usage.service_tier === 'string' && { service_tier: usage.service_tier }),
    ...(tools > 0 && { tool_calls: tools }),
  };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
};

const isTool = (block: unknown): boolean => isObject(block) && block.type === 'tool_use';

/** Reads replies of the Messages API (API reference, Anthropic), complete or as server-sent events. */
const createMessagesReader = (output: () => boolean, requestModel: string | undefined): AnswerReader => {
  let start: Json = {};
  let usage: Json = {};
  let stopReason: string | undefined;
  let tools = 0;
  let text = '';

  const takeDelta = (delta: Json): void => {
    if (output()) text += textOf(delta.text) ?? textOf(delta.partial_json) ?? '';
  };

  return {
    answer(value) {
      const message = isObject(value) ? value : {};
      const content: unknown[] = Array.isArray(message.content) ? message.content : [];
      return {
        ...anthropicTokens(message.usage),
        ...detailsOf(message, requestModel, content.filter(isTool).length),
        finish_reason: textOf(message.stop_reason),
        ...(output() && { output: message.content }),
      };
    },
    piece(value): Piece {
      if (!isObject(value)) return undefined;
      if (value.type === 'message_start' && isObject(value.message)) {
        start = value.message;
        usage = mergeUsage({}, start.usage);
      }
      if (value.type === 'content_block_start' && isTool(value.content_block)) tools++;
      if (value.type === 'message_delta') {
        usage = mergeUsage(usage, value.usage);
        stopReason = textOf(isObject(value.delta) ? value.delta.stop_reason : undefined) ?? stopReason;
      }
      if (value.type !== 'content_block_delta' || !isObject(value.delta)) return undefined;
      takeDelta(value.delta);
      return 'content';
    },
    result: () => ({
      ...anthropicTokens(Object.keys(usage).length > 0 ? usage : undefined),
      ...detailsOf({ ...start, usage }, requestModel, tools),
      finish_reason: stopReason,
      ...(output() && { output: text }),
    }),
    get complete() {
      return stopReason !== undefined;
    },
  };
};

const operationOf = (client: Client, provider: string, options: RequestOptions): Operation | undefined => {
  const { path = '', body } = options;
  if (options.method?.toLowerCase() !== 'post' || !PATH.test(path) || !isObject(body)) return undefined;
  const model = textOf(body.model);
  const { messages, system } = body;
  const input = system === undefined ? messages : { system, messages };
  return {
    fields: {
      kind: 'llm',
      operation: 'chat',
      provider,
      model,
      stream: body.stream === true,
      ...(client.storesPrompts && { input }),
    },
    prompt: { messages, system },
    reader: createMessagesReader(() => client.storesPrompts, model),
  };
};

/**
 * Records every messages call of an `@anthropic-ai/sdk` client, streamed or not, through any of its methods. The
 * client is changed in place and returned; it returns and throws exactly what it did before. That package also
 * emits OpenTelemetry spans: send them to another project or turn them off (`openTelemetry: false`), or each call
 * is stored twice.
 * @example
 * const anthropic = wrapAnthropic(new Anthropic(), createClient());
 */
export const wrapAnthropic = <C extends object>(
  anthropic: C,
  client: Client,
  options: WrapAnthropicOptions = {},
): C => {
  const told = textOf(propertyOf(anthropic, '_genAIProviderName')) ?? 'anthropic';
  const baseURL = propertyOf(anthropic, 'baseURL');
  const provider = options.provider ?? (told === 'anthropic' ? providerOf(baseURL, told) : told);
  return watchRequests(anthropic, client, (request) => operationOf(client, provider, request));
};
