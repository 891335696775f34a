import { type Call, inherit, type OpenCall, startCall } from './call.ts';
import { currentPlace, type Place } from './context.ts';
import type { EventFields, SpanledgerEvent } from './event.ts';
import { newEventId, newSpanId, newTraceId } from './ids.ts';
import { createLive } from './live.ts';
import { type ClientOptions, readOptions, type Settings } from './options.ts';
import { createReport, type Report } from './problems.ts';
import type { Prompt } from './prompt.ts';
import { createRecorder } from './recorder.ts';
import { beforeExit, deadline } from './runtime.ts';
import { createDelivery } from './send/create-delivery.ts';
import type { Stats } from './send/delivery.ts';
import { takeFields } from './send/line.ts';
import { isSampled } from './send/sample.ts';
import { createTransport } from './send/transport.ts';
import { runSpan, type Span, type SpanFields, type SpanHost } from './span.ts';

/** `timeoutMs`: longest wait in milliseconds. */
export type FlushOptions = { readonly timeoutMs?: number | undefined };

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
  /** Starts a call that no wrapper records. Its `end`, `fail` or `cancel` records it. */
  startCall(fields: EventFields, prompt?: Prompt): Call;
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
  const date = given === undefined ? new Date() : new Date(given);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
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
  const delivery = createDelivery({ settings, live, transport: createTransport(settings), report });
  const recorder = createRecorder(delivery, live, report);
  const calls = createOpenCalls();
  let active = wantsEvents(settings, report);
  const forget = active
    ? flushAtExit(
        () => stats().pending,
        () => flush(),
        delivery.stop,
      )
    : () => {};

  const stats = (): Stats => {
    const sent = delivery.stats;
    return { ...sent, pending: sent.pending + recorder.pending };
  };

  const host: SpanHost = {
    recorder,
    defaults: { environment: settings.environment, release: settings.release },
    isOpen: (traceId) => {
      if (!active) return false;
      const sampled = isSampled(traceId, live.now.sampleRate);
      if (!sampled) delivery.sampledOut();
      return sampled;
    },
    opened: calls.opened,
    closed: calls.closed,
    track: (event, place) => track(event, place),
  };

  const track = (event: SpanledgerEvent, place: Place | undefined): string => {
    const made = {
      event_id: event.event_id ?? newEventId(),
      trace_id: event.trace_id ?? place?.traceId ?? newTraceId(),
      span_id: event.span_id ?? newSpanId(),
      parent_span_id: event.parent_span_id ?? place?.spanId,
      timestamp: toTimestamp(event.timestamp),
    };
    if (host.isOpen(made.trace_id)) {
      // Copied now, because the caller may change its objects afterwards.
      const taken = takeFields({ ...host.defaults, ...inherit(place, event), ...made }, live.now);
      recorder.soon(() => ({ event: { ...taken, ...made } }));
    }
    return made.event_id;
  };

  const flush = async ({ timeoutMs = settings.flushTimeoutMs }: FlushOptions = {}): Promise<Stats> => {
    if (active)
      await within(
        recorder.settle().then(() => delivery.settle()),
        timeoutMs,
      );
    return stats();
  };

  return {
    track: (event) => track(event, currentPlace()),
    trace: (name, fn, fields) => runSpan(host, undefined, { name, fn, fields }),
    span: (name, fn, fields) => runSpan(host, currentPlace(), { name, fn, fields }),
    startCall: (fields, prompt) => startCall(host, fields, prompt),
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
      return stats();
    },
    stats,
    get storesPrompts() {
      return active && live.now.storePrompts;
    },
    report,
  };
};

/** Sends the remaining events when the process is about to end. Events that cannot be sent then are dropped. */
const flushAtExit = (
  pending: () => number,
  flush: () => Promise<unknown>,
  giveUp: () => void,
): (() => void) => {
  let tried = false;
  return beforeExit(() => {
    // Any work started here keeps the process running, so without events nothing must be started.
    if (pending() === 0) return;
    if (tried) giveUp();
    else {
      tried = true;
      void flush().then(() => {
        tried = pending() > 0;
      });
    }
  });
};
