import { AppError } from '../../errors.ts';

/** Result of one slice of long work. */
export type SliceResult<C> = {
  /** Where the next slice begins; null when the work is done. */
  readonly next: C | null;
  /** How many rows the slice changed, for the total. */
  readonly done: number;
  /** Milliseconds that the slice occupied the writer. Default: the round trip. */
  readonly ms?: number;
  /** Milliseconds of the write including its wait in the queue. Default: the time of the whole slice. */
  readonly tripMs?: number;
};

/** Bounds on the number of rows in a slice. The size adapts to the duration of the previous slice. */
export type SliceSizes = { readonly first: number; readonly least: number; readonly most: number };

export type PacedWork<C> = {
  /** Start cursor; null if there is nothing to do. Interrupted work resumes at its cursor. */
  readonly from: C | null;
  /** The job's signal. The loop finishes the current slice, then throws the signal's reason. */
  readonly signal: AbortSignal;
  /** Does one slice of at most `size` rows. It must be safe to repeat after a 503. */
  slice(cursor: C, size: number): Promise<SliceResult<C>>;
  /** Called after each slice with the total so far. */
  onProgress?(done: number): void;
  readonly sizes?: SliceSizes;
};

const SIZES: SliceSizes = { first: 64, least: 1, most: 400 };
/** After a slice longer than LONG_MS the size shrinks; after one shorter than SHORT_MS it grows. */
const LONG_MS = 4;
const SHORT_MS = 1.5;
/** Upper bound of queue wait that extends a pause, because other requests caused it. */
const MAX_QUEUE_MS = 50;
/** Delay before retrying after 503, and the total time of retries. */
const RETRY_MS = 250;
const PATIENCE_MS = 60_000;

/**
 * Runs long work in slices, each one short transaction. After each slice the loop pauses for as long as the slice
 * took, so the work uses at most half of the writer's time. If the store replies 503, the slice is retried for up to
 * a minute.
 * @returns the sum of `done`
 * @throws the signal's reason; AppError 503 after a minute of refusals; any other error of `slice`
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

/** Size of the next slice, after one of `size` rows that took `ms`. */
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
