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
import { createDelivery, type Stats } from './send/delivery.ts';
import { takeFields } from './send/line.ts';
import { isSampled } from './send/sample.ts';
import { createTransport } from './send/transport.ts';
import { runSpan, type Span, type SpanFields, type SpanHost } from './span.ts';

/** How long to wait, in milliseconds. */
export type FlushOptions = { readonly timeoutMs?: number | undefined };

/** What serverless platforms hand to a request: something that lets work outlive the answer. */
export type WaitUntil =
  | ((promise: Promise<unknown>) => void)
  | { waitUntil(promise: Promise<unknown>): void };

/** A client of one project. None of its methods throws or rejects for a reason of its own. */
export type Client = {
  /** Records an event; returns its id. Ids, time and place in the trace are filled in where not given. */
  track(event: SpanledgerEvent): string;
  /** Runs a function as a new trace. Returns, throws and rejects exactly as the function does. */
  trace<T>(name: string, fn: (span: Span) => T, fields?: SpanFields): T;
  /** Runs a function as a step of the trace that this code runs in; without one it begins one. */
  span<T>(name: string, fn: (span: Span) => T, fields?: SpanFields): T;
  /** Starts a call to a model that no wrapper knows. Its `end`, `fail` or `cancel` records it. */
  startCall(fields: EventFields, prompt?: Prompt): Call;
  /** Sends what was recorded until now; resolves when it is acknowledged, or when the time is over. */
  flush(options?: FlushOptions): Promise<Stats>;
  /** Waits for calls that are still running, then flushes, on the time of the platform. */
  waitUntil(platform: WaitUntil): void;
  /** Flushes and ends the client: calls whose answer nobody has read are cancelled, later ones not recorded. */
  shutdown(options?: FlushOptions): Promise<Stats>;
  /** What became of the events so far. */
  stats(): Stats;
  /** Whether prompts and completions are wanted at this moment. */
  readonly storesPrompts: boolean;
  /** Told what goes wrong. */
  readonly report: Report;
};

/** Longest wait for running calls at a serverless boundary. */
const OPEN_CALLS_MS = 30_000;

const wantsEvents = (settings: Settings, report: Report): boolean => {
  if (!settings.enabled) return false;
  if (settings.apiKey !== undefined) return true;
  const message = 'there is no API key, so nothing is recorded: set SPANLEDGER_API_KEY or the option apiKey';
  report({ kind: 'configuration', events: 0, message });
  return false;
};

/** Calls that have started and not ended, and who waits for them. */
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

/** Waits at most `ms`; whether it was done by then. */
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
 * Makes a client. Nothing is sent, timed or drawn at random before the first event, so that it can be made
 * anywhere, also where an edge runtime allows no such thing.
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
      // Copied now: what the caller does to its objects afterwards is not part of the event.
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

/** Sends what is left when the process would end by itself. What could not be sent then is given up. */
const flushAtExit = (
  pending: () => number,
  flush: () => Promise<unknown>,
  giveUp: () => void,
): (() => void) => {
  let tried = false;
  return beforeExit(() => {
    // Without anything to do the process must be let go: whatever is started here keeps it running.
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
