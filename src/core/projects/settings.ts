import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notAMember } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { organizations } from '../orgs/table.ts';
import { limitsOf } from '../plans/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ProjectChange, ProjectReply } from './contract.ts';
import { projectsChanged } from './projects-changed.ts';
import { projectSubject } from './subject.ts';
import { projects } from './table.ts';

/** Days that raw events of a project are kept: its own wish, never more than its organization may have. */
export const keptDays = (
  project: { readonly retentionDays: number | null },
  organization: Parameters<typeof limitsOf>[0],
): number => {
  const most = limitsOf(organization).retentionDays;
  return Math.min(project.retentionDays ?? most, most);
};

/** The projects of an organization, the oldest first. */
export const listProjectSettings = (ctx: Ctx, organizationId: string): Promise<ProjectReply[]> =>
  read(ctx, eq(projects.organizationId, organizationId));

/** A project with its settings. Throws AppError 403 when it was deleted meanwhile. */
export async function readProject(ctx: Ctx, projectId: string): Promise<ProjectReply> {
  const [project] = await read(ctx, eq(projects.id, projectId));
  if (project === undefined) throw notAMember();
  return project;
}

async function read(ctx: Ctx, which: SQL): Promise<ProjectReply[]> {
  const rows = await ctx.db.sql
    .select({ project: projects, organization: organizations })
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(and(which, isNull(projects.deletedAt)))
    .orderBy(asc(projects.no));
  return rows.map(({ project, organization }) => ({
    id: project.id,
    name: project.name,
    organizationId: project.organizationId,
    environments: project.environments,
    retentionDays: project.retentionDays,
    keptDays: keptDays(project, organization),
    createdAt: formatInstant(project.createdAt.getTime()),
  }));
}

/**
 * Changes the name, the environments or the retention of a project.
 * @throws AppError 400 for more days than the plan allows, 403 when the project was deleted meanwhile
 */
export async function changeProject(
  ctx: Ctx,
  actor: Actor,
  { scope, change }: { scope: ProjectScope; change: ProjectChange },
): Promise<ProjectReply> {
  const { projectId: id, organizationId } = scope;
  const { name, environments, retentionDays } = change;
  if (retentionDays != null) await requireWithinPlan(ctx, organizationId, retentionDays);
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(environments === undefined ? {} : { environments: [...new Set(environments)] }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
  };
  if (Object.keys(set).length > 0) {
    await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql
          .update(projects)
          .set(set)
          .where(and(eq(projects.id, id), isNull(projects.deletedAt))),
      ],
      audit: [
        { action: 'project.updated', organizationId, projectId: id, subject: { of: projectSubject, id } },
      ],
    });
    ctx.emit(projectsChanged);
  }
  return readProject(ctx, id);
}

async function requireWithinPlan(ctx: Ctx, organizationId: string, days: number): Promise<void> {
  const [organization] = await ctx.db.sql
    .select()
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (organization === undefined) throw notAMember();
  const most = limitsOf(organization).retentionDays;
  if (days > most) throw badRequest(`retentionDays: at most ${most} on the plan ${organization.plan}`);
}
