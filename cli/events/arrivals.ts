import type { StoredEvent } from '../../src/core/events/contract.ts';
import { MINUTE_MS } from '../../src/lib/time.ts';

/** How old an event may be when it arrives: an event carries the time at which its call started. */
export const LATEST_ARRIVAL_MS = 15 * MINUTE_MS;
/** Every so many reads goes through all of that time; the others stop at the first page without a new event. */
const WHOLE_EVERY = 10;
/** Most events that one read goes through. */
const MOST_READ = 100_000;

/** Reads the events since a time, newest first, in pages. */
export type ReadPages = (from: number) => AsyncIterable<readonly StoredEvent[]>;

/** Finds the events that were stored since the previous read. */
export interface Arrivals {
  /** The new events, oldest first. The first read returns what is stored already. */
  readonly next: (now: number) => Promise<StoredEvent[]>;
}

/**
 * Follows a list that is ordered by the time of the events, not by their arrival. It remembers the ids of the last 15
 * minutes, so that it repeats none and finds late ones.
 */
export const createArrivals = (pages: ReadPages): Arrivals => {
  const seen = new Map<string, number>();
  let reads = 0;
  let floor = 0;
  return {
    next: async (now) => {
      floor = Math.max(floor, now - LATEST_ARRIVAL_MS);
      const whole = reads++ % WHOLE_EVERY === 0;
      const found: StoredEvent[] = [];
      let read = 0;
      for await (const page of pages(floor)) {
        const fresh = page.filter(({ event_id }) => !seen.has(event_id));
        for (const event of fresh) seen.set(event.event_id, Date.parse(event.timestamp));
        found.push(...fresh);
        read += page.length;
        // Older events were not read, so they must not look new to a later read that gets further.
        if (read >= MOST_READ) floor = Date.parse(page.at(-1)?.timestamp ?? '') + 1;
        if (read >= MOST_READ || (!whole && fresh.length === 0)) break;
      }
      if (whole) for (const [id, ts] of seen) if (ts < floor) seen.delete(id);
      return found.reverse();
    },
  };
};
