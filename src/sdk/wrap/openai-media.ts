import type { Client } from '../client.ts';
import type { AnswerReader, Operation } from './reader.ts';
import { isObject, openAiTokens } from './usage.ts';

/** Requests for images and audio by path. `model`: what the API uses if the request names none (API reference). */
const MEDIA: Readonly<Record<string, { readonly operation: string; readonly model?: string }>> = {
  '/images/generations': { operation: 'image_generation', model: 'dall-e-2' },
  '/images/edits': { operation: 'image_edit', model: 'dall-e-2' },
  '/images/variations': { operation: 'image_variation', model: 'dall-e-2' },
  '/audio/transcriptions': { operation: 'transcription' },
  '/audio/translations': { operation: 'translation' },
  '/audio/speech': { operation: 'speech' },
};

/** A field of a JSON or multipart body, if it is text. */
const fieldOf = (body: object, name: string): string | undefined => {
  const value = body instanceof FormData ? body.get(name) : (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
};

/** Final events of streamed images, transcriptions and speech. */
const FINAL =
  /^(?:image_generation\.completed|image_edit\.completed|transcript\.text\.done|speech\.audio\.done)$/;

/**
 * Reads the usage of images and audio: tokens, or seconds for models that are billed by time. Speech as bytes and older
 * image models report none.
 */
const createMediaReader = (output: () => boolean): AnswerReader => {
  let final: Readonly<Record<string, unknown>> | undefined;
  const read = (reply: Readonly<Record<string, unknown>>) => ({
    ...openAiTokens(reply.usage),
    ...(output() && typeof reply.text === 'string' && { output: reply.text }),
  });
  return {
    answer: (value) => (isObject(value) ? read(value) : {}),
    piece(value) {
      if (!isObject(value) || typeof value.type !== 'string') return undefined;
      if (FINAL.test(value.type)) final = value;
      return 'content';
    },
    result: () => (final === undefined ? {} : read(final)),
    get complete() {
      return final !== undefined;
    },
  };
};

/** A request for images or audio; undefined for any other. */
export const mediaOperation = (
  client: Client,
  path: string,
  body: object,
  stream: boolean,
): Operation | undefined => {
  const media = Object.hasOwn(MEDIA, path) ? MEDIA[path] : undefined;
  if (media === undefined) return undefined;
  const prompt = fieldOf(body, path === '/audio/speech' ? 'input' : 'prompt');
  return {
    fields: {
      kind: 'llm',
      operation: media.operation,
      model: fieldOf(body, 'model') ?? media.model,
      stream,
      ...(client.storesPrompts && prompt !== undefined && { input: prompt }),
    },
    ...(prompt !== undefined && { prompt: { messages: prompt } }),
    reader: createMediaReader(() => client.storesPrompts),
  };
};
