import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import { members, organizations, users } from '../orgs/table.ts';
import type { Callers } from '../tenancy/index.ts';
import type { ReadableProject } from './contract.ts';
import { projects } from './table.ts';

/** The projects of a person's organizations that they are not kept out of; with a token, those it reaches. */
export async function listReadableProjects(
  ctx: Ctx,
  { userId, reach }: Pick<Callers['reader'], 'userId' | 'reach'>,
): Promise<ReadableProject[]> {
  const rows = await ctx.db.sql
    .select({
      id: projects.id,
      name: projects.name,
      organizationId: organizations.id,
      organizationName: organizations.name,
      role: members.role,
      createdAt: projects.createdAt,
    })
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .innerJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId)))
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        isNull(projects.deletedAt),
        isNull(organizations.deletedAt),
        sql`(NOT ${organizations.requiresSecondFactor} OR ${users.secondFactor})`,
        reach === null ? undefined : eq(projects.organizationId, reach.organizationId),
        reach === null || reach.projectId === null ? undefined : eq(projects.id, reach.projectId),
      ),
    )
    .orderBy(asc(projects.no));
  return rows.map((row) => ({ ...row, createdAt: formatInstant(row.createdAt.getTime()) }));
}
