import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { users } from '../../core/orgs/table.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Dashboard } from './contract.ts';
import { dashboards } from './table.ts';

/** Who looks at dashboards: a person sees shared ones and their own; null, as the operator, all. */
export type Viewer = { readonly projectId: string; readonly userId: string | null };

/** The dashboards that somebody sees, by name. */
export async function listDashboards(ctx: Ctx, viewer: Viewer, id?: string): Promise<Dashboard[]> {
  const rows = await ctx.db.sql
    .select({ dashboard: dashboards, author: users.name })
    .from(dashboards)
    .leftJoin(users, eq(users.id, dashboards.createdBy))
    .where(and(isSeen(viewer), id === undefined ? undefined : eq(dashboards.id, id)))
    .orderBy(sql`${dashboards.name} COLLATE NOCASE`, dashboards.id);
  return rows.map(({ dashboard, author }) => ({
    id: dashboard.id,
    name: dashboard.name,
    shared: dashboard.privateTo === '',
    createdBy: dashboard.createdBy,
    author,
    updatedAt: formatInstant(dashboard.updatedAt.getTime()),
    revision: dashboard.revision,
    tiles: dashboard.tiles,
  }));
}

/** One that somebody sees. Throws AppError 404. */
export async function findDashboard(ctx: Ctx, viewer: Viewer, id: string): Promise<Dashboard> {
  const [found] = await listDashboards(ctx, viewer, id);
  if (found === undefined) throw notFound(`There is no dashboard ${id}`);
  return found;
}

/** A condition: the dashboard is of the project, and somebody sees it. */
export const isSeen = ({ projectId, userId }: Viewer): SQL | undefined =>
  and(
    eq(dashboards.projectId, projectId),
    userId === null ? undefined : inArray(dashboards.privateTo, ['', userId]),
  );
