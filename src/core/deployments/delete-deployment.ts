import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { findDeployment } from './queries.ts';
import { deploymentSubject } from './subject.ts';
import { deployments } from './table.ts';

/** Deletes a deployment, of any project where none is given. Throws AppError 404. */
export async function deleteDeployment(
  ctx: Ctx,
  actor: Actor,
  { id, projectId: given }: { readonly id: string; readonly projectId?: string },
): Promise<void> {
  const { organizationId, projectId } = await findDeployment(ctx, id, given);
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(deployments)
        .set({ deletedAt: new Date(ctx.now()) })
        .where(and(eq(deployments.id, id), isNull(deployments.deletedAt))),
    ],
    audit: [
      { action: 'deployment.deleted', organizationId, projectId, subject: { of: deploymentSubject, id } },
    ],
  });
}
