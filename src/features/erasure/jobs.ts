import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { draftEntry } from '../../core/audit/index.ts';
import { deleteInSlices, type Slice, sliceOp as toSliceOp } from '../../core/jobs/index.ts';
import type { Job } from '../../module.ts';
import { finishOp, sliceOp, type WalkReply } from './ops.ts';
import { nextErasure, type OpenErasure } from './queries.ts';

/** Events of the first slice; a slice that took long is followed by a smaller one. */
const FIRST_EVENTS = 32;
const MAX_EVENTS = 200;
const LONG_MS = 4;
const SHORT_MS = 1.5;
/** Between slices, so that at most half of the writer's time goes to erasing. */
const MAX_PAUSE_MS = 50;

/** Refused lines of a project that hold the user's id anywhere. */
const refusedLines: Slice = {
  name: 'erasure.quarantined_events',
  table: 'quarantined_events',
  key: ['received_at', 'id'],
  prefix: 'project = ?',
  where: 'EXISTS (SELECT 1 FROM json_tree(body) WHERE atom = ?)',
};

export const erasureOps = [toSliceOp(refusedLines)];

type Task = { readonly ctx: Ctx; readonly signal: AbortSignal };

/** Stopped at any point it goes on where it was: each slice notes how far it came in its own transaction. */
export const erasureJob: Job = {
  name: 'erasure.run',
  summary: 'Erase the end users whose erasure was asked for',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let done = 0;
    for (;;) {
      const erasure = await nextErasure(ctx);
      if (erasure === null) return done === 0 ? {} : { done };
      await erase({ ctx, signal }, erasure);
      done++;
    }
  },
};

async function erase(task: Task, erasure: OpenErasure): Promise<void> {
  const { ctx, signal } = task;
  await walk(task, erasure);
  const { id, project, projectId, organizationId, userId, digest } = erasure;
  const lines = await deleteInSlices(refusedLines, { prefix: project, where: userId }, { ctx, signal });
  const actor = { kind: 'system', name: erasureJob.name } as const;
  const note = {
    action: 'end_user.erased',
    organizationId,
    projectId,
    after: { erasure: id, userDigest: digest },
  };
  await ctx.db.writer.write(finishOp.name, {
    id,
    project,
    userId,
    name: `erased-${randomBytes(6).toString('hex')}`,
    refusedLines: lines,
    at: ctx.now(),
    draft: draftEntry(ctx, actor, note),
  });
}

async function walk({ ctx, signal }: Task, { id, project, userId, ...from }: OpenErasure): Promise<void> {
  let max = FIRST_EVENTS;
  for (let chunk: number | null = from.chunk; chunk !== null; ) {
    signal.throwIfAborted();
    const since = performance.now();
    const reply: WalkReply = await ctx.db.writer.write<WalkReply>(sliceOp.name, {
      id,
      project,
      userId,
      chunk,
      max,
    });
    chunk = reply.next;
    if (reply.ms > LONG_MS) max = Math.max(1, Math.floor(max / 2));
    else if (reply.ms < SHORT_MS) max = Math.min(MAX_EVENTS, max * 2);
    await Bun.sleep(Math.min(MAX_PAUSE_MS, Math.ceil(performance.now() - since)));
  }
}
