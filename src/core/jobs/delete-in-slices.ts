import type { Ctx } from '../../context.ts';
import { type Slice, type SliceRequest, type SliceValues, sliceOp } from '../../db/slice.ts';
import { paced } from './paced.ts';

/** `onProgress` is called after each slice with the rows that were deleted so far. */
export type SliceTask = {
  readonly ctx: Ctx;
  readonly signal: AbortSignal;
  readonly onProgress?: ((deleted: number) => void) | undefined;
};

/**
 * Deletes what a slice names, a few hundred rows a transaction, paced. Stopped at any point it leaves
 * nothing half done: the next call goes on.
 * @returns how many rows were deleted
 * @throws the signal's reason; AppError 503 when the writer took nothing for a minute
 */
export function deleteInSlices(
  slice: Slice,
  values: SliceValues,
  { ctx, signal, onProgress = () => {} }: SliceTask,
): Promise<number> {
  type Place = { readonly after: SliceRequest['after'] };
  return paced<Place>({
    from: { after: null },
    signal,
    onProgress,
    slice: async ({ after }, rows) => {
      const request: SliceRequest = { slice, values, after, rows };
      const { deleted, next, ms } = await ctx.db.writer.write(sliceOp, request);
      return { next: next === null ? null : { after: next }, done: deleted, ms };
    },
  });
}
