import { AppError } from '../../errors.ts';

/** What one slice of long work did. */
export type SliceResult<C> = {
  /** Where the next slice begins; null when the work is done. */
  readonly next: C | null;
  /** How many rows the slice changed, for the total. */
  readonly done: number;
  /** Milliseconds that the slice kept the writer busy; the round trip stands in for it when absent. */
  readonly ms?: number;
  /** Milliseconds that the write took with its wait in the queue; the whole slice stands in for it when absent. */
  readonly tripMs?: number;
};

/** Rows in a slice. Each slice is larger or smaller than the one before, by the time that one took. */
export type SliceSizes = { readonly first: number; readonly least: number; readonly most: number };

export type PacedWork<C> = {
  /** Where to begin; null when there is nothing to do. Work that was interrupted resumes at its cursor. */
  readonly from: C | null;
  /** The job's signal: the slice in hand is finished, then the loop throws the signal's reason. */
  readonly signal: AbortSignal;
  /** Does one slice of at most `size` rows. It must be safe to repeat after a 503. */
  slice(cursor: C, size: number): Promise<SliceResult<C>>;
  /** Called after each slice with the total so far. */
  onProgress?(done: number): void;
  readonly sizes?: SliceSizes;
};

const SIZES: SliceSizes = { first: 64, least: 1, most: 400 };
/** A slice that took longer is followed by a smaller one, a shorter one by a larger one. */
const LONG_MS = 4;
const SHORT_MS = 1.5;
/** The most that a wait in the writer's queue adds to a pause: others caused it. */
const MAX_QUEUE_MS = 50;
/** How long to wait when the store answers 503, and for how long in all. */
const RETRY_MS = 250;
const PATIENCE_MS = 60_000;

/**
 * Does long work in slices. Each slice is one short transaction, and the loop pauses for as long as the
 * slice took, so at most half of the writer's time goes to it and the event loop turns in between. When the
 * store answers 503, the slice is repeated for up to a minute.
 * @returns the sum of `done`
 * @throws the signal's reason; AppError 503 after a minute of refusals; whatever else `slice` throws
 */
export async function paced<C>(work: PacedWork<C>): Promise<number> {
  const { signal, sizes = SIZES } = work;
  let total = 0;
  let size = sizes.first;
  for (let cursor = work.from; cursor !== null; ) {
    signal.throwIfAborted();
    const started = performance.now();
    const { next, done, ms, ...trip } = await repeatWhileRefused(work, cursor, size);
    const tripMs = trip.tripMs ?? performance.now() - started;
    total += done;
    work.onProgress?.(total);
    cursor = next;
    if (cursor === null) break;
    size = nextSize(size, ms ?? tripMs, sizes);
    await Bun.sleep(done === 0 ? 0 : Math.ceil(Math.max(ms ?? tripMs, Math.min(MAX_QUEUE_MS, tripMs))));
  }
  return total;
}

/** How many rows the next slice takes, after one of `size` rows that took `ms`. */
export function nextSize(size: number, ms: number, { least, most }: SliceSizes = SIZES): number {
  if (ms > LONG_MS) return Math.max(least, Math.floor(size / 2));
  return ms < SHORT_MS ? Math.min(most, Math.ceil(size * 1.5)) : size;
}

async function repeatWhileRefused<C>(
  { signal, slice }: PacedWork<C>,
  cursor: C,
  size: number,
): Promise<SliceResult<C>> {
  const since = performance.now();
  for (;;) {
    try {
      return await slice(cursor, size);
    } catch (error) {
      signal.throwIfAborted();
      const passes = error instanceof AppError && error.status === 503;
      if (!passes || performance.now() - since > PATIENCE_MS) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
