import { actorOf } from '../../module.ts';
import { type Callers, hasRole, route } from '../tenancy/index.ts';
import {
  deleteViewEndpoint,
  getViewsEndpoint,
  postViewEndpoint,
  putDefaultViewEndpoint,
  putViewEndpoint,
} from './contract.ts';
import { listViews } from './queries.ts';
import { changeView, createView, deleteView, type ViewEditor } from './save-view.ts';
import { setDefaultView } from './set-default.ts';

/** Whoever made a view may change it, and so may an admin. */
const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): ViewEditor => ({
  scope: caller.scope,
  userId: caller.userId,
  all: hasRole(caller.role, 'admin'),
  actor: actorOf(caller, input),
});

const getViews = route(getViewsEndpoint, async (ctx, { query }, { scope, userId }) => ({
  views: await listViews(ctx, { projectId: scope.projectId, userId }, { page: query.page }),
}));

const postView = route(postViewEndpoint, (ctx, input, caller) =>
  createView(ctx, editorOf(caller, input), { ...input.body, page: input.query.page }),
);

const putView = route(putViewEndpoint, (ctx, input, caller) =>
  changeView(ctx, editorOf(caller, input), { id: input.params.id, change: input.body }),
);

const deleteViewRoute = route(deleteViewEndpoint, async (ctx, input, caller) => {
  await deleteView(ctx, editorOf(caller, input), input.params.id);
  return null;
});

const putDefaultView = route(putDefaultViewEndpoint, (ctx, input, caller) =>
  setDefaultView(ctx, editorOf(caller, input), {
    id: input.params.id,
    isDefault: input.body.isDefault,
  }),
);

export const viewRoutes = [getViews, postView, putView, putDefaultView, deleteViewRoute];
