import type { Ctx } from '../../context.ts';
import { type Slice, type SliceRequest, type SliceValues, sliceOp } from '../../db/slice.ts';
import { paced } from './paced.ts';

/** `onProgress` is called after each slice with the total number of deleted rows. */
export type SliceTask = {
  readonly ctx: Ctx;
  readonly signal: AbortSignal;
  readonly onProgress?: ((deleted: number) => void) | undefined;
};

/**
 * Deletes the rows that a slice selects, a few hundred per transaction, paced. It can stop after any slice; the next
 * call resumes.
 * @returns number of deleted rows
 * @throws the signal's reason; AppError 503 if the writer refused writes for a minute
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
