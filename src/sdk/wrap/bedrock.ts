import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { conversePrompt, createConverseReader } from './bedrock-converse.ts';
import { createInvokeReader, type Invoked, invokePrompt, parseBody } from './bedrock-invoke.ts';
import { begin, type Started } from './begin.ts';
import type { Operation } from './reader.ts';
import { propertyOf, reportUnwatched } from './unwatched.ts';
import { isObject } from './usage.ts';
import { watchStreamed } from './watch-streamed.ts';

export type WrapBedrockOptions = {
  /** Provider whose prices apply. Default: `aws`. */
  readonly provider?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;

/** The parts of the client's middleware (https://github.com/aws/aws-sdk-js-v3, Middleware Stack) that are used. */
type Result = { readonly response?: { readonly headers?: Json }; readonly output?: Json };
type Handler = (args: { readonly input?: unknown }) => Promise<Result>;
type Middleware = (next: Handler, context: { readonly commandName?: string }) => Handler;
type Stack = { add(middleware: Middleware, options: object): void };

/** ARNs of foundation models and system profiles end with the name of the model; others name no model. */
const modelOf = ({ modelId }: Json): string | undefined =>
  typeof modelId === 'string'
    ? modelId.replace(/^arn:.*:(?:foundation-model|inference-profile)\//, '')
    : undefined;

const converse = (client: Client, input: Json, stream: boolean): Operation => ({
  fields: {
    kind: 'llm',
    operation: 'converse',
    stream,
    model: modelOf(input),
    ...(client.storesPrompts && { input: { system: input.system, messages: input.messages } }),
  },
  prompt: conversePrompt(input),
  reader: createConverseReader(() => client.storesPrompts),
});

const invoke = (client: Client, input: Json, stream: boolean): Operation => {
  const body = parseBody(input.body);
  const model = modelOf(input);
  const kind: EventFields = /embed/.test(model ?? '')
    ? { kind: 'embedding', operation: 'embeddings' }
    : { kind: 'llm', operation: 'invoke_model' };
  return {
    fields: { ...kind, stream, model, ...(client.storesPrompts && { input: body }) },
    prompt: invokePrompt(body),
    reader: createInvokeReader(() => client.storesPrompts, model),
  };
};

const operationOf = (client: Client, command: string, given: unknown): Operation | undefined => {
  const input: Json = isObject(given) ? given : {};
  switch (command.replace(/Command$/, '')) {
    case 'Converse':
      return converse(client, input, false);
    case 'ConverseStream':
      return converse(client, input, true);
    case 'InvokeModel':
      return invoke(client, input, false);
    case 'InvokeModelWithResponseStream':
      return invoke(client, input, true);
    default:
      return undefined;
  }
};

/** Records the result of a command. */
const take = ({ response, output }: Result, { call, operation }: Started): void => {
  const { stream } = operation.fields;
  if (stream === true && watchStreamed(output?.stream ?? output?.body, call, operation)) return;
  const isInvoked = operation.fields.operation !== 'converse';
  const invoked: Invoked = { body: output?.body, headers: response?.headers ?? {} };
  call.end(() => operation.reader.answer(isInvoked ? invoked : output));
};

const middlewareOf =
  (client: Client, provider: string): Middleware =>
  (next, { commandName = '' }) =>
  async (args) => {
    const started = begin(client, () => {
      const operation = operationOf(client, commandName, args.input);
      return operation && { ...operation, fields: { ...operation.fields, provider } };
    });
    if (started?.call.recorded !== true) return next(args);
    try {
      const result = await next(args);
      take(result, started);
      return result;
    } catch (error) {
      started.call.fail(error);
      throw error;
    }
  };

/**
 * Records every Converse, ConverseStream, InvokeModel and InvokeModelWithResponseStream of a
 * `@aws-sdk/client-bedrock-runtime` client, by a middleware of the client. The client is returned; it returns and throws
 * exactly what it did before. Bidirectional streams and asynchronous invocations are not recorded.
 * @example
 * const bedrock = wrapBedrock(new BedrockRuntimeClient({}), createClient());
 */
export const wrapBedrock = <C extends object>(
  bedrock: C,
  client: Client,
  { provider = 'aws' }: WrapBedrockOptions = {},
): C => {
  const stack = propertyOf(bedrock, 'middlewareStack') as Stack | undefined;
  let why = 'it has no middleware stack';
  try {
    if (typeof propertyOf(stack, 'add') === 'function') {
      // A second wrapper with this name replaces the first.
      const place = { step: 'initialize', name: 'spanledger', override: true };
      stack?.add(middlewareOf(client, provider), place);
      return bedrock;
    }
  } catch (error) {
    why = String(error);
  }
  reportUnwatched(client, why, 'a client of the @aws-sdk/client-bedrock-runtime package');
  return bedrock;
};
