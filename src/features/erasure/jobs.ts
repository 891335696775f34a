import { createHmac } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { draftEntry } from '../../core/audit/index.ts';
import { eventsOf } from '../../core/events/index.ts';
import { AppError } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { finishOp, progressEffect } from './ops.ts';
import { nextErasure, noteStarted, type OpenErasure } from './queries.ts';
import { changesOf, deleteRowsOfUser } from './tables.ts';

/** Resumes after an interruption, because each slice commits its progress in its own transaction. */
export const erasureJob: Job = {
  name: 'erasure.run',
  summary: 'Erase end users whose erasure was requested',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let done = 0;
    /** Each run tries them again. The damage itself is logged once. */
    const waiting = new Set<string>();
    for (;;) {
      const erasure = await nextErasure(ctx, waiting);
      if (erasure === null)
        return done === 0 ? {} : { done, ...(waiting.size > 0 ? { waiting: waiting.size } : {}) };
      try {
        await erase(ctx, erasure, signal);
        done++;
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'damaged')) throw error;
        waiting.add(erasure.id);
      }
    }
  },
};

async function erase(ctx: Ctx, erasure: OpenErasure, signal: AbortSignal): Promise<void> {
  const { id, scope, userId, digest, chunk: cursor } = erasure;
  const name = newNameOf(ctx, id);
  await noteStarted(ctx, id);
  const { projectId, organizationId } = scope;
  const effects = [{ effect: progressEffect.name, payload: { id } }];
  await eventsOf(ctx).eraseUser(scope, { userId, name }, { cursor, signal, effects });
  const user = { scope, userId, name };
  const { refusedLines = 0, ...others } = await deleteRowsOfUser(ctx, user, signal);
  const actor = { kind: 'system', name: erasureJob.name } as const;
  const note = {
    action: 'end_user.erased',
    organizationId,
    projectId,
    after: { erasure: id, userDigest: digest },
  };
  await ctx.db.writer.write(finishOp, {
    id,
    changes: changesOf(ctx, user),
    refusedLines,
    others: Object.fromEntries(Object.entries(others).filter(([, rows]) => rows > 0)),
    at: ctx.now(),
    draft: draftEntry(ctx, actor, note),
  });
}

/** A pseudonym that is stable when an erasure resumes and cannot be derived from its id. */
const newNameOf = (ctx: Ctx, id: string): string =>
  `erased-${createHmac('sha256', ctx.secret).update(`erased name\0${id}`).digest('hex').slice(0, 12)}`;
