import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import type { Span } from '../span.ts';
import { isObject } from '../wrap/usage.ts';
import { isHidden, modelOf, nameOf, readResult, runFields, toMessages } from './langchain-replies.ts';
import { type Idle, watchIdle } from './watch-idle.ts';

/**
 * Callbacks of LangChain (`CallbackHandlerMethods` of `@langchain/core`). What LangChain passes is read, never changed.
 */
export type LangChainHandler = {
  /** Callbacks are awaited, so that times are those of the runs. They return at once. */
  readonly awaitHandlers: true;
  handleChatModelStart(llm: unknown, messages: unknown, runId: string, ...rest: unknown[]): void;
  handleLLMStart(llm: unknown, prompts: unknown, runId: string, ...rest: unknown[]): void;
  handleLLMNewToken(token: unknown, index: unknown, runId: string, ...rest: unknown[]): void;
  handleLLMEnd(output: unknown, runId: string, ...rest: unknown[]): void;
  handleLLMError(error: unknown, runId: string, ...rest: unknown[]): void;
  handleChainStart(chain: unknown, inputs: unknown, runId: string, ...rest: unknown[]): void;
  handleChainEnd(outputs: unknown, runId: string, ...rest: unknown[]): void;
  handleChainError(error: unknown, runId: string, ...rest: unknown[]): void;
  handleToolStart(tool: unknown, input: unknown, runId: string, ...rest: unknown[]): void;
  handleToolEnd(output: unknown, runId: string, ...rest: unknown[]): void;
  handleToolError(error: unknown, runId: string, ...rest: unknown[]): void;
  handleRetrieverStart(retriever: unknown, query: unknown, runId: string, ...rest: unknown[]): void;
  handleRetrieverEnd(documents: unknown, runId: string, ...rest: unknown[]): void;
  handleRetrieverError(error: unknown, runId: string, ...rest: unknown[]): void;
};

export type LangChainOptions = {
  /**
   * A stream from which no token came for so long has no reader any more and is recorded as cancelled: LangChain does not
   * tell. Default: 300,000, five minutes.
   */
  readonly abandonedAfterMs?: number | undefined;
};

/** A run that has started. `span` is where its children belong; `close` ends it. */
type Run = {
  readonly span?: Span | undefined;
  readonly call?: Call | undefined;
  readonly model?: string | undefined;
  /** When it started, as `performance.now()`. */
  readonly started?: number | undefined;
  /** Set once a token has come. */
  idle?: Idle | undefined;
  readonly close: (fields: EventFields, error?: { thrown: unknown }) => void;
};

/** Runs whose end is never reported are ended beyond this number, so that they cannot fill the memory. */
const MOST_RUNS = 10_000;

type Given = { readonly serialized: unknown; readonly input: unknown; readonly runId: string };
type Rest = readonly unknown[];

const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The parent of a chain is the fourth argument, or the eighth, by the version of LangChain. */
const parentOf = (rest: Rest): string | undefined =>
  [rest[0], rest[4]].find((one): one is string => typeof one === 'string' && RUN_ID.test(one));

const createRuns = (client: Client, abandonedAfterMs: number) => {
  const runs = new Map<string, Run>();

  const add = (runId: string, run: Run): void => {
    runs.set(runId, run);
    if (runs.size <= MOST_RUNS) return;
    const [oldest] = runs.keys();
    if (oldest !== undefined) end(oldest, { status: 'cancelled', error_code: 'unread' });
  };

  const end = (runId: string, fields: EventFields, error?: { thrown: unknown }): void => {
    const run = runs.get(runId);
    runs.delete(runId);
    run?.idle?.stop();
    run?.close(fields, error);
  };

  /** LangChain tells nothing when the reader of a stream stops before its end. */
  const abandon = (runId: string, last: number): void => {
    const { call, started = last } = runs.get(runId) ?? {};
    runs.delete(runId);
    call?.cancel('stream_abandoned', { stream: true, latency_ms: last - started });
  };

  const token = (runId: string): void => {
    const run = runs.get(runId);
    if (run?.call === undefined) return;
    run.idle ??= watchIdle(abandonedAfterMs, (last) => abandon(runId, last));
    run.idle.seen();
    run.call.firstToken();
  };

  /** A span that stays open until `close`: its function returns a promise that `close` settles. */
  const openSpan = (parent: Run | undefined, name: string, fields: EventFields): Run | undefined => {
    let opened: Run | undefined;
    const work = (span: Span): Promise<void> =>
      new Promise((resolve, reject) => {
        const close: Run['close'] = (late, error) => {
          span.set(late);
          if (error === undefined) resolve();
          else reject(error.thrown);
        };
        opened = { span, close };
      });
    const open = parent?.span?.span ?? client.span;
    open(name, work, fields).catch(() => {});
    return opened;
  };

  const startSpan = (
    { serialized, input, runId }: Given,
    rest: Rest,
    fields: EventFields,
    runName: unknown,
  ): void => {
    const [, tags, metadata] = rest;
    const parent = runs.get(parentOf(rest) ?? '');
    if (runs.has(runId)) return;
    if (isHidden(tags)) {
      add(runId, { span: parent?.span, close: () => {} });
      return;
    }
    const name = nameOf(serialized, runName);
    const all = { ...fields, ...runFields(tags, isObject(metadata) ? metadata : {}) };
    if (fields.kind === 'tool') all.tool = name;
    if (client.storesPrompts) all.input = input;
    const run = openSpan(parent, name, all);
    if (run !== undefined) add(runId, run);
  };

  const startCall = ({ serialized, input, runId }: Given, rest: Rest, operation: string): void => {
    const [, extra, tags, given, runName] = rest;
    if (runs.has(runId)) return;
    const metadata = isObject(given) ? given : {};
    const named = modelOf(serialized, extra, metadata);
    const name = nameOf(serialized, runName);
    const fields: EventFields = {
      kind: 'llm',
      operation,
      name,
      ...named,
      // A call without a model is refused; the reply may name it.
      model: named.model ?? name,
      ...runFields(tags, metadata),
      ...(client.storesPrompts && { input }),
    };
    const start = (): Call => client.startCall(fields, { messages: input });
    const parent = runs.get(parentOf(rest) ?? '')?.span;
    const call = parent === undefined ? start() : parent.run(start);
    const close: Run['close'] = (late, error) => {
      if (error === undefined) call.end(late);
      else call.fail(error.thrown, late);
    };
    // On Azure the request names a deployment, or LangChain's default model; the reply names the model.
    const started = performance.now();
    add(runId, { call, started, model: named.provider === 'azure' ? undefined : named.model, close });
  };

  return { get: (runId: string) => runs.get(runId), end, token, startSpan, startCall };
};

/**
 * A callback handler for LangChain and LangGraph: calls to models with their usage, and chains, tools and retrievers as
 * spans of one trace, below the current span if there is one. It records what every provider's integration reports, so
 * pass no wrapped client to the same model, or its calls are recorded twice.
 * @example
 * await chain.invoke(input, { callbacks: [langChainHandler(createClient())] });
 */
export const langChainHandler = (
  client: Client,
  { abandonedAfterMs = 300_000 }: LangChainOptions = {},
): LangChainHandler => {
  const runs = createRuns(client, abandonedAfterMs);

  /** An exception here must not reach the application. */
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      client.report({ kind: 'internal', events: 1, message: `a run could not be read: ${String(error)}` });
    }
  };
  const output = (value: unknown): EventFields => (client.storesPrompts ? { output: value } : {});
  const endSpan = (value: unknown, runId: string): void => guarded(() => runs.end(runId, output(value)));
  const failRun = (thrown: unknown, runId: string): void => guarded(() => runs.end(runId, {}, { thrown }));
  // The name of a chain is the seventh or the eighth argument, like its parent.
  const chainName = (rest: Rest): unknown => (RUN_ID.test(String(rest[4])) ? rest[3] : rest[4]);

  return {
    awaitHandlers: true,
    handleChatModelStart: (serialized, messages, runId, ...rest) =>
      guarded(() => {
        const input = toMessages(Array.isArray(messages) ? messages[0] : messages);
        runs.startCall({ serialized, input, runId }, rest, 'chat');
      }),
    handleLLMStart: (serialized, prompts, runId, ...rest) =>
      guarded(() => {
        const input: unknown = Array.isArray(prompts) && prompts.length === 1 ? prompts[0] : prompts;
        runs.startCall({ serialized, input, runId }, rest, 'text_completion');
      }),
    handleLLMNewToken: (_token, _index, runId) => runs.token(runId),
    handleLLMEnd: (result, runId) =>
      guarded(() => {
        const run = runs.get(runId);
        const fields = readResult(result, run?.model, client.storesPrompts);
        runs.end(runId, { ...fields, stream: run?.idle !== undefined });
      }),
    handleLLMError: (thrown, runId) =>
      guarded(() => runs.end(runId, { stream: runs.get(runId)?.idle !== undefined }, { thrown })),
    handleChainStart: (serialized, input, runId, ...rest) =>
      guarded(() => runs.startSpan({ serialized, input, runId }, rest, { kind: 'chain' }, chainName(rest))),
    handleChainEnd: endSpan,
    handleChainError: failRun,
    handleToolStart: (serialized, input, runId, ...rest) =>
      guarded(() => runs.startSpan({ serialized, input, runId }, rest, { kind: 'tool' }, rest[3])),
    handleToolEnd: endSpan,
    handleToolError: failRun,
    handleRetrieverStart: (serialized, input, runId, ...rest) =>
      guarded(() => runs.startSpan({ serialized, input, runId }, rest, { kind: 'retrieval' }, rest[3])),
    handleRetrieverEnd: (documents, runId) =>
      guarded(() => {
        const metadata = Array.isArray(documents) ? { documents: documents.length } : {};
        runs.end(runId, { metadata, ...output(documents) });
      }),
    handleRetrieverError: failRun,
  };
};
