import type { Live } from '../live.ts';
import type { Settings } from '../options.ts';
import type { Report } from '../problems.ts';
import type { Stats } from './delivery.ts';
import { MAX_BYTES, rewriteLine } from './line.ts';
import { createQueue, type EventQueue, type QueuedEvent } from './queue.ts';
import type { Verdict } from './reply.ts';
import { isSampled } from './sample.ts';

/** Most different warnings of the server that are reported. */
const MOST_WARNINGS = 100;

/** The events that wait or are being sent, and the counts of all others. Reports each loss. */
export class Backlog {
  readonly #settings: Settings;
  readonly #report: Report;
  readonly #queue: EventQueue;
  readonly #counts = { accepted: 0, rejected: 0, dropped: 0, sampledOut: 0 };
  readonly #warned = new Set<string>();
  /** Events of the batch that is being sent. */
  #inFlight = 0;
  #isStopped = false;

  constructor(settings: Settings, report: Report) {
    this.#settings = settings;
    this.#report = report;
    this.#queue = createQueue(settings.maxQueueEvents, settings.maxQueueBytes);
  }

  /** Number of queued events. */
  get size(): number {
    return this.#queue.size;
  }

  /** After a stop, events are only counted as dropped. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  get stats(): Stats {
    return { ...this.#counts, pending: this.#queue.size + this.#inFlight };
  }

  add(event: QueuedEvent): void {
    if (this.#isStopped) {
      this.#counts.dropped++;
      return;
    }
    const { maxQueueEvents, maxQueueBytes } = this.#settings;
    const why = `more than ${maxQueueEvents} events or ${maxQueueBytes} bytes were queued; the oldest were dropped`;
    this.#drop(this.#queue.push(event), why);
  }

  /** Removes the next batch, adapted to the current settings. It is in flight until `finish`. */
  take(now: Live): QueuedEvent[] {
    const taken = this.#queue.take(now.maxBatchSize, MAX_BYTES);
    const kept = taken.filter((event) => isSampled(event.traceId, now.sampleRate));
    this.#counts.sampledOut += taken.length - kept.length;
    this.#inFlight = kept.length;
    return kept.map((event) =>
      event.revision === now.revision
        ? event
        : { ...event, bytes: rewriteLine(event.bytes, now), revision: now.revision },
    );
  }

  finish(): void {
    this.#inFlight = 0;
  }

  sampledOut(): void {
    this.#counts.sampledOut++;
  }

  stored(
    batch: readonly QueuedEvent[],
    { accepted, rejected, warnings }: Extract<Verdict, { kind: 'stored' }>,
  ): void {
    for (const { lines, message } of warnings) this.#warn(lines, message);
    this.#counts.accepted += accepted;
    this.#counts.rejected += rejected.length;
    const [first] = rejected;
    if (first === undefined) return;
    const id = batch[first.line - 1]?.id ?? '';
    const message = `${rejected.length} events were refused by the server; the first, ${id}: ${first.error}`;
    this.#report({ kind: 'rejected', events: rejected.length, message });
  }

  /** A field that is misspelled is so in every event, so each message is reported once. */
  #warn(events: number, message: string): void {
    if (this.#warned.has(message) || this.#warned.size >= MOST_WARNINGS) return;
    this.#warned.add(message);
    this.#report({ kind: 'warning', events, message: `the server accepted the events, but: ${message}` });
  }

  refused(events: number, reason: string): void {
    this.#counts.rejected += events;
    const message = `${events} events were refused by the server: ${reason}`;
    this.#report({ kind: 'refused', events, message });
  }

  /** The batch in flight is lost because of an error of the SDK. */
  failed(error: unknown): void {
    const events = this.#inFlight;
    this.#inFlight = 0;
    this.#counts.dropped += events;
    this.#report({ kind: 'internal', events, message: `sending failed: ${String(error)}` });
  }

  /** Stops because the server refused the API key. */
  unauthorized(): void {
    if (this.#isStopped) return;
    const events = this.#stop();
    const message = `${this.#settings.baseUrl} refused the API key (401), so nothing more is recorded: set SPANLEDGER_API_KEY to a key from "spanledger keys create" and restart`;
    this.#counts.dropped += events;
    this.#report({ kind: 'unauthorized', events, message });
  }

  /** Stops and drops the remaining events. */
  stop(why: string): void {
    this.#drop(this.#stop(), why);
  }

  /** Returns how many events remained. */
  #stop(): number {
    this.#isStopped = true;
    const remaining = this.#queue.clear() + this.#inFlight;
    this.#inFlight = 0;
    return remaining;
  }

  #drop(events: number, why: string): void {
    if (events === 0) return;
    this.#counts.dropped += events;
    this.#report({ kind: 'dropped', events, message: `${events} events were dropped: ${why}` });
  }
}
