import type { Ctx } from '../../context.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { type DeploymentsPage, type DeploymentsQuery, MAX_WITH_EFFECT } from './contract.ts';
import { readEffects } from './effect.ts';
import { findSkipped, listRows, toDeployment } from './queries.ts';

/**
 * A page of a project's deployments, newest first; with `effectHours` each has its figures before and after.
 * @throws AppError 400 for a cursor of another endpoint
 */
export async function listDeployments(
  ctx: Ctx,
  scope: ProjectScope,
  { effectHours: hours, limit, ...query }: DeploymentsQuery,
): Promise<DeploymentsPage> {
  const most = hours === undefined ? limit : Math.min(limit, MAX_WITH_EFFECT);
  const { rows, nextCursor } = await listRows(ctx, scope.projectId, { ...query, limit: most });
  const effects = hours === undefined ? [] : await readEffects(ctx, scope, { rows, hours });
  const skipped = await findSkipped(ctx, scope.projectId);
  const deployments = rows.map((row, i) => {
    const effect = effects[i];
    return { ...toDeployment(row), ...(effect !== undefined && { effect }) };
  });
  return { deployments, nextCursor, skipped };
}
