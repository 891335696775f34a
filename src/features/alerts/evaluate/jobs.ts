import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { projects } from '../../../core/projects/table.ts';
import { operatorScope, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { Job } from '../../../module.ts';
import { alerts } from '../table.ts';
import { evaluatorOf } from './evaluator-service.ts';
import { noteFailure } from './note-failure.ts';

/** Judges the alerts of every project, one project after the other. */
export const evaluateAlerts: Job = {
  name: 'alerts.evaluate',
  summary: 'Judge alerts and notify of changes',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const scopes = await listWatched(ctx);
    const evaluator = evaluatorOf(ctx);
    evaluator.keep(new Set(scopes.map(({ projectId }) => projectId)));
    let changed = 0;
    let failed = 0;
    for (const scope of scopes) {
      signal.throwIfAborted();
      try {
        changed += await evaluator.evaluate(scope, signal);
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        await noteFailure(ctx, scope, error);
      }
    }
    return { ...(changed === 0 ? {} : { changed }), ...(failed === 0 ? {} : { failed }) };
  },
};

/** Projects with an alert that is enabled. */
async function listWatched(ctx: Ctx): Promise<ProjectScope[]> {
  const rows = await ctx.db.sql
    .selectDistinct({ id: projects.id, no: projects.no, organizationId: projects.organizationId })
    .from(alerts)
    .innerJoin(projects, eq(projects.id, alerts.projectId))
    .where(and(eq(alerts.enabled, true), isNull(projects.deletedAt)));
  return rows.map(operatorScope);
}
