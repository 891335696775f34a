import { and, asc, desc, eq, type SQL } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import { type Bookmark, type Comment, MAX_BOOKMARKS, MAX_COMMENTS, type Target } from './contract.ts';
import { bookmarks, comments } from './table.ts';

const orNull = (text: string): string | null => (text === '' ? null : text);

/** The comments on a trace and its spans, or on a session, oldest first. */
export function listComments(
  ctx: Ctx,
  projectId: string,
  { traceId = '', sessionId = '' }: Target,
): Promise<Comment[]> {
  return readComments(
    ctx,
    and(eq(comments.projectId, projectId), eq(comments.traceId, traceId), eq(comments.sessionId, sessionId)),
  );
}

/** One of a project. Throws AppError 404. */
export async function findComment(ctx: Ctx, projectId: string, id: string): Promise<Comment> {
  const [found] = await readComments(ctx, and(eq(comments.projectId, projectId), eq(comments.id, id)));
  if (found === undefined) throw notFound(`There is no comment ${id}`);
  return found;
}

async function readComments(ctx: Ctx, where: SQL | undefined): Promise<Comment[]> {
  const rows = await ctx.db.sql
    .select({ comment: comments, author: users.name })
    .from(comments)
    .leftJoin(users, eq(users.id, comments.createdBy))
    .where(where)
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(MAX_COMMENTS);
  return rows.map(({ comment, author }) => ({
    id: comment.id,
    traceId: orNull(comment.traceId),
    spanId: orNull(comment.spanId),
    sessionId: orNull(comment.sessionId),
    text: comment.text,
    createdBy: comment.createdBy,
    author,
    createdAt: formatInstant(comment.createdAt.getTime()),
    updatedAt: formatInstant(comment.updatedAt.getTime()),
  }));
}

/** The bookmarks of a project, newest first, or those that match. */
export async function listBookmarks(ctx: Ctx, projectId: string, where?: SQL): Promise<Bookmark[]> {
  const rows = await ctx.db.sql
    .select({ bookmark: bookmarks, author: users.name })
    .from(bookmarks)
    .leftJoin(users, eq(users.id, bookmarks.createdBy))
    .where(and(eq(bookmarks.projectId, projectId), where))
    .orderBy(desc(bookmarks.createdAt), desc(bookmarks.id))
    .limit(MAX_BOOKMARKS);
  return rows.map(({ bookmark, author }) => ({
    id: bookmark.id,
    traceId: orNull(bookmark.traceId),
    spanId: orNull(bookmark.spanId),
    sessionId: orNull(bookmark.sessionId),
    name: bookmark.name,
    createdBy: bookmark.createdBy,
    author,
    createdAt: formatInstant(bookmark.createdAt.getTime()),
  }));
}

/** The bookmark of a trace, a span or a session; undefined without one. */
export async function findBookmark(
  ctx: Ctx,
  projectId: string,
  given: Target,
): Promise<Bookmark | undefined> {
  const { traceId = '', spanId = '', sessionId = '' } = given;
  const isIt = and(
    eq(bookmarks.traceId, traceId),
    eq(bookmarks.spanId, spanId),
    eq(bookmarks.sessionId, sessionId),
  );
  const [found] = await listBookmarks(ctx, projectId, isIt);
  return found;
}
