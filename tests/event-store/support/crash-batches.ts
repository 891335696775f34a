import { DAY_MS } from '../../../src/lib/time.ts';
import { NOON } from './make-event.ts';
import { randomEvents, type SentEvent } from './random-events.ts';

/** Batches that are recorded before the recorder waits to be killed. */
export const BATCHES = 60;
const EVENTS = 15;

/** The project of a run. Some runs share one, so that a long form reads not much more after each. */
export const projectOf = (run: number): string => `crash ${Math.floor(run / 5)}`;

/**
 * A batch of a run by its number: the same in the process that records it and in the one that looks for it. Two batches
 * share their traces, so that spans above others may come later.
 */
export const batchOf = (seed: number, run: number, place: number): SentEvent[] => {
  const pair = place >> 1;
  const both = randomEvents(seed + run * 1_000_003 + pair * 7_919, 2 * EVENTS, NOON - 2 * DAY_MS, NOON);
  return both
    .filter((_, i) => i % 2 === place % 2)
    .map((event) => ({ ...event, trace_id: `${run} ${pair} ${event.trace_id}`, key_id: null }));
};
