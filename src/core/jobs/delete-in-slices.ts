import type { Ctx } from '../../context.ts';
import { paced } from './paced.ts';
import type { Slice, SliceReply, SliceRequest, SliceValues } from './slice.ts';

/**
 * Deletes what a slice names, a few hundred rows a transaction, paced. Stopped at any point it leaves
 * nothing half done: the next call goes on.
 * @returns how many rows were deleted
 * @throws the signal's reason; AppError 503 when the writer took nothing for a minute
 */
export function deleteInSlices(
  slice: Slice,
  values: SliceValues,
  { ctx, signal }: { ctx: Ctx; signal: AbortSignal },
): Promise<number> {
  type Place = { readonly after: SliceRequest['after'] };
  return paced<Place>({
    from: { after: null },
    signal,
    slice: async ({ after }, rows) => {
      const request: SliceRequest = { values, after, rows };
      const { deleted, next, ms } = await ctx.db.writer.write<SliceReply>(slice.name, request);
      return { next: next === null ? null : { after: next }, done: deleted, ms };
    },
  });
}
