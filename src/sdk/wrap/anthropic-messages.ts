import type { EventFields } from '../event.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { anthropicTokens, isObject } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

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
export const createMessagesReader = (
  output: () => boolean,
  requestModel: string | undefined,
): AnswerReader => {
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
