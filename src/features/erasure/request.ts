import { createHmac } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { draftEntry } from '../../core/audit/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { newId } from '../../db/new-id.ts';
import type { Actor } from '../../module.ts';
import type { Erasure } from './contract.ts';
import { requestOp } from './ops.ts';
import { listErasures } from './queries.ts';

/** Keyed digest of a user's id for the receipt: equal for the same user, and not reversible without the secret. */
const digestOf = (ctx: Ctx, projectId: string, userId: string): string =>
  createHmac('sha256', ctx.secret).update(`erasure\0${projectId}\0${userId}`).digest('hex');

/**
 * Requests the erasure of an end user of a project that the caller may see. The job runs it. While a request for the same
 * user waits, returns that one.
 */
export async function requestErasure(
  ctx: Ctx,
  actor: Actor,
  { scope, userId }: { scope: ProjectScope; userId: string },
): Promise<Erasure> {
  const { organizationId, projectId } = scope;
  const now = ctx.now();
  const id = newId('era', now);
  const userDigest = digestOf(ctx, projectId, userId);
  const note = {
    action: 'end_user.erasure_requested',
    organizationId,
    projectId,
    after: { erasure: id, userDigest },
  };
  const draft = draftEntry(ctx, actor, note);
  const request = { id, organizationId, projectId, userId, userDigest, at: now, draft };
  const waiting = await ctx.db.writer.write(requestOp, request);
  const [erasure] = await listErasures(ctx, scope, waiting);
  if (erasure === undefined) throw new Error(`erasure ${waiting} is gone`);
  return erasure;
}
