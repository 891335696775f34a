import type { EventFields } from '../event.ts';
import type { Prompt } from '../prompt.ts';
import { createMessagesReader } from './anthropic-messages.ts';
import type { AnswerReader } from './reader.ts';
import { bedrockTokens, isObject } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

/** JSON in text or bytes; undefined if it is neither. */
export const parseBody = (body: unknown): unknown => {
  try {
    if (typeof body === 'string') return JSON.parse(body);
    return body instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(body)) : undefined;
  } catch {
    return undefined;
  }
};

/** A reply of InvokeModel: its body, and the headers in which Bedrock counts the tokens of any model. */
export type Invoked = { readonly body: unknown; readonly headers: Json };

const headerCounts = (headers: Json): EventFields => {
  const count = (name: string): number | undefined => {
    const value = headers[`x-amzn-bedrock-${name}-token-count`];
    return value === undefined ? undefined : Number(value);
  };
  const counts = {
    inputTokens: count('input'),
    outputTokens: count('output'),
    cacheReadInputTokens: count('cache-read-input'),
    cacheWriteInputTokens: count('cache-write-input'),
  };
  const known = Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
  return Object.keys(known).length > 0 ? bedrockTokens(known) : {};
};

const metricsOf = (chunk: unknown): EventFields | undefined => {
  const metrics = isObject(chunk) ? chunk['amazon-bedrock-invocationMetrics'] : undefined;
  if (!isObject(metrics)) return undefined;
  return bedrockTokens({ inputTokens: metrics.inputTokenCount, outputTokens: metrics.outputTokenCount });
};

/** Reads replies of Anthropic's models, which have the form of its own API. */
const createAnthropicReader = (output: () => boolean, model: string | undefined): AnswerReader => {
  const reader = createMessagesReader(output, model);
  return {
    answer: (value) => reader.answer(parseBody((value as Invoked).body)),
    piece: (value) => reader.piece(chunkOf(value)),
    result: reader.result,
    get complete() {
      return reader.complete;
    },
  };
};

const chunkOf = (event: unknown): unknown => {
  const { bytes } = isObject(event) && isObject(event.chunk) ? event.chunk : {};
  return parseBody(bytes);
};

/** Reads replies of all other models: counts of tokens, or of images, which are billed by the piece. */
const createPlainReader = (output: () => boolean): AnswerReader => {
  let counts: EventFields | undefined;
  return {
    answer(value) {
      const { body, headers } = value as Invoked;
      const reply = parseBody(body);
      const { images } = isObject(reply) ? reply : {};
      return {
        ...headerCounts(headers),
        ...(Array.isArray(images) && { usage: { images: images.length } }),
        ...(output() && { output: reply }),
      };
    },
    piece(value) {
      counts = metricsOf(chunkOf(value)) ?? counts;
      return 'content';
    },
    result: () => counts ?? {},
    get complete() {
      return counts !== undefined;
    },
  };
};

export const createInvokeReader = (output: () => boolean, model: string | undefined): AnswerReader =>
  /anthropic\./.test(model ?? '') ? createAnthropicReader(output, model) : createPlainReader(output);

/** The prompt in the body of a request: Anthropic's and OpenAI's messages, or the texts of other models. */
export const invokePrompt = (body: unknown): Prompt | undefined => {
  if (!isObject(body)) return undefined;
  const messages = body.messages ?? body.prompt ?? body.inputText ?? body.texts;
  return messages === undefined ? undefined : { messages, system: body.system };
};
