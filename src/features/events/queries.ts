import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { users } from '../../core/orgs/table.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { SavedView } from './contract.ts';
import { savedViews } from './table.ts';

/** A project's views by name, or one of them. */
export async function listViews(ctx: Ctx, projectId: string, id?: string): Promise<SavedView[]> {
  const rows = await ctx.db.sql
    .select({ view: savedViews, author: users.name })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.createdBy))
    .where(and(eq(savedViews.projectId, projectId), id === undefined ? undefined : eq(savedViews.id, id)))
    .orderBy(sql`${savedViews.name} COLLATE NOCASE`, savedViews.id);
  return rows.map(({ view, author }) => ({
    id: view.id,
    name: view.name,
    search: view.search as SavedView['search'],
    createdBy: view.createdBy,
    author,
    updatedAt: formatInstant(view.updatedAt.getTime()),
  }));
}

/** One of a project. Throws AppError 404. */
export async function findView(ctx: Ctx, projectId: string, id: string): Promise<SavedView> {
  const [view] = await listViews(ctx, projectId, id);
  if (view === undefined) throw notFound(`There is no view ${id}`);
  return view;
}
