import type { Ctx } from '../../../../../context.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { Job } from '../../../../../module.ts';
import { paced } from '../../../../jobs/index.ts';
import { projects } from '../../../../projects/table.ts';
import { sumsPart } from '../changes/sums-of.ts';

type SealRequest = { readonly project: number; readonly before: number | null };

/** Seals one chunk of a project in its own transaction; false if there is none to seal. */
export const sealOp: WriteOp<SealRequest, boolean> = {
  name: 'events.seal',
  open(_connection, env) {
    const { seals } = env.share(sumsPart);
    return { apply: ({ project, before }) => seals.sealNext(project, before) };
  },
};

/**
 * Seals a project's full chunks, and chunks with an event before an instant (epoch milliseconds), so that the sums of
 * users include events that will be deleted.
 * @returns number of sealed chunks
 */
export const sealChunks = (
  ctx: Ctx,
  project: number,
  { before, signal }: { readonly before: number | null; readonly signal: AbortSignal },
): Promise<number> =>
  paced({
    from: 0,
    signal,
    slice: async (sealed) => {
      const isSealed = await ctx.db.writer.write(sealOp, { project, before });
      return isSealed ? { next: sealed + 1, done: 1 } : { next: null, done: 0 };
    },
  });

/** Ingest seals each full chunk; this job seals chunks that it left, for example after a restart. */
export const sealJob: Job = {
  name: 'events.seal_chunks',
  summary: 'Seal chunks of events that ingest left unsealed',
  schedule: '*/15 * * * *',
  run: async (ctx, signal) => {
    const all = await ctx.db.sql.select({ no: projects.no }).from(projects);
    let sealed = 0;
    for (const { no } of all) {
      sealed += await sealChunks(ctx, no, { before: null, signal });
    }
    return { projects: all.length, sealed };
  },
};
