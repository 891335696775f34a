import { asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { organizations } from '../orgs/table.ts';
import { operatorScope, type ProjectScope } from '../tenancy/index.ts';
import { keptDays } from './settings.ts';
import { projects } from './table.ts';

/** The projects that are not deleted, with the days for which their raw events are kept. */
export async function listRetainedProjects(ctx: Ctx): Promise<{ scope: ProjectScope; keptDays: number }[]> {
  const rows = await ctx.db.sql
    .select({ project: projects, organization: organizations })
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(isNull(projects.deletedAt))
    .orderBy(asc(projects.no));
  return rows.map(({ project, organization }) => ({
    scope: operatorScope(project),
    keptDays: keptDays(project, organization),
  }));
}
