import { actorOf } from '../../module.ts';
import { type Callers, hasRole, route } from '../tenancy/index.ts';
import {
  deleteBookmarkEndpoint,
  deleteCommentEndpoint,
  listBookmarksEndpoint,
  listCommentsEndpoint,
  postBookmarkEndpoint,
  postCommentEndpoint,
  putCommentEndpoint,
} from './contract.ts';
import { listBookmarks, listComments } from './queries.ts';
import {
  changeComment,
  createBookmark,
  createComment,
  deleteBookmark,
  deleteComment,
  type Writer,
} from './write.ts';

const writerOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): Writer => ({
  scope: caller.scope,
  userId: caller.userId,
  all: hasRole(caller.role, 'admin'),
  actor: actorOf(caller, input),
});

export const commentRoutes = [
  route(listCommentsEndpoint, async (ctx, { query }, { scope }) => ({
    comments: await listComments(ctx, scope.projectId, query),
  })),
  route(postCommentEndpoint, (ctx, input, caller) => createComment(ctx, writerOf(caller, input), input.body)),
  route(putCommentEndpoint, (ctx, input, caller) =>
    changeComment(ctx, writerOf(caller, input), { id: input.params.id, text: input.body.text }),
  ),
  route(deleteCommentEndpoint, async (ctx, input, caller) => {
    await deleteComment(ctx, writerOf(caller, input), input.params.id);
    return null;
  }),
  route(listBookmarksEndpoint, async (ctx, _input, { scope }) => ({
    bookmarks: await listBookmarks(ctx, scope.projectId),
  })),
  route(postBookmarkEndpoint, (ctx, input, caller) =>
    createBookmark(ctx, writerOf(caller, input), input.body),
  ),
  route(deleteBookmarkEndpoint, async (ctx, input, caller) => {
    await deleteBookmark(ctx, writerOf(caller, input), input.params.id);
    return null;
  }),
];
