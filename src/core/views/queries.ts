import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import type { SavedView, ViewPage } from './contract.ts';
import { defaultViews, savedViews } from './table.ts';

type Viewer = { readonly projectId: string; readonly userId: string };

/** A project's views that somebody sees, by name: of a page, or one of them. */
export async function listViews(
  ctx: Ctx,
  { projectId, userId }: Viewer,
  { id, page }: { readonly id?: string; readonly page?: ViewPage | undefined } = {},
): Promise<SavedView[]> {
  const rows = await ctx.db.sql
    .select({ view: savedViews, author: users.name, own: defaultViews.viewId })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.createdBy))
    .leftJoin(defaultViews, and(eq(defaultViews.viewId, savedViews.id), eq(defaultViews.userId, userId)))
    .where(
      and(
        eq(savedViews.projectId, projectId),
        inArray(savedViews.owner, ['', userId]),
        id === undefined ? undefined : eq(savedViews.id, id),
        page === undefined ? undefined : eq(savedViews.page, page),
      ),
    )
    .orderBy(sql`${savedViews.name} COLLATE NOCASE`, savedViews.id);
  return rows.map(({ view, author, own }) => ({
    id: view.id,
    page: view.page,
    isPrivate: view.owner !== '',
    isDefault: own !== null,
    name: view.name,
    search: view.search as SavedView['search'],
    createdBy: view.createdBy,
    author,
    updatedAt: formatInstant(view.updatedAt.getTime()),
  }));
}

/** One that somebody sees. Throws AppError 404. */
export async function findView(ctx: Ctx, viewer: Viewer, id: string): Promise<SavedView> {
  const [view] = await listViews(ctx, viewer, { id });
  if (view === undefined) throw notFound(`There is no view ${id}`);
  return view;
}
