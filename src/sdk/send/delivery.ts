import type { QueuedEvent } from './queue.ts';

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

/** Sends events to the server. */
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
