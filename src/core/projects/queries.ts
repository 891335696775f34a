import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import { findOrganization, pickOne } from '../orgs/index.ts';
import { organizations } from '../orgs/table.ts';
import type { ProjectRow } from './contract.ts';
import { projects } from './table.ts';

const columns = {
  id: projects.id,
  no: projects.no,
  name: projects.name,
  organizationId: projects.organizationId,
  organizationName: organizations.name,
  createdAt: projects.createdAt,
};

/** Projects that are not deleted, of one organization (id or unambiguous name) or of all, oldest first. */
export async function listProjects(ctx: Ctx, organization?: string): Promise<ProjectRow[]> {
  const owner = organization === undefined ? undefined : (await findOrganization(ctx, organization)).id;
  const rows = await ctx.db.sql
    .select(columns)
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(
      and(isNull(projects.deletedAt), owner === undefined ? undefined : eq(projects.organizationId, owner)),
    )
    .orderBy(asc(projects.no));
  return rows.map((row) => ({ ...row, createdAt: formatInstant(row.createdAt.getTime()) }));
}

/** The project that an id or an unambiguous name means. Throws AppError 404 or 409. */
export async function findProject(ctx: Ctx, given: string): Promise<ProjectRow> {
  const rows = await ctx.db.sql
    .select(columns)
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(and(isNull(projects.deletedAt), or(eq(projects.id, given), eq(projects.name, given))));
  const row = pickOne('project', given, rows);
  return { ...row, createdAt: formatInstant(row.createdAt.getTime()) };
}
