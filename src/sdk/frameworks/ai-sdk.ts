import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { readFailure } from '../failure.ts';
import { aiSdkTokens, isObject } from '../wrap/usage.ts';

/** The properties of a model that the middleware reads. */
type Model = { readonly provider: string; readonly modelId: string };
type Params = {
  readonly prompt?: unknown;
  readonly values?: unknown;
  readonly abortSignal?: AbortSignal | undefined;
};
type Json = Readonly<Record<string, unknown>>;

/** Middleware for `wrapLanguageModel` (AI SDK 5, 6 and 7) and `wrapEmbeddingModel` (6 and 7). */
export type Middleware = {
  /** `v4` at run time. The AI SDK does not read it; this type fits the `v3` of version 6 and the `v4` of version 7. */
  readonly specificationVersion: never;
  wrapGenerate<R>(options: { doGenerate: () => PromiseLike<R>; params: Params; model: Model }): Promise<R>;
  wrapStream<R extends { stream: unknown }>(options: {
    doStream: () => PromiseLike<R>;
    params: Params;
    model: Model;
  }): Promise<R>;
  wrapEmbed<R>(options: { doEmbed: () => PromiseLike<R>; params: Params; model: Model }): Promise<R>;
};

/** `openai.responses` and `openai.chat` are both the provider OpenAI. */
const providerOf = (name: string): string =>
  name === 'google.generative-ai'
    ? 'google'
    : name.replace(/\.(chat|responses|messages|completion|embedding)s?$/, '');

/** The finish reason is an object since version 6 of the AI SDK; before, it was text. */
const finishOf = (reason: unknown): string | undefined => {
  if (typeof reason === 'string') return reason;
  const { unified } = isObject(reason) ? reason : {};
  return typeof unified === 'string' ? unified : undefined;
};

/** On Azure the request names a deployment, which has no price; the reply names the model. */
const responseModel = (response: unknown, { provider, modelId: asked }: Model): EventFields => {
  const { modelId } = isObject(response) ? response : {};
  if (typeof modelId !== 'string' || modelId === asked) return {};
  return providerOf(provider) === 'azure' ? { model: modelId } : { metadata: { response_model: modelId } };
};

const withTools = (fields: EventFields, tools: number): EventFields =>
  tools > 0 ? { ...fields, metadata: { ...fields.metadata, tool_calls: tools } } : fields;

const generated = (client: Client, value: unknown, model: Model): EventFields => {
  const result: Json = isObject(value) ? value : {};
  const content: unknown[] = Array.isArray(result.content) ? result.content : [];
  const tools = content.filter((part) => isObject(part) && part.type === 'tool-call').length;
  return {
    ...aiSdkTokens(result.usage, result.providerMetadata),
    ...withTools(responseModel(result.response, model), tools),
    finish_reason: finishOf(result.finishReason),
    ...(client.storesPrompts && { output: content }),
  };
};

/** Collects the parts of a stream. */
const createParts = (client: Client, call: Call, model: Model) => {
  let finish: Json | undefined;
  let metadata: unknown;
  let failure: EventFields = {};
  let tools = 0;
  let text = '';
  return {
    take(part: unknown): void {
      if (!isObject(part)) return;
      const { type } = part;
      if (typeof type === 'string' && (type.endsWith('-delta') || type === 'tool-call')) call.firstToken();
      if (type === 'text-delta' && client.storesPrompts) text += String(part.delta);
      else if (type === 'tool-call') tools++;
      else if (type === 'response-metadata') metadata = part;
      else if (type === 'finish') finish = part;
      else if (type === 'error') failure = readFailure(part.error);
    },
    get complete() {
      return finish !== undefined;
    },
    result: (): EventFields => ({
      ...aiSdkTokens(finish?.usage, finish?.providerMetadata),
      ...withTools(responseModel(metadata, model), tools),
      finish_reason: finishOf(finish?.finishReason),
      ...(client.storesPrompts && { output: text }),
      ...failure,
    }),
  };
};

type Parts = ReturnType<typeof createParts>;

/** Passes on a stream and records its parts as they are read. */
const watchParts = (
  stream: ReadableStream<unknown>,
  { call, parts, signal }: { call: Call; parts: Parts; signal: AbortSignal | undefined },
): ReadableStream<unknown> => {
  const from = stream.getReader();
  const close = (code?: string): void => {
    if (code === undefined || parts.complete) call.end(parts.result);
    else call.cancel(code, parts.result);
  };
  return new ReadableStream(
    {
      async pull(to) {
        try {
          const { done, value } = await from.read();
          if (done) {
            close(signal?.aborted === true ? 'aborted' : undefined);
            to.close();
            return;
          }
          parts.take(value);
          to.enqueue(value);
        } catch (error) {
          call.fail(error, parts.result);
          to.error(error);
        }
      },
      cancel(reason) {
        close(signal?.aborted === true ? 'aborted' : 'stream_abandoned');
        return from.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};

/**
 * A middleware that records every call of an AI SDK model. Each attempt is one call, because the AI SDK retries
 * above its models.
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-4o'), middleware: aiMiddleware(createClient()) });
 */
export const aiMiddleware = (client: Client): Middleware => {
  const start = (model: Model, params: Params, fields: EventFields): Call => {
    const messages = params.prompt ?? params.values;
    const named = { provider: providerOf(model.provider), model: model.modelId };
    const input = client.storesPrompts ? { input: messages } : {};
    return client.startCall({ kind: 'llm', operation: 'chat', ...named, ...fields, ...input }, { messages });
  };
  const middleware: Omit<Middleware, 'specificationVersion'> & { readonly specificationVersion: 'v4' } = {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate, params, model }) {
      const call = start(model, params, {});
      try {
        const result = await doGenerate();
        call.end(() => generated(client, result, model));
        return result;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    },
    async wrapStream({ doStream, params, model }) {
      const call = start(model, params, { stream: true });
      try {
        const result = await doStream();
        if (!(result.stream instanceof ReadableStream)) return result;
        const parts = createParts(client, call, model);
        const stream = watchParts(result.stream, { call, parts, signal: params.abortSignal });
        return { ...result, stream };
      } catch (error) {
        call.fail(error);
        throw error;
      }
    },
    async wrapEmbed({ doEmbed, params, model }) {
      const call = start(model, params, { kind: 'embedding', operation: 'embeddings' });
      try {
        const result = await doEmbed();
        call.end(() => aiSdkTokens(isObject(result) ? result.usage : undefined));
        return result;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    },
  };
  return middleware as Middleware;
};
