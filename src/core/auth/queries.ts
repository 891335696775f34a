import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { members, organizations } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import type { Me } from './contract.ts';

/** The organizations that a person belongs to, with their projects, both by name. */
export async function listMemberships(ctx: Ctx, userId: string): Promise<Me['memberships']> {
  const rows = await ctx.db.sql
    .select({
      organizationId: organizations.id,
      organizationName: organizations.name,
      role: members.role,
      project: { id: projects.id, name: projects.name },
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .leftJoin(projects, and(eq(projects.organizationId, organizations.id), isNull(projects.deletedAt)))
    .where(eq(members.userId, userId))
    .orderBy(asc(organizations.name), asc(organizations.id), asc(projects.name), asc(projects.no));
  const byOrganization = Map.groupBy(rows, (row) => row.organizationId);
  return [...byOrganization.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organizationId, organizationName, role } = first;
    return [{ organizationId, organizationName, role, projects: group.flatMap((row) => row.project ?? []) }];
  });
}
