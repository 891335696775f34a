import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notAuthenticated } from '../../errors.ts';
import { members, organizations, users } from '../orgs/table.ts';
import { limitsOf } from '../plans/index.ts';
import { projects } from '../projects/table.ts';
import type { Me } from './contract.ts';

/** A person by id. Throws AppError 401 if they no longer exist. */
export async function findPerson(ctx: Ctx, userId: string): Promise<Me['user']> {
  const { id, email, name, emailVerified, secondFactor, timeZone } = users;
  const columns = { id, email, name, emailVerified, secondFactor, timeZone };
  const [row] = await ctx.db.sql.select(columns).from(users).where(eq(id, userId));
  if (row === undefined) throw notAuthenticated();
  return { ...row, operator: isOperator(ctx, row) };
}

/** An address that was not confirmed may be that of somebody else. */
const isOperator = (
  { config }: Ctx,
  { email, emailVerified }: { readonly email: string; readonly emailVerified: boolean },
): boolean => emailVerified && (config.OPERATORS ?? '').split(',').includes(email);

/** The organizations of a person with their projects, both sorted by name. */
export async function listMemberships(ctx: Ctx, userId: string): Promise<Me['memberships']> {
  const rows = await ctx.db.sql
    .select({
      organization: organizations,
      role: members.role,
      secondFactor: users.secondFactor,
      project: { id: projects.id, name: projects.name },
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .leftJoin(projects, and(eq(projects.organizationId, organizations.id), isNull(projects.deletedAt)))
    .where(eq(members.userId, userId))
    .orderBy(asc(organizations.name), asc(organizations.id), asc(projects.name), asc(projects.no));
  const byOrganization = Map.groupBy(rows, (row) => row.organization.id);
  return [...byOrganization.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organization, role } = first;
    const needsSecondFactor = organization.requiresSecondFactor && !first.secondFactor;
    return [
      {
        organizationId: organization.id,
        organizationName: organization.name,
        role,
        plan: organization.plan,
        ...limitsOf(organization),
        needsSecondFactor,
        projects: needsSecondFactor ? [] : group.flatMap((row) => row.project ?? []),
      },
    ];
  });
}
