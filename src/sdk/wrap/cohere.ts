import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { type AnswerReader, type Operation, type Piece, readerOf } from './reader.ts';
import { propertyOf } from './unwatched.ts';
import { cohereTokens, isObject } from './usage.ts';
import { watchMethods } from './watch-method.ts';
import { toWire } from './wire.ts';

export type WrapCohereOptions = {
  /** Provider whose prices apply. Default: `cohere`. */
  readonly provider?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The finish reason; generations that failed on the server also have a status. */
const finishOf = (given: unknown, message?: unknown): EventFields => {
  const finish_reason = textOf(given);
  if (finish_reason === 'ERROR')
    return { finish_reason, status: 'error', error_code: 'ERROR', error_message: textOf(message) };
  if (finish_reason === 'TIMEOUT') return { finish_reason, status: 'timeout', error_code: 'TIMEOUT' };
  return { finish_reason };
};

const withTools = (tools: number): EventFields => (tools > 0 ? { metadata: { tool_calls: tools } } : {});

/** Reads replies of the chat API (https://docs.cohere.com/reference/chat, version 2). */
const createCohereReader = (output: () => boolean): AnswerReader => {
  let final: Json | undefined;
  let tools = 0;
  let text = '';
  return {
    answer(value) {
      const { message, usage, finishReason } = objectOf(value);
      const { toolCalls, content } = objectOf(message);
      return {
        ...cohereTokens(toWire(usage)),
        ...withTools(Array.isArray(toolCalls) ? toolCalls.length : 0),
        ...finishOf(finishReason),
        ...(output() && { output: content ?? message }),
      };
    },
    piece(value): Piece {
      const { type, delta } = objectOf(value);
      if (type === 'message-end') final = objectOf(delta);
      if (type === 'tool-call-start') tools++;
      if (output() && type === 'content-delta') {
        const { content } = objectOf(objectOf(delta).message);
        text += textOf(objectOf(content).text) ?? '';
      }
      return /^content-delta$|^tool-/.test(String(type)) ? 'content' : undefined;
    },
    result: () => ({
      ...cohereTokens(toWire(final?.usage)),
      ...withTools(tools),
      ...finishOf(final?.finishReason, final?.error),
      ...(output() && { output: text }),
    }),
    get complete() {
      return final !== undefined;
    },
  };
};

/** Embeddings and rerankings report what is billed in `meta`. */
const readMeta = ({ meta }: Json): EventFields => cohereTokens(toWire(meta));

const operationOf = (
  client: Client,
  fields: EventFields,
  args: readonly unknown[],
  reader: AnswerReader,
): Operation => {
  const request = objectOf(args[0]);
  const { messages, texts, inputs, images, query } = request;
  const asked = messages ?? texts ?? inputs ?? query ?? images;
  const { abortSignal } = objectOf(args[1]);
  return {
    fields: { ...fields, model: textOf(request.model), ...(client.storesPrompts && { input: asked }) },
    ...(asked !== undefined && { prompt: { messages: toWire(asked) } }),
    reader,
    signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
  };
};

/**
 * Records every call of version 2 of the API by a `cohere-ai` client (`CohereClientV2`, or `v2` of `CohereClient`): chat,
 * streamed or not, embeddings and rerankings. The client is changed in place and returned; it returns and throws exactly
 * what it did before.
 * @example
 * const cohere = wrapCohere(new CohereClientV2({}), createClient());
 */
export const wrapCohere = <C extends object>(
  cohere: C,
  client: Client,
  { provider = 'cohere' }: WrapCohereOptions = {},
): C =>
  watchMethods(cohere, client, 'the CohereClientV2 object of the cohere-ai package', () => {
    const of = propertyOf(cohere, 'v2') ?? cohere;
    const method = (name: string, fields: EventFields, reader: () => AnswerReader) => ({
      of,
      name,
      describe: (...args: unknown[]) => operationOf(client, { ...fields, provider }, args, reader()),
    });
    const chat = (): AnswerReader => createCohereReader(() => client.storesPrompts);
    return [
      method('chat', { kind: 'llm', operation: 'chat', stream: false }, chat),
      method('chatStream', { kind: 'llm', operation: 'chat', stream: true }, chat),
      method('embed', { kind: 'embedding', operation: 'embeddings' }, () => readerOf(readMeta)),
      method('rerank', { kind: 'llm', operation: 'rerank' }, () => readerOf(readMeta)),
    ];
  });
