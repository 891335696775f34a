import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { callGuardOf } from '../guardrails/by-name.ts';
import type { CallGuard } from '../guardrails/call-guard.ts';
import { type Results, readBackground, readOpenAiResult } from './batches.ts';
import { createChatReader } from './openai-chat.ts';
import { mediaOperation } from './openai-media.ts';
import { createResponsesReader } from './openai-responses.ts';
import { hostOf, providerOf } from './provider.ts';
import { type Operation, readerOf } from './reader.ts';
import { type RequestOptions, watchRequests } from './stainless.ts';
import { propertyOf } from './unwatched.ts';
import { isObject, openAiTokens } from './usage.ts';

export type WrapOpenAIOptions = {
  /** Provider whose prices apply. Default: derived from the base URL, `openai` for an unknown host. */
  readonly provider?: string | undefined;
  /**
   * A streamed chat completion reports its usage only on request (`stream_options`). True requests it and hides the
   * additional chunk from the caller; false leaves the request unchanged. Default: true for api.openai.com, which is
   * known to support it.
   */
  readonly includeUsage?: boolean | undefined;
  /** Checks what calls send and what comes back: names of guardrails, or `createGuardrails` of `spanledger/guardrails`. */
  readonly guardrails?: CallGuard | readonly string[] | undefined;
};

type Body = Readonly<Record<string, unknown>>;
/** How the calls of a client are read. */
export type Setting = {
  readonly client: Client;
  readonly provider: string;
  readonly includeUsage: boolean;
  readonly guardrails: CallGuard | undefined;
  readonly requestModel: (body: Body) => string | undefined;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const missingUsage = (client: Client): void =>
  client.report({
    kind: 'usage_missing',
    events: 1,
    message:
      'a streamed chat completion did not report its token usage, so its cost is unknown: set stream_options: { include_usage: true }, or let the SDK set it with wrapOpenAI(openai, ledger, { includeUsage: true })',
  });

/** Requests the usage, unless the caller set the option. */
const withUsage = (options: RequestOptions, body: Body): object => ({
  ...options,
  body: { ...body, stream_options: { ...(body.stream_options as object | undefined), include_usage: true } },
});

const asksForUsage = ({ stream_options }: Body): boolean =>
  isObject(stream_options) && stream_options.include_usage !== undefined;

const inputOf = ({ client }: Setting, messages: unknown, system?: unknown): EventFields =>
  client.storesPrompts
    ? { input: system === undefined ? messages : { instructions: system, input: messages } }
    : {};

const chat = (setting: Setting, options: RequestOptions, body: Body, operation: string): Operation => {
  const { client } = setting;
  const stream = body.stream === true;
  const ask = stream && setting.includeUsage && !asksForUsage(body);
  const messages = body.messages ?? body.prompt;
  return {
    fields: { kind: 'llm', operation, model: textOf(body.model), stream, ...inputOf(setting, messages) },
    prompt: { messages },
    reader: createChatReader({
      output: () => client.storesPrompts,
      hideUsage: ask,
      onMissingUsage: () => missingUsage(client),
      requestModel: setting.requestModel(body),
    }),
    options: ask ? withUsage(options, body) : undefined,
  };
};

const responses = (setting: Setting, body: Body, operation: string): Operation => ({
  fields: {
    kind: 'llm',
    operation,
    model: textOf(body.model),
    stream: body.stream === true,
    ...inputOf(setting, body.input, body.instructions),
  },
  prompt: { messages: body.input, system: body.instructions },
  reader: createResponsesReader({
    output: () => setting.client.storesPrompts,
    requestModel: setting.requestModel(body),
  }),
});

const embeddings = (setting: Setting, body: Body): Operation => ({
  fields: {
    kind: 'embedding',
    operation: 'embeddings',
    model: textOf(body.model),
    ...inputOf(setting, body.input),
  },
  prompt: { messages: body.input },
  reader: readerOf(({ usage }) => openAiTokens(usage)),
});

const operationOf = (setting: Setting, options: RequestOptions, path: string): Operation | undefined => {
  const { body } = options;
  if (options.method?.toLowerCase() !== 'post' || !isObject(body)) return undefined;
  switch (path) {
    case '/chat/completions':
      return chat(setting, options, body, 'chat');
    case '/completions':
      return chat(setting, options, body, 'text_completion');
    case '/responses':
      return responses(setting, body, 'responses');
    case '/responses/compact':
      return responses(setting, body, 'responses.compact');
    case '/embeddings':
      return embeddings(setting, body);
    default:
      return mediaOperation(setting.client, path, body, options.stream === true);
  }
};

/** The content of a file: the results of a batch are one. */
const FILE = /^\/files\/[^/]+\/content$/;

/** A response that was made before, or its end: those made in the background are only then known. */
const RESPONSE = /^\/responses\/[^/?]+(?:\/cancel)?$/;

const resultsOf = (client: Client, provider: string, path: string): Results | undefined => {
  if (FILE.test(path)) return { from: 'lines', read: readOpenAiResult(client, provider) };
  if (RESPONSE.test(path)) return { from: 'reply', read: readBackground(client, provider) };
  return undefined;
};

/**
 * Records the calls of a client of the OpenAI API.
 * @param prefix what the client's paths start with
 */
export const watchOpenAI = <C extends object>(openai: C, setting: Setting, prefix = ''): C => {
  const { client, provider } = setting;
  const pathOf = ({ path = '' }: RequestOptions): string =>
    path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return watchRequests(
    openai,
    client,
    (request) => {
      const operation = operationOf(setting, request, pathOf(request));
      return operation && { ...operation, fields: { ...operation.fields, provider } };
    },
    (request) => resultsOf(client, provider, pathOf(request)),
    setting.guardrails,
  );
};

/**
 * Records every call of an `openai` client: chat, responses, completions, embeddings, images and audio, streamed or
 * not, through any of its methods, and the results of batches and of background responses when they are read. The client is changed in place and returned; it returns and throws exactly what it
 * did before. A client that cannot be changed is returned as it is, and the problem is reported.
 * @example
 * const openai = wrapOpenAI(new OpenAI(), createClient());
 */
export const wrapOpenAI = <C extends object>(
  openai: C,
  client: Client,
  options: WrapOpenAIOptions = {},
): C => {
  const baseURL = propertyOf(openai, 'baseURL');
  const provider = options.provider ?? providerOf(baseURL, 'openai');
  return watchOpenAI(openai, {
    client,
    provider,
    guardrails: callGuardOf(client, options.guardrails),
    includeUsage: options.includeUsage ?? hostOf(baseURL) === 'api.openai.com',
    // On Azure the request names a deployment, which has no price; the reply names the model.
    requestModel: (body) => (provider === 'azure' ? undefined : textOf(body.model)),
  });
};
