import type { Client } from '../client.ts';
import { type Place, runAt } from '../context.ts';
import type { EventFields, SpanledgerEvent } from '../event.ts';
import { readFailure } from '../failure.ts';
import { createMessagesReader } from './anthropic-messages.ts';
import { createChatReader } from './openai-chat.ts';
import { backgroundName, createResponsesReader, endsBackground } from './openai-responses.ts';
import { idsOf } from './result-id.ts';
import { isObject, openAiTokens } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** Reads the result of an earlier request; undefined if it is none. */
export type ReadResult = (line: unknown) => SpanledgerEvent | undefined;

/** How a request gets the results of earlier ones: one in each line of its reply, or the reply is one. */
export type Results = { readonly from: 'lines' | 'reply'; readonly read: ReadResult };

/** A request that failed: its result does not name the model, and it is not billed, so it is no call. */
const failedRequest = (failure: EventFields): EventFields => ({
  kind: 'span',
  name: 'batch request',
  ...failure,
});

/** Batches are billed at their own prices, which follow from the tier. */
const batched = (name: string, customId: unknown, fields: EventFields): SpanledgerEvent => ({
  ...idsOf(name),
  ...fields,
  metadata: { ...fields.metadata, service_tier: 'batch', custom_id: customId },
});

const openAiReply = (body: Json, output: () => boolean): EventFields => {
  if (body.object === 'response') {
    const reader = createResponsesReader({ output, requestModel: undefined });
    return { kind: 'llm', operation: 'responses', ...reader.answer(body) };
  }
  if (body.object === 'list') {
    const model = typeof body.model === 'string' ? body.model : undefined;
    return { kind: 'embedding', operation: 'embeddings', model, ...openAiTokens(body.usage) };
  }
  const onMissingUsage = (): void => {};
  const reader = createChatReader({ output, hideUsage: false, onMissingUsage, requestModel: undefined });
  const operation = body.object === 'text_completion' ? 'text_completion' : 'chat';
  return { kind: 'llm', operation, ...reader.answer(body) };
};

/** Results in the output and error files of OpenAI's batches (API reference, Batch: the request output object). */
export const readOpenAiResult =
  (client: Client, provider: string): ReadResult =>
  (line) => {
    const { id, custom_id: customId, response, error } = objectOf(line);
    if (typeof id !== 'string' || typeof customId !== 'string' || response === undefined) return undefined;
    const { status_code: status, body: given } = objectOf(response);
    const body = objectOf(given);
    const created = body.created ?? body.created_at;
    const failed = isObject(error) || (typeof status === 'number' && status >= 400);
    const fields: EventFields = failed
      ? failedRequest(readFailure({ status, ...objectOf(error ?? body.error) }))
      : openAiReply(body, () => client.storesPrompts);
    return {
      ...batched(`${provider}:${id}`, customId, { ...fields, provider }),
      timestamp: typeof created === 'number' ? created * 1_000 : null,
    };
  };

/**
 * A response of OpenAI that was made in the background, at its end (API reference, Background mode). Read again, it gives
 * the same event.
 */
export const readBackground =
  (client: Client, provider: string): ReadResult =>
  (value) => {
    const response = objectOf(value);
    if (response.object !== 'response' || !endsBackground(response)) return undefined;
    const { created_at: created, completed_at: completed } = response;
    const isTimed = typeof created === 'number' && typeof completed === 'number';
    return {
      ...idsOf(backgroundName(response)),
      provider,
      ...openAiReply(response, () => client.storesPrompts),
      timestamp: typeof created === 'number' ? created * 1_000 : null,
      ...(isTimed && { latency_ms: (completed - created) * 1_000 }),
    };
  };

/** Results of Anthropic's message batches (API reference, Message Batches: MessageBatchIndividualResponse). */
export const readAnthropicResult =
  (client: Client, provider: string, batch: string): ReadResult =>
  (line) => {
    const { custom_id: customId, result } = objectOf(line);
    if (typeof customId !== 'string' || !isObject(result)) return undefined;
    const message = objectOf(result.message);
    const common = { kind: 'llm', operation: 'chat', provider } as const;
    const name = `${provider}:${batch}:${customId}`;
    if (result.type === 'succeeded') {
      const reply = createMessagesReader(() => client.storesPrompts, undefined).answer(message);
      const usage = { ...reply.usage, service_tier: 'batch' };
      const model = typeof message.model === 'string' ? message.model : undefined;
      const { response_model: _, ...metadata } = objectOf(reply.metadata);
      return { ...batched(name, customId, { ...common, model, ...reply, usage, metadata }), timestamp: null };
    }
    const failure: EventFields =
      result.type === 'errored'
        ? readFailure({ error: result.error, message: objectOf(objectOf(result.error).error).message })
        : { status: 'cancelled', error_code: String(result.type) };
    return { ...batched(name, customId, failedRequest({ provider, ...failure })), timestamp: null };
  };

/** Records the result of an earlier request. Inside a trace, it belongs to it. */
export const trackResult = (client: Client, event: SpanledgerEvent, place: Place | undefined): void => {
  if (place === undefined) client.track(event);
  else
    runAt(place, () => client.track(place.traceId === undefined ? event : { ...event, trace_id: undefined }));
};

/** Records lines of results, in parts. */
export type ResultTaker = (lines: readonly string[]) => Promise<void>;

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** Lines that are recorded before other work gets a turn. */
const TURN = 100;

/**
 * Records the lines of a batch's results. It stops at a line that is no result, because other files are downloaded the
 * same way.
 */
export const createResultTaker = (
  client: Client,
  read: ReadResult,
  place: Place | undefined,
): ResultTaker => {
  let foreign = false;
  return async (lines) => {
    for (const [i, line] of lines.entries()) {
      if (foreign || line === '') continue;
      const event = read(parse(line));
      if (event === undefined) foreign = true;
      else trackResult(client, event, place);
      if (i % TURN === TURN - 1) await new Promise((next) => setTimeout(next, 0));
    }
  };
};
