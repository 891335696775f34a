import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import type { Prompt } from '../prompt.ts';
import { createGoogleReader, readEmbedding, readImages } from './google-replies.ts';
import { type AnswerReader, type Operation, readerOf } from './reader.ts';
import { propertyOf } from './unwatched.ts';
import { isObject } from './usage.ts';
import { type Method, watchMethods } from './watch-method.ts';

export type WrapGoogleGenAIOptions = {
  /** Provider whose prices apply. Default: `google`. */
  readonly provider?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;

/** A content (`{ role, parts }`) as a message; a lone text or part belongs to the user. */
const toMessage = (content: unknown): unknown => {
  if (!isObject(content) || !Array.isArray(content.parts)) {
    const text = isObject(content) && typeof content.text === 'string' ? content.text : content;
    return { role: 'user', content: text };
  }
  const parts = content.parts.map((part: unknown) =>
    isObject(part) && typeof part.text === 'string' ? part.text : part,
  );
  return { role: content.role === 'model' ? 'assistant' : 'user', content: parts };
};

const toMessages = (contents: unknown): unknown[] =>
  (Array.isArray(contents) ? contents : [contents]).map(toMessage);

/** The system instruction is a content, a part, a list of parts, or text. */
const toSystem = (given: unknown): unknown => {
  const parts = isObject(given) && Array.isArray(given.parts) ? given.parts : given;
  const texts = (Array.isArray(parts) ? parts : [parts]).map((part: unknown) =>
    isObject(part) && typeof part.text === 'string' ? part.text : part,
  );
  return given === undefined || given === null ? undefined : texts;
};

/** `models/gemini-2.5-flash` and `gemini-2.5-flash` are the same model. */
const modelOf = (params: Json): string | undefined =>
  typeof params.model === 'string' ? params.model.replace(/^.*\bmodels\//, '') : undefined;

type Kind = {
  readonly fields: EventFields;
  readonly prompt: (params: Json, config: Json) => Prompt;
  readonly reader: (params: Json) => AnswerReader;
};

/** The methods of `models` through which all others make their requests. */
const kindsOf = (client: Client): Readonly<Record<string, Kind>> => {
  const output = (): boolean => client.storesPrompts;
  const generate = (stream: boolean): Kind => ({
    fields: { kind: 'llm', operation: 'generate_content', stream },
    prompt: (params, config) => ({
      messages: toMessages(params.contents),
      system: toSystem(config.systemInstruction),
    }),
    reader: (params) => createGoogleReader(output, modelOf(params)),
  });
  const image = (operation: string): Kind => ({
    fields: { kind: 'llm', operation },
    prompt: ({ prompt }) => ({ messages: prompt }),
    reader: () => readerOf(readImages),
  });
  return {
    generateContent: generate(false),
    generateContentStream: generate(true),
    embedContent: {
      fields: { kind: 'embedding', operation: 'embeddings' },
      prompt: ({ contents }) => ({ messages: toMessages(contents) }),
      reader: () => readerOf(readEmbedding),
    },
    generateImages: image('image_generation'),
    editImage: image('image_edit'),
    upscaleImage: image('image_upscale'),
  };
};

/** The client ends a request that took too long like one that its caller aborts. */
const meaningOf =
  (signal: AbortSignal | undefined) =>
  (error: unknown): unknown => {
    const isAbort = isObject(error) && error.name === 'AbortError' && signal?.aborted !== true;
    return isAbort ? new DOMException('The request timed out', 'TimeoutError') : error;
  };

const operationOf = (client: Client, provider: string, kind: Kind, given: unknown): Operation => {
  const params: Json = isObject(given) ? given : {};
  const config: Json = isObject(params.config) ? params.config : {};
  const prompt = kind.prompt(params, config);
  const { contents, prompt: text } = params;
  const signal = config.abortSignal instanceof AbortSignal ? config.abortSignal : undefined;
  const input =
    config.systemInstruction === undefined ? (contents ?? text) : { system: prompt.system, contents };
  return {
    fields: {
      ...kind.fields,
      provider,
      model: modelOf(params),
      ...(client.storesPrompts && { input }),
    },
    prompt,
    reader: kind.reader(params),
    signal,
    meaning: meaningOf(signal),
  };
};

/**
 * Records every call of a `@google/genai` client, for the Gemini API and for Vertex AI: content, streamed or not, chats,
 * each round of automatic function calling, embeddings, and images. The client is changed in place and returned; it
 * returns and throws exactly what it did before. `live` and `interactions` are not recorded.
 * @example
 * const ai = wrapGoogleGenAI(new GoogleGenAI({}), createClient());
 */
export const wrapGoogleGenAI = <C extends object>(
  ai: C,
  client: Client,
  { provider = 'google' }: WrapGoogleGenAIOptions = {},
): C =>
  watchMethods(
    ai,
    client,
    'the GoogleGenAI object of the @google/genai package',
    function* (): Generator<Method> {
      const models = propertyOf(ai, 'models');
      for (const [name, kind] of Object.entries(kindsOf(client))) {
        // The public methods may make several requests. The internal ones make one, and exist since version 1.
        const internal = `${name}Internal`;
        const isInternal = typeof propertyOf(models, internal) === 'function';
        yield {
          of: models,
          name: isInternal ? internal : name,
          describe: (params) => operationOf(client, provider, kind, params),
        };
      }
    },
  );
