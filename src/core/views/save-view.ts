import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { AppError, conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { MAX_VIEWS, type SavedView, type ViewBody, type ViewChange, type ViewPage } from './contract.ts';
import { findView } from './queries.ts';
import { savedViewSubject } from './subject.ts';
import { savedViews } from './table.ts';

/** Who works on the views of a project. `all`: on those of others too. */
export type ViewEditor = {
  readonly scope: ProjectScope;
  readonly userId: string;
  readonly all: boolean;
  readonly actor: Actor;
};

/** Keeps a view. Throws AppError 409 for a name that is taken, and for one view too many. */
export async function createView(
  ctx: Ctx,
  by: ViewEditor,
  { name, search, isPrivate, page }: ViewBody & { readonly page: ViewPage },
): Promise<SavedView> {
  const { projectId, organizationId } = by.scope;
  const now = new Date(ctx.now());
  const id = newId('view', now.getTime());
  const count = sql`(SELECT count(*) FROM saved_views WHERE project_id = ${projectId})`;
  // Null, which no view can have as its id, when there are too many.
  const allowedId = sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_VIEWS})`;
  const insert = ctx.db.sql.insert(savedViews).values({
    id: allowedId,
    organizationId,
    projectId,
    name,
    page,
    owner: isPrivate ? by.userId : '',
    search,
    createdBy: by.userId,
    createdAt: now,
    updatedAt: now,
  });
  await commit(ctx, by, { action: 'saved_view.created', id, name, statement: insert });
  return findView(ctx, viewerOf(by), id);
}

/** Renames a view or has it keep something else. Throws AppError 403 for another's, 404, 409 for a taken name. */
export async function changeView(
  ctx: Ctx,
  by: ViewEditor,
  { id, change }: { id: string; change: ViewChange },
): Promise<SavedView> {
  const { name, search, isPrivate } = change;
  // Only who made a view can keep it for themselves: another's would vanish from who changes it.
  const owner = isPrivate === true ? sql`${savedViews.createdBy}` : '';
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(search === undefined ? {} : { search }),
    ...(isPrivate === undefined ? {} : { owner }),
  };
  const update = ctx.db.sql
    .update(savedViews)
    .set({ ...set, updatedAt: new Date(ctx.now()) })
    .where(isOwn(isPrivate === true ? { ...by, all: false } : by, id));
  const changed = await commit(ctx, by, { action: 'saved_view.updated', id, name, statement: update });
  const view = await findView(ctx, viewerOf(by), id);
  if (changed === 0) throw notYours(view);
  return view;
}

/** Throws AppError 403 for another's, 404. */
export async function deleteView(ctx: Ctx, by: ViewEditor, id: string): Promise<void> {
  const statement = ctx.db.sql.delete(savedViews).where(isOwn(by, id));
  const changed = await commit(ctx, by, { action: 'saved_view.deleted', id, statement });
  if (changed === 0) throw notYours(await findView(ctx, viewerOf(by), id));
}

const viewerOf = ({ scope, userId }: ViewEditor) => ({ projectId: scope.projectId, userId });

const isOwn = ({ scope, userId, all }: ViewEditor, id: string): SQL | undefined =>
  and(
    eq(savedViews.id, id),
    eq(savedViews.projectId, scope.projectId),
    inArray(savedViews.owner, ['', userId]),
    all ? undefined : eq(savedViews.createdBy, userId),
  );

const notYours = ({ author }: SavedView): AppError =>
  new AppError(403, `This view is of ${author ?? 'somebody who left'}; they or an admin may change it`);

type Change = {
  readonly action: string;
  readonly id: string;
  readonly name?: string | undefined;
  readonly statement: Parameters<typeof commitChange>[2]['statements'][number];
};

/** @returns how many views changed */
async function commit(ctx: Ctx, { scope, actor }: ViewEditor, change: Change): Promise<number> {
  const { organizationId, projectId } = scope;
  const subject = { of: savedViewSubject, id: change.id };
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements: [change.statement],
      audit: [{ action: change.action, organizationId, projectId, subject }],
    });
    return changed;
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.includes('saved_views.name'))
      throw conflict(`There is a view ${change.name} already`);
    if (broken?.columns.includes('saved_views.id'))
      throw conflict(`A project has at most ${MAX_VIEWS} views; delete one first`);
    throw error;
  }
}
