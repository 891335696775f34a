import type { Ctx } from '../../../../../context.ts';
import type { Job } from '../../../../../module.ts';
import { paced } from '../../../../jobs/index.ts';
import { projects } from '../../../../projects/table.ts';
import { readEvents } from '../damage/read-events.ts';
import type { FilteredId } from '../segments/filter-parts.ts';
import { beginIndexOp, dropIndexOp, type IndexPage, indexPagesOp } from './index-ops.ts';
import { type IndexWork, indexPagesRead, indexWorkRead } from './read-index.ts';

/** Indexes the ids of sealed events, also of those that were sealed before there were indexes. */
export const indexIdsJob: Job = {
  name: 'events.index_ids',
  summary: 'Index the trace and event ids of sealed events, so that they are found fast',
  schedule: '*/10 * * * *',
  run: async (ctx, signal) => {
    const all = (await ctx.db.sql.select({ no: projects.no }).from(projects)).map(({ no }) => no);
    let [indexed, dropped] = [0, 0];
    for (let work = await readWork(ctx, all); work.length > 0; ) {
      for (const { project, stale, segments } of work) {
        for (const no of stale) await dropIndex({ ctx, signal }, project, no);
        dropped += stale.length;
        if (segments !== null) indexed += await buildIndex({ ctx, signal }, project, segments);
      }
      work = await readWork(
        ctx,
        work.map(({ project }) => project),
      );
    }
    return indexed + dropped === 0 ? {} : { indexed, dropped };
  },
};

type Task = { readonly ctx: Ctx; readonly signal: AbortSignal };

const readWork = async (ctx: Ctx, numbers: readonly number[]): Promise<readonly IndexWork[]> =>
  numbers.length === 0 ? [] : (await readEvents(ctx, indexWorkRead, numbers, null)).parse();

const dropIndex = ({ ctx, signal }: Task, project: number, no: number): Promise<number> =>
  paced<number>({
    from: no,
    signal,
    slice: async (_, most) => {
      const done = await ctx.db.writer.write(dropIndexOp, { project, no, most });
      return { next: done < most ? null : no, done };
    },
  });

/** Builds an index. Returns the number of its segments; 0 if one of them was replaced or deleted meanwhile. */
async function buildIndex(
  { ctx, signal }: Task,
  project: number,
  segments: readonly number[],
): Promise<number> {
  const readColumn = async (column: FilteredId): Promise<string[] | null> =>
    (await readEvents(ctx, indexPagesRead, [project], { project, segments, column })).parse();
  const [traces, events] = [await readColumn('trace_id'), await readColumn('event_id')];
  if (traces === null || events === null) return 0;
  const pages = { trace_id: traces.length, event_id: events.length };
  const no = await ctx.db.writer.write(beginIndexOp, { project, segments, pages });
  if (no === null) return 0;
  const all = [...toPages('trace_id', traces), ...toPages('event_id', events)];
  await paced<number>({
    from: 0,
    signal,
    slice: async (from, size) => {
      const slice = all.slice(from, from + size);
      const end = from + slice.length;
      const isLast = end === all.length;
      await ctx.db.writer.write(indexPagesOp, { project, no, pages: slice.map(decoded), isLast });
      return { next: isLast ? null : end, done: slice.length };
    },
  });
  return segments.length;
}

type EncodedPage = Omit<IndexPage, 'data'> & { readonly base64: string };

const toPages = (column: FilteredId, pages: readonly string[]): EncodedPage[] =>
  pages.map((base64, number) => ({ column, number, base64 }));

const decoded = ({ base64, ...page }: EncodedPage): IndexPage => ({
  ...page,
  data: Uint8Array.fromBase64(base64),
});
