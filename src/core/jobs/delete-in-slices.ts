import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Slice, SliceReply, SliceRequest, SliceValues } from './slice.ts';

/** The first slice of a walk; rows with long texts may be a hundred times the usual size. */
const FIRST_ROWS = 64;
const MAX_ROWS = 400;
/** A slice that took longer is followed by a smaller one, a shorter one by a larger one. */
const LONG_MS = 4;
const SHORT_MS = 1.5;
/** Between slices, so that at most half of the writer's time goes to deleting. */
const MAX_PAUSE_MS = 50;
/** How long to wait when the writer refuses, and for how long in all. */
const RETRY_MS = 250;
const PATIENCE_MS = 60_000;

/**
 * Deletes what a slice names, a few hundred rows a transaction, and lets others write and the event loop
 * turn in between. Stopped at any point it leaves nothing half done: the next call goes on.
 * @returns how many rows were deleted
 * @throws the signal's reason; AppError 503 when the writer took nothing for a minute
 */
export async function deleteInSlices(
  slice: Slice,
  values: SliceValues,
  { ctx, signal }: { ctx: Ctx; signal: AbortSignal },
): Promise<number> {
  let request: SliceRequest = { values, after: null, rows: FIRST_ROWS };
  let deleted = 0;
  for (;;) {
    signal.throwIfAborted();
    const since = performance.now();
    const reply = await writePatiently(ctx, signal, { op: slice.name, request });
    deleted += reply.deleted;
    if (reply.next === null) return deleted;
    const pause = reply.deleted === 0 ? 0 : Math.min(MAX_PAUSE_MS, Math.ceil(performance.now() - since));
    request = { values, after: reply.next, rows: nextRows(request.rows, reply.ms) };
    await Bun.sleep(pause);
  }
}

/** How many rows the next slice takes, after one of `rows` rows that took `ms`. */
export function nextRows(rows: number, ms: number): number {
  if (ms > LONG_MS) return Math.max(1, Math.floor(rows / 2));
  return ms < SHORT_MS ? Math.min(MAX_ROWS, Math.ceil(rows * 1.5)) : rows;
}

/** A writer that is busy with others refuses with 503: that passes. */
async function writePatiently(
  ctx: Ctx,
  signal: AbortSignal,
  { op, request }: { op: string; request: SliceRequest },
): Promise<SliceReply> {
  const since = performance.now();
  for (;;) {
    try {
      return await ctx.db.writer.write<SliceReply>(op, request);
    } catch (error) {
      signal.throwIfAborted();
      const passes = error instanceof AppError && error.status === 503;
      if (!passes || performance.now() - since > PATIENCE_MS) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
