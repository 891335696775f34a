import type { createLive } from '../live.ts';
import type { Settings } from '../options.ts';
import type { Report } from '../problems.ts';
import { cancelTimer, later } from '../runtime.ts';
import { MAX_BYTES, rewriteLine } from './line.ts';
import { createQueue, type QueuedEvent } from './queue.ts';
import { judge, type Verdict } from './reply.ts';
import { isSampled } from './sample.ts';
import { packBody, type Transport } from './transport.ts';

/** Counts of events by outcome so far. */
export type Stats = {
  /** Stored by the server; retries are counted once. */
  accepted: number;
  /** Refused by the server; they are not retried. */
  rejected: number;
  /** Lost in the client: the queue was full, the key was refused, or the time at exit was too short. */
  dropped: number;
  /** Not sent because their trace is not sampled. */
  sampledOut: number;
  /** Not yet sent or not yet acknowledged. */
  pending: number;
};

export type Delivery = {
  add(event: QueuedEvent): void;
  /** Sends batches until the queue is empty or nothing more can be sent. */
  settle(): Promise<void>;
  /** Notes an event that was not sampled. If nothing is sent, no reply brings new settings, so they are polled. */
  sampledOut(): void;
  /** Stops; the remaining events count as dropped. */
  stop(): void;
  readonly stats: Stats;
};

type Parts = {
  readonly settings: Settings;
  readonly live: ReturnType<typeof createLive>;
  readonly transport: Transport;
  readonly report: Report;
};

/** Delay before the configuration is fetched again after a failure or an outdated reply. */
const CONFIG_PAUSE_MS = 5_000;
/** A client that samples polls the configuration after this long without a reply. */
const SILENCE_MS = 60_000;
/** A longer wait has its own message, because the monthly quota is probably used up. */
const LONG_WAIT_MS = 120_000;

/**
 * Sends lines one batch at a time and in order. A batch stays the same for all its attempts, so the server
 * recognises retries by their event ids.
 */
export const createDelivery = ({ settings, live, transport, report }: Parts): Delivery => {
  const queue = createQueue(settings.maxQueueEvents, settings.maxQueueBytes);
  const stats = { accepted: 0, rejected: 0, dropped: 0, sampledOut: 0 };
  let inFlight = 0;
  let running: Promise<void> | null = null;
  let timer: unknown = null;
  let stopped = false;
  let wake: (() => void) | null = null;
  let wantedVersion: number | null = null;
  let configAt = Number.NEGATIVE_INFINITY;
  let heardAt = Date.now();
  const isSilent = (): boolean => live.now.version !== null && Date.now() > heardAt + SILENCE_MS;

  const drop = (events: number, why: string): void => {
    if (events === 0) return;
    stats.dropped += events;
    report({ kind: 'dropped', events, message: `${events} events were dropped: ${why}` });
  };

  const halt = (why: string): void => {
    stopped = true;
    if (timer !== null) cancelTimer(timer);
    wake?.();
    drop(queue.clear() + inFlight, why);
    inFlight = 0;
  };

  const unauthorized = (): void => {
    if (stopped) return;
    const message = `${settings.baseUrl} refused the API key (401), so nothing more is recorded: set SPANLEDGER_API_KEY to a key from "spanledger keys create" and restart`;
    report({ kind: 'unauthorized', events: queue.size + inFlight, message });
    stopped = true;
    stats.dropped += queue.clear() + inFlight;
    inFlight = 0;
  };

  /** Fetches the settings before the first batch, and when a reply names another version. */
  const followConfig = async (): Promise<void> => {
    if (!settings.remoteConfig) return;
    const { version } = live.now;
    const unknown = version === null && queue.size > 0;
    const changed = wantedVersion !== null && wantedVersion !== version;
    if (!unknown && !changed && !isSilent()) return;
    if (performance.now() < configAt + CONFIG_PAUSE_MS) return;
    const { answer, config } = await transport.config();
    heardAt = Date.now();
    if (answer.status === 401) unauthorized();
    if (config !== null) live.apply(config);
    // If the expected version arrived, the next change must not be delayed.
    configAt =
      config !== null && (wantedVersion ?? config.version) === config.version ? -Infinity : performance.now();
  };

  /** The next events, adapted to the current settings. */
  const nextBatch = (): QueuedEvent[] => {
    const { now } = live;
    const taken = queue.take(now.maxBatchSize, MAX_BYTES);
    const kept = taken.filter((event) => isSampled(event.traceId, now.sampleRate));
    stats.sampledOut += taken.length - kept.length;
    return kept.map((event) =>
      event.revision === now.revision
        ? event
        : { ...event, bytes: rewriteLine(event.bytes, now), revision: now.revision },
    );
  };

  const pause = (ms: number, canWake: boolean): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        cancelTimer(waiting);
        wake = null;
        resolve();
      };
      const waiting = later(ms, done);
      wake = canWake ? done : null;
    });

  const waitFor = async (verdict: Extract<Verdict, { kind: 'again' }>, failures: number): Promise<void> => {
    const { afterMs, asked, reason } = verdict;
    const waiting = queue.size + inFlight;
    if (afterMs >= LONG_WAIT_MS) {
      const message = `the server accepts no events for the next ${Math.round(afterMs / 60_000)} minutes (${reason}); ${waiting} events wait in memory`;
      report({ kind: 'paused', events: waiting, message });
    } else if (failures > 1 && !asked) {
      const message = `${settings.baseUrl} cannot be reached (${reason}); ${waiting} events wait in memory and will be retried`;
      report({ kind: 'unreachable', events: waiting, message });
    }
    await pause(afterMs, !asked);
  };

  const finish = (batch: readonly QueuedEvent[], verdict: Extract<Verdict, { kind: 'stored' }>): void => {
    stats.accepted += verdict.accepted;
    stats.rejected += verdict.rejected.length;
    heardAt = Date.now();
    if (verdict.configVersion !== null) wantedVersion = verdict.configVersion;
    const [first] = verdict.rejected;
    if (first === undefined) return;
    const id = batch[first.line - 1]?.id ?? '';
    const message = `${verdict.rejected.length} events were refused by the server; the first, ${id}: ${first.error}`;
    report({ kind: 'rejected', events: verdict.rejected.length, message });
  };

  const refuse = (events: number, reason: string): void => {
    stats.rejected += events;
    report({ kind: 'refused', events, message: `${events} events were refused by the server: ${reason}` });
  };

  /** Sends a batch until the server accepts or refuses it. */
  const send = async (batch: readonly QueuedEvent[]): Promise<void> => {
    const { body, encoding } = await packBody(batch.map((event) => event.bytes));
    for (let failures = 1; !stopped; failures++) {
      const answer = await transport.ingest(body, encoding);
      if (stopped) return;
      const verdict = judge(answer, batch.length, failures);
      if (verdict.kind === 'again') {
        await waitFor(verdict, failures);
        continue;
      }
      if (verdict.kind === 'stored') finish(batch, verdict);
      else if (verdict.kind === 'refused') refuse(batch.length, verdict.reason);
      else if (verdict.kind === 'unauthorized') unauthorized();
      else {
        const half = Math.ceil(batch.length / 2);
        await send(batch.slice(0, half));
        await send(batch.slice(half));
      }
      return;
    }
  };

  const run = async (): Promise<void> => {
    while (queue.size > 0 && !stopped) {
      await followConfig();
      if (stopped) return;
      const batch = nextBatch();
      inFlight = batch.length;
      if (batch.length > 0) await send(batch);
      inFlight = 0;
    }
    // Applies a change at once, not with the next event.
    await followConfig();
  };

  const start = (): Promise<void> => {
    if (timer !== null) cancelTimer(timer);
    timer = null;
    running ??= run()
      .catch((error: unknown) => {
        const lost = inFlight;
        inFlight = 0;
        stats.dropped += lost;
        report({ kind: 'internal', events: lost, message: `sending failed: ${String(error)}` });
      })
      .finally(() => {
        running = null;
        schedule();
      });
    return running;
  };

  const schedule = (): void => {
    if (stopped || running !== null || queue.size === 0) return;
    if (queue.size >= live.now.maxBatchSize) void start();
    else timer ??= later(live.now.flushIntervalMs, () => void start());
  };

  return {
    add(event) {
      if (stopped) stats.dropped++;
      else
        drop(
          queue.push(event),
          `more than ${settings.maxQueueEvents} events or ${settings.maxQueueBytes} bytes were queued; the oldest were dropped`,
        );
      schedule();
    },
    async settle() {
      wake?.();
      do await start();
      while (queue.size > 0 && !stopped);
    },
    sampledOut() {
      stats.sampledOut++;
      if (!stopped && settings.remoteConfig && isSilent()) void start();
    },
    stop: () => halt('the time to send them was up'),
    get stats() {
      return { ...stats, pending: queue.size + inFlight };
    },
  };
};
