import { DAY_MS } from '../../../src/lib/time.ts';
import { NOON } from './make-event.ts';
import { randomEvents, type SentEvent } from './random-events.ts';

/** Batches that are recorded before the recorder waits to be killed. */
export const BATCHES = 60;
const EVENTS = 15;

/** A batch of a run by its number: the same in the process that records it and in the one that looks for it. */
export const batchOf = (seed: number, run: number, place: number): SentEvent[] =>
  randomEvents(seed + run * 1_000_003 + place * 7_919, EVENTS, NOON - 2 * DAY_MS, NOON).map((event) => ({
    ...event,
    trace_id: `${run} ${place} ${event.trace_id}`,
    key_id: null,
  }));
