import { linkedEventId } from '../lib/linked-event-id.ts';
import { type Call, inherit, type OpenCall, startCall } from './call.ts';
import { currentPlace, type Inherited, type Place, runAt } from './context.ts';
import { createApi } from './datasets/api.ts';
import { type Dataset, openDataset } from './datasets/dataset.ts';
import { runExperiment } from './datasets/experiment.ts';
import type { ExperimentOptions, ExperimentResult } from './datasets/experiment-options.ts';
import type { EventFields, SpanledgerEvent } from './event.ts';
import { flushAtExit } from './exit.ts';
import { newEventId, newSpanId, newTraceId } from './ids.ts';
import { createLive } from './live.ts';
import { type ObserveHost, observe } from './observe.ts';
import { placeWith, rootPlace } from './open-telemetry.ts';
import { type ClientOptions, readOptions, type Settings } from './options.ts';
import { createReport, type Report } from './problems.ts';
import type { Prompt } from './prompt.ts';
import { createAttachments } from './prompts/attach.ts';
import { createPromptLibrary } from './prompts/prompt-library.ts';
import type {
  KindOf,
  LibraryPrompt,
  PromptFallback,
  PromptKind,
  PromptOptions,
  ValuesOf,
} from './prompts/prompt-options.ts';
import { createRecorder } from './recorder.ts';
import { deadline } from './runtime.ts';
import { createDelivery } from './send/create-delivery.ts';
import type { Stats } from './send/delivery.ts';
import { holdFields } from './send/line.ts';
import { isSampled } from './send/sample.ts';
import { createScores, type ScoreFields } from './send/scores.ts';
import { type Answer, createTransport, type Lost, type Transport } from './send/transport.ts';
import { runSpan, type Span, type SpanFields, scopeOf } from './span.ts';

/** `timeoutMs`: longest wait in milliseconds. */
export type FlushOptions = { readonly timeoutMs?: number | undefined };

/** What `with` sets. */
export type ScopeFields = Inherited;

/** The context that a serverless platform passes to a request; it lets work continue after the reply. */
export type WaitUntil =
  | ((promise: Promise<unknown>) => void)
  | { waitUntil(promise: Promise<unknown>): void };

/** A client of one project. Its methods never throw or reject because of an error of the SDK. */
export type Client = {
  /** Records an event and returns its id. Missing ids, time and place in the trace are filled in. */
  track(event: SpanledgerEvent): string;
  /** Runs a function as a new trace. Returns, throws and rejects exactly as the function does. */
  trace<T>(name: string, fn: (span: Span) => T, fields?: SpanFields): T;
  /** Runs a function as a span of the current trace, or of a new trace if there is none. */
  span<T>(name: string, fn: (span: Span) => T, fields?: SpanFields): T;
  /**
   * Runs a function in which everything recorded has these fields: user, session, tags, metadata. It records nothing
   * itself. Tags and metadata are added to those around it.
   */
  with<T>(fields: ScopeFields, fn: () => T): T;
  /**
   * Returns a function that does what `fn` does and records each run as a span, which ends with the promise, generator
   * or stream that it returns. Arguments and results are recorded only if prompts are stored.
   */
  observe<This, Args extends readonly unknown[], Result>(
    fn: (this: This, ...args: Args) => Result,
    fields?: SpanFields,
  ): (this: This, ...args: Args) => Result;
  /**
   * A prompt of the project's library, by default its label `production`. It is fetched once, then served from memory,
   * also while the server is away, and fetched again in the background when it is older than `ttl`. With a `fallback` it
   * never rejects because of the server; the variables of a literal fallback are checked by the compiler.
   * @throws Error without a fallback, while the prompt was never fetched and cannot be
   * @example
   * const prompt = await ledger.prompt('support/triage', { fallback: 'Sort this ticket: {{ticket}}' });
   * await openai.chat.completions.create({ model, messages: [{ role: 'user', content: prompt.compile({ ticket }) }] });
   */
  prompt<const F extends PromptFallback | undefined = undefined, K extends PromptKind = 'text'>(
    name: string,
    options?: PromptOptions<F, K>,
  ): Promise<LibraryPrompt<ValuesOf<F>, KindOf<F, K>>>;
  /**
   * Scores a trace, a span or a session, by default the current trace: feedback of a user, or the result of a check. It is
   * sent in the background and sent again while the server is away. Returns its id: with the same id, another value
   * replaces the first.
   * @example
   * ledger.score({ name: 'helpful', value: true, traceId, comment: 'Solved it' });
   */
  score(fields: ScoreFields): string;
  /**
   * A dataset of the project, to read its items and to add some. It needs the option `accessToken`; unlike what records,
   * it rejects when the server refuses.
   * @example
   * for await (const item of ledger.dataset('Support questions').items({ split: 'test' })) …
   */
  dataset<Input = unknown, Expected = unknown>(name: string): Dataset<Input, Expected>;
  /**
   * Runs a function over the items of a dataset, some at once, and returns means with intervals when all are scored. Each
   * run is a trace: its cost is that of its calls. With a `runId`, a run that was cut off goes on where it ended. It needs
   * the option `accessToken`, and rejects when the experiment cannot be completed.
   * @example
   * const { metrics } = await ledger.experiment({
   *   name: 'Cheaper model', dataset: 'Support questions',
   *   task: ({ input }) => answer(input),
   *   score: ({ item, output }) => ({ accuracy: output === item.expectedOutput }),
   * });
   * expect(metrics.accuracy?.mean).toBeGreaterThan(0.9);
   */
  experiment<Input = unknown, Expected = unknown, Output = unknown>(
    options: ExperimentOptions<Input, Expected, Output>,
  ): Promise<ExperimentResult>;
  /**
   * The address of a trace in the dashboard, by default of the current one. Undefined outside of a trace, and while
   * the server cannot be asked for the project.
   */
  traceUrl(traceId?: string): Promise<string | undefined>;
  /**
   * Starts a call that no wrapper records. Its `end`, `fail` or `cancel` records it.
   * @param around the OpenTelemetry span of the same call, if there is one
   */
  startCall(fields: EventFields, prompt?: Prompt, around?: unknown): Call;
  /** Sends everything recorded so far; resolves when the server has acknowledged it or the time is up. */
  flush(options?: FlushOptions): Promise<Stats>;
  /** Waits for running calls, then flushes, in the background time of the platform. */
  waitUntil(platform: WaitUntil): void;
  /** Flushes and closes the client. Calls with unread replies are cancelled; later calls are not recorded. */
  shutdown(options?: FlushOptions): Promise<Stats>;
  /** Counts of events by outcome so far. */
  stats(): Stats;
  /** Whether prompts and completions are currently stored. */
  readonly storesPrompts: boolean;
  /** Receives problems. */
  readonly report: Report;
  /** For `spanledger/guardrails`: what the project keeps for its clients, and the environment of this one. */
  readonly server: {
    read(path: string, etag: string | null): Promise<{ readonly answer: Answer | Lost }>;
    readonly environment: string | undefined;
    /** Records later events at the current place of the trace. */
    recorder(): (event: SpanledgerEvent) => void;
  };
};

/** Longest wait for running calls in `waitUntil`. */
const OPEN_CALLS_MS = 30_000;

const wantsEvents = (settings: Settings, report: Report): boolean => {
  if (!settings.enabled) return false;
  if (settings.apiKey !== undefined) return true;
  const message = 'there is no API key, so nothing is recorded: set SPANLEDGER_API_KEY or the option apiKey';
  report({ kind: 'configuration', events: 0, message });
  return false;
};

/** Calls that have started and not ended, and the waiters for them. */
const createOpenCalls = () => {
  const open = new Set<OpenCall>();
  let waiting: (() => void)[] = [];
  return {
    opened: (call: OpenCall): void => void open.add(call),
    giveUp: (): void => {
      for (const call of open) call.giveUp();
    },
    closed: (call: OpenCall): void => {
      open.delete(call);
      if (open.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    none: (): Promise<void> =>
      open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
};

/** Waits at most `ms`. Returns whether the work finished in that time. */
const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const { passed, clear } = deadline(ms, false);
  const inTime = await Promise.race([work.then(() => true), passed]);
  clear();
  return inTime;
};

const toTimestamp = (given: SpanledgerEvent['timestamp']): string | undefined => {
  if (typeof given === 'string') return given;
  if (given === null) return undefined;
  const date = given === undefined ? new Date() : new Date(given);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};

/** A random id, or one that lets the server relate an event to the OpenTelemetry spans of its trace. */
const eventId = ({ traceId, spanId, outer }: Pick<Place, 'traceId' | 'spanId' | 'outer'>): string => {
  const linked = outer === undefined ? null : linkedEventId(traceId ?? '', spanId ?? '');
  return linked ?? newEventId();
};

/** Asks the server once where the project's traces are; asks again if it did not answer. */
const createTracesUrl = (
  { baseUrl }: Settings,
  transport: Transport,
): (() => Promise<string | undefined>) => {
  let known: Promise<string | undefined> | undefined;
  return () => {
    known ??= transport.config().then(({ config }) => {
      const { projectId, publicUrl } = config ?? {};
      if (projectId === undefined) known = undefined;
      return projectId && `${publicUrl ?? baseUrl}/projects/${projectId}/traces`;
    });
    return known;
  };
};

/**
 * Creates a client. It sends nothing, starts no timer and uses no randomness before the first event, so it can be
 * created at module level even in edge runtimes that forbid those there.
 * @example
 * const ledger = createClient({ apiKey: process.env.SPANLEDGER_API_KEY });
 * ledger.track({ provider: 'openai', model: 'gpt-4o', input_tokens: 12, output_tokens: 3 });
 */
export const createClient = (options: ClientOptions = {}): Client => {
  const report = createReport(options.onProblem);
  const settings = readOptions(options, report);
  const live = createLive(settings);
  const transport = createTransport(settings);
  const delivery = createDelivery({ settings, live, transport, report });
  const recorder = createRecorder(delivery, live, { report, mask: settings.mask });
  const tracesUrl = createTracesUrl(settings, transport);
  const calls = createOpenCalls();
  const reportLost = (events: number): void => {
    const message = `${events} ${events === 1 ? 'event was' : 'events were'} not sent: process.exit() does not wait; call shutdown() before it`;
    report({ kind: 'dropped', events, message });
  };
  let active = wantsEvents(settings, report);
  const forget =
    active && settings.flushAtExit
      ? flushAtExit({
          pending: () => stats().pending,
          flush: () => flush(),
          giveUp: delivery.stop,
          reportLost: () => reportLost(stats().pending),
        })
      : () => {};

  const stats = (): Stats => {
    const sent = delivery.stats;
    return { ...sent, pending: sent.pending + recorder.pending };
  };

  const place = (around?: unknown): Place | undefined =>
    placeWith(settings.openTelemetry, currentPlace(), around);

  const attachments = createAttachments();
  const runWith = <T>(fields: Inherited, fn: () => T): T => runAt(scopeOf(place(), fields), fn);
  const prompt = createPromptLibrary({ settings, transport, report, attachments, place, runWith });

  const scores = createScores({ transport, report });
  const { ask, pages } = createApi(settings, transport);

  const host: ObserveHost = {
    promptOf: attachments.find,
    recorder,
    place,
    eventId,
    storesPrompts: () => active && live.now.storePrompts,
    defaults: { environment: settings.environment, release: settings.release },
    isOpen: (traceId) => {
      if (!active) return false;
      const sampled = isSampled(traceId, live.now.sampleRate);
      if (!sampled) delivery.sampledOut();
      return sampled;
    },
    opened: calls.opened,
    closed: calls.closed,
    track: (event, at) => track(event, at),
  };

  const track = (event: SpanledgerEvent, at: Place | undefined): string => {
    const trace_id = event.trace_id ?? at?.traceId ?? newTraceId();
    const span_id = event.span_id ?? newSpanId();
    const made = {
      event_id: event.event_id ?? eventId({ traceId: trace_id, spanId: span_id, outer: at?.outer }),
      trace_id,
      span_id,
      parent_span_id: event.parent_span_id ?? at?.spanId,
      timestamp: toTimestamp(event.timestamp),
    };
    if (host.isOpen(made.trace_id)) {
      // Copied now, because the caller may change its objects afterwards.
      const taken = holdFields({ ...host.defaults, ...inherit(at, event), ...made }, live.now);
      recorder.soon(() => ({ event: { ...taken, ...made } }));
    }
    return made.event_id;
  };

  const flush = async ({ timeoutMs = settings.flushTimeoutMs }: FlushOptions = {}): Promise<Stats> => {
    if (active)
      await within(
        Promise.all([recorder.settle().then(() => delivery.settle()), scores.settle()]),
        timeoutMs,
      );
    return stats();
  };

  const trace: Client['trace'] = (name, fn, fields) =>
    runSpan(host, rootPlace(place()), { name, fn, fields });

  return {
    track: (event) => track(event, place()),
    trace,
    span: (name, fn, fields) => runSpan(host, place(), { name, fn, fields }),
    with: runWith,
    prompt: prompt as Client['prompt'],
    observe: (fn, fields) => observe(host, fn, fields),
    score: (fields) => scores.give(fields, active, place()?.traceId),
    dataset: (name) => openDataset(ask, name),
    experiment: (given) => runExperiment({ ask, pages, flush, trace }, given),
    async traceUrl(traceId = place()?.traceId) {
      const url = traceId === undefined || !active ? undefined : await tracesUrl();
      return url && `${url}/${encodeURIComponent(traceId ?? '')}`;
    },
    startCall: (fields, prompt, around) => startCall(host, fields, prompt, place(around)),
    flush,
    waitUntil(platform) {
      const work = within(calls.none(), OPEN_CALLS_MS).then(() => flush());
      if (typeof platform === 'function') platform(work);
      else platform.waitUntil(work);
    },
    async shutdown(flushOptions) {
      calls.giveUp();
      await flush(flushOptions);
      active = false;
      forget();
      delivery.stop();
      scores.stop();
      return stats();
    },
    stats,
    get storesPrompts() {
      return host.storesPrompts();
    },
    report,
    server: {
      read: transport.prompt,
      environment: settings.environment,
      recorder: () => {
        const at = place();
        return (event) => void track(event, at);
      },
    },
  };
};
