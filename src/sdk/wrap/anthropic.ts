import type { Client } from '../client.ts';
import { callGuardOf } from '../guardrails/by-name.ts';
import type { CallGuard } from '../guardrails/call-guard.ts';
import { createMessagesReader } from './anthropic-messages.ts';
import { readAnthropicResult } from './batches.ts';
import { providerOf } from './provider.ts';
import type { Operation } from './reader.ts';
import { type RequestOptions, watchRequests } from './stainless.ts';
import { propertyOf } from './unwatched.ts';
import { isObject } from './usage.ts';

export type WrapAnthropicOptions = {
  /** Provider whose prices apply. Default: derived from the kind of client and its base URL. */
  readonly provider?: string | undefined;
  /** Checks what calls send and what comes back: names of guardrails, or `createGuardrails` of `spanledger/guardrails`. */
  readonly guardrails?: CallGuard | readonly string[] | undefined;
};

const RESULTS = /\/v1\/messages\/batches\/([^/?]+)\/results(?:\?|$)/;
const PATH = /^\/v1\/messages(\?|$)/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

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
    around: isObject(options.__span) ? options.__span.span : undefined,
  };
};

/**
 * Records every messages call of an `@anthropic-ai/sdk` client, streamed or not, through any of its methods, and the
 * results of message batches when they are read. The client is changed in place and returned; it returns and throws exactly what it did before. That package also
 * emits OpenTelemetry spans: give `createClient` the option `openTelemetry`, send them to another project, or turn
 * them off (`openTelemetry: false`), or each call counts twice.
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
  return watchRequests(
    anthropic,
    client,
    (request) => operationOf(client, provider, request),
    ({ path = '' }) => {
      const batch = RESULTS.exec(path)?.[1];
      return batch === undefined
        ? undefined
        : { from: 'lines', read: readAnthropicResult(client, provider, batch) };
    },
    callGuardOf(client, options.guardrails),
  );
};
