import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { createChatReader } from './openai-chat.ts';
import { type AnswerReader, type Operation, readerOf } from './reader.ts';
import { propertyOf } from './unwatched.ts';
import { isObject, openAiTokens } from './usage.ts';
import { type Method, watchMethods } from './watch-method.ts';
import { toWire } from './wire.ts';

export type WrapMistralOptions = {
  /** Provider whose prices apply. Default: `mistral`. */
  readonly provider?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads chat replies, which have the form of OpenAI's with renamed keys; events of a stream have them in `data`. */
const createReader = (client: Client, model: string | undefined): AnswerReader => {
  const reader = createChatReader({
    output: () => client.storesPrompts,
    hideUsage: false,
    onMissingUsage: () => {},
    requestModel: model,
  });
  return {
    answer: (value) => reader.answer(toWire(value)),
    piece: (value) => reader.piece(toWire(isObject(value) ? value.data : undefined)),
    result: reader.result,
    get complete() {
      return reader.complete;
    },
  };
};

/** The endpoint for transcriptions bills seconds, although its usage also counts tokens (mistral.ai/pricing). */
const transcription = (output: () => boolean, { usage, text }: Json): EventFields => {
  const seconds = isObject(usage) ? usage.promptAudioSeconds : undefined;
  return {
    ...(typeof seconds === 'number'
      ? { usage: { prompt_audio_seconds: seconds } }
      : openAiTokens(toWire(usage))),
    ...(output() && { output: text }),
  };
};

/** Streamed transcriptions: the last event has the whole text and the usage. */
const createTranscriptionReader = (output: () => boolean): AnswerReader => {
  let final: Json | undefined;
  return {
    answer: (value) => transcription(output, isObject(value) ? value : {}),
    piece(value) {
      const data = isObject(value) && isObject(value.data) ? value.data : {};
      if (data.type === 'transcription.done') final = data;
      return 'content';
    },
    result: () => (final === undefined ? {} : transcription(output, final)),
    get complete() {
      return final !== undefined;
    },
  };
};

type Kind = {
  readonly fields: EventFields;
  readonly messages: (request: Json) => unknown;
  readonly reader: (model: string | undefined) => AnswerReader;
};

const kindsOf = (client: Client) => {
  const output = (): boolean => client.storesPrompts;
  const chat = (operation: string, stream: boolean): Kind => ({
    fields: { kind: 'llm', operation, stream },
    messages: ({ messages, prompt }) => toWire(messages ?? prompt),
    reader: (model) => createReader(client, model),
  });
  const hear = (stream: boolean): Kind => ({
    fields: { kind: 'llm', operation: 'transcription', stream },
    messages: () => undefined,
    reader: () => createTranscriptionReader(output),
  });
  const embeddings: Kind = {
    fields: { kind: 'embedding', operation: 'embeddings' },
    messages: ({ inputs }) => inputs,
    reader: () => readerOf(({ usage }) => openAiTokens(toWire(usage))),
  };
  const ocr: Kind = {
    fields: { kind: 'llm', operation: 'ocr' },
    messages: () => undefined,
    reader: () =>
      readerOf(({ usageInfo }) => (isObject(usageInfo) ? { usage: toWire(usageInfo) as object } : {})),
  };
  return { chat, hear, embeddings, ocr };
};

const operationOf = (client: Client, provider: string, kind: Kind, args: readonly unknown[]): Operation => {
  const [request, options] = args.map((one): Json => (isObject(one) ? one : {}));
  const messages = kind.messages(request ?? {});
  // An agent has its model on the server; the reply names it.
  const model = textOf(request?.model);
  const signal = options?.signal ?? propertyOf(options?.fetchOptions, 'signal');
  return {
    fields: {
      ...kind.fields,
      provider,
      model,
      ...(client.storesPrompts && messages !== undefined && { input: messages }),
    },
    ...(messages !== undefined && { prompt: { messages } }),
    reader: kind.reader(model),
    signal: signal instanceof AbortSignal ? signal : undefined,
  };
};

/**
 * Records every call of a `@mistralai/mistralai` client: chat, agents and fill-in-the-middle, streamed or not, parsed
 * replies, embeddings, transcriptions and OCR. The client is changed in place and returned; it returns and throws exactly
 * what it did before. Conversations (`beta`), batch jobs and `realtime` are not recorded.
 * @example
 * const mistral = wrapMistral(new Mistral(), createClient());
 */
export const wrapMistral = <C extends object>(
  mistral: C,
  client: Client,
  { provider = 'mistral' }: WrapMistralOptions = {},
): C =>
  watchMethods(mistral, client, 'the Mistral object of the @mistralai/mistralai package', function* () {
    const { chat, hear, embeddings, ocr } = kindsOf(client);
    const method = (of: unknown, name: string, kind: Kind): Method => ({
      of,
      name,
      describe: (...args) => operationOf(client, provider, kind, args),
    });
    const at = (name: string): unknown => propertyOf(mistral, name);
    for (const [noun, operation] of [
      ['chat', 'chat'],
      ['agents', 'agent'],
      ['fim', 'fim'],
    ] as const) {
      yield method(at(noun), 'complete', chat(operation, false));
      yield method(at(noun), 'stream', chat(operation, true));
    }
    yield method(at('chat'), 'parse', chat('chat', false));
    yield method(at('chat'), 'parseStream', chat('chat', true));
    yield method(at('embeddings'), 'create', embeddings);
    yield method(at('ocr'), 'process', ocr);
    const transcriptions = propertyOf(at('audio'), 'transcriptions');
    yield method(transcriptions, 'complete', hear(false));
    yield method(transcriptions, 'stream', hear(true));
  });
