import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { AppError, conflict, notFound } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { aboutOf } from './about.ts';
import { type Bookmark, type Comment, MAX_BOOKMARKS, MAX_COMMENTS, type Target } from './contract.ts';
import { findBookmark, findComment, listBookmarks } from './queries.ts';
import { bookmarkSubject, commentSubject } from './subject.ts';
import { bookmarks, comments } from './table.ts';

/** Who writes in a project. `all`: may delete the comments of others. */
export type Writer = {
  readonly scope: ProjectScope;
  readonly userId: string;
  readonly all: boolean;
  readonly actor: Actor;
};

/** Throws AppError 404 without such a trace or session, 409 for one comment too many. */
export async function createComment(
  ctx: Ctx,
  by: Writer,
  { text, ...target }: Target & { text: string },
): Promise<Comment> {
  const { projectId, organizationId } = by.scope;
  const { name: _, ...about } = await aboutOf(ctx, by.scope, target);
  const now = new Date(ctx.now());
  const id = newId('cmt', now.getTime());
  const count = sql`(SELECT count(*) FROM comments WHERE project_id = ${projectId} AND trace_id = ${about.traceId} AND session_id = ${about.sessionId})`;
  const statement = ctx.db.sql.insert(comments).values({
    // Null, which no comment can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_COMMENTS})`,
    organizationId,
    projectId,
    ...about,
    text,
    createdBy: by.userId,
    createdAt: now,
    updatedAt: now,
  });
  const subject = { of: commentSubject, id };
  await commit(
    ctx,
    by,
    { action: 'comment.created', subject, statement },
    `A trace or session has at most ${MAX_COMMENTS} comments`,
  );
  return findComment(ctx, projectId, id);
}

/** Throws AppError 403 for another's, 404. */
export async function changeComment(
  ctx: Ctx,
  by: Writer,
  { id, text }: { id: string; text: string },
): Promise<Comment> {
  const statement = ctx.db.sql
    .update(comments)
    .set({ text, updatedAt: new Date(ctx.now()) })
    .where(and(ofComment(by, id), eq(comments.createdBy, by.userId)));
  const changed = await commit(ctx, by, {
    action: 'comment.updated',
    subject: { of: commentSubject, id },
    statement,
  });
  const comment = await findComment(ctx, by.scope.projectId, id);
  if (changed === 0) throw notYours(comment, 'change');
  return comment;
}

/** Throws AppError 403 for another's, 404. */
export async function deleteComment(ctx: Ctx, by: Writer, id: string): Promise<void> {
  const own = by.all ? undefined : eq(comments.createdBy, by.userId);
  const statement = ctx.db.sql.delete(comments).where(and(ofComment(by, id), own));
  const changed = await commit(ctx, by, {
    action: 'comment.deleted',
    subject: { of: commentSubject, id },
    statement,
  });
  if (changed === 0) throw notYours(await findComment(ctx, by.scope.projectId, id), 'delete');
}

/** One that exists already stays, and is returned. Throws AppError 404, 409 for one bookmark too many. */
export async function createBookmark(ctx: Ctx, by: Writer, target: Target): Promise<Bookmark> {
  const { projectId, organizationId } = by.scope;
  const about = await aboutOf(ctx, by.scope, target);
  const now = new Date(ctx.now());
  const id = newId('bmk', now.getTime());
  const count = sql`(SELECT count(*) FROM bookmarks WHERE project_id = ${projectId})`;
  const existing = await findBookmark(ctx, projectId, target);
  if (existing !== undefined) return existing;
  const statement = ctx.db.sql
    .insert(bookmarks)
    .values({
      id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_BOOKMARKS})`,
      organizationId,
      projectId,
      ...about,
      createdBy: by.userId,
      createdAt: now,
    })
    .onConflictDoNothing({
      target: [bookmarks.projectId, bookmarks.traceId, bookmarks.spanId, bookmarks.sessionId],
    });
  const subject = { of: bookmarkSubject, id };
  await commit(
    ctx,
    by,
    { action: 'bookmark.created', subject, statement },
    `A project has at most ${MAX_BOOKMARKS} bookmarks; delete one first`,
  );
  const made = await findBookmark(ctx, projectId, target);
  if (made === undefined) throw conflict('The bookmark was deleted at the same time');
  return made;
}

/** Throws AppError 404. */
export async function deleteBookmark(ctx: Ctx, by: Writer, id: string): Promise<void> {
  const { projectId } = by.scope;
  const [found] = await listBookmarks(ctx, projectId, eq(bookmarks.id, id));
  if (found === undefined) throw notFound(`There is no bookmark ${id}`);
  const statement = ctx.db.sql
    .delete(bookmarks)
    .where(and(eq(bookmarks.id, id), eq(bookmarks.projectId, projectId)));
  await commit(ctx, by, { action: 'bookmark.deleted', subject: { of: bookmarkSubject, id }, statement });
}

const ofComment = ({ scope }: Writer, id: string): SQL | undefined =>
  and(eq(comments.id, id), eq(comments.projectId, scope.projectId));

const notYours = ({ author }: Comment, verb: string): AppError =>
  new AppError(403, `This comment is of ${author ?? 'somebody who left'}; only they may ${verb} it`);

type Change = {
  readonly action: string;
  readonly subject: Parameters<typeof commitChange>[2]['audit'][number]['subject'];
  readonly statement: Parameters<typeof commitChange>[2]['statements'][number];
};

/** @param tooMany the message if a limit refuses it. @returns how many rows changed */
async function commit(ctx: Ctx, { scope, actor }: Writer, change: Change, tooMany = ''): Promise<number> {
  const { organizationId, projectId } = scope;
  const { action, subject, statement } = change;
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements: [statement],
      audit: [{ action, organizationId, projectId, ...(subject === undefined ? {} : { subject }) }],
    });
    return changed;
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.some((column) => column.endsWith('.id')) === true) throw conflict(tooMany);
    throw error;
  }
}
