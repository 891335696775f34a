import { asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';

type RetainedProject = {
  readonly no: number;
  readonly retentionDays: number | null;
  readonly organization: Pick<typeof organizations.$inferSelect, 'plan' | 'monthlyEvents' | 'retentionDays'>;
};

/** The projects that are not being deleted, with what decides how long their events are kept. */
export async function listRetainedProjects(ctx: Ctx): Promise<RetainedProject[]> {
  return ctx.db.sql
    .select({
      no: projects.no,
      retentionDays: projects.retentionDays,
      organization: {
        plan: organizations.plan,
        monthlyEvents: organizations.monthlyEvents,
        retentionDays: organizations.retentionDays,
      },
    })
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(isNull(projects.deletedAt))
    .orderBy(asc(projects.no));
}
