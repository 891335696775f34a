import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { projects } from '../../core/projects/table.ts';
import { type OrganizationScope, ofProject, projectWithin } from '../../core/tenancy/index.ts';
import { monthKey, startOfMonth } from '../../lib/time.ts';
import type { ProjectUsage } from './contract.ts';

const MOST_PROJECTS = 200;
/** Projects read at a time; other organizations read meanwhile. */
const AT_ONCE = 4;

/** What each project of an organization has used this month so far, highest cost first. */
export async function readProjectUsage(
  ctx: Ctx,
  organization: OrganizationScope,
): Promise<{ month: string; projects: ProjectUsage[] }> {
  const now = ctx.now();
  const rows = await ctx.db.sql
    .select({ projectId: projects.id, no: projects.no, name: projects.name })
    .from(projects)
    .where(and(eq(projects.organizationId, organization.organizationId), isNull(projects.deletedAt)))
    .orderBy(asc(projects.no))
    .limit(MOST_PROJECTS);
  const window = { from: startOfMonth(now), to: now + 1 };
  const found: ProjectUsage[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE)
    found.push(
      ...(await Promise.all(
        rows.slice(at, at + AT_ONCE).map(async ({ projectId, no, name }) => {
          const scope = ofProject(projectWithin(organization, { projectId, no }));
          const { month } = await eventsOf(ctx).metrics(scope, {
            month: { measures: ['requests', 'errors', 'cost', 'unpriced'], filters: {}, window },
          });
          const { requests = 0, errors = 0, cost = 0, unpriced = 0 } = month[0] ?? {};
          return { projectId, name, calls: requests, errors, cost, unpriced };
        }),
      )),
    );
  return { month: monthKey(now), projects: found.sort((a, b) => b.cost - a.cost || b.calls - a.calls) };
}
