import { z } from 'zod';
import { type Callers, defineRoute, hasRole } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { savedViewSchema, viewBodySchema, viewChangeSchema, viewsReplySchema } from './contract.ts';
import { listViews } from './queries.ts';
import { changeView, createView, deleteView, type ViewEditor } from './save-view.ts';

const ofProject = z.object({ projectId: z.string() });
const one = z.object({ id: z.string().max(100) });

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

const getViews = defineRoute({
  method: 'GET',
  path: '/v1/events/views',
  auth: 'project',
  summary: 'The saved views of the events page, by name',
  query: ofProject,
  reply: viewsReplySchema,
  handler: async (ctx, _input, { scope }) => ({ views: await listViews(ctx, scope.projectId) }),
});

const postView = defineRoute({
  method: 'POST',
  path: '/v1/events/views',
  auth: 'project',
  role: 'member',
  summary: 'Save filters and columns of the events page under a name, for everybody in the project',
  query: ofProject,
  body: viewBodySchema,
  reply: savedViewSchema,
  status: 201,
  handler: (ctx, input, caller) => createView(ctx, editorOf(caller, input), input.body),
});

const putView = defineRoute({
  method: 'PUT',
  path: '/v1/events/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Rename a saved view or have it keep other filters; an own one, an admin any',
  query: ofProject,
  params: one,
  body: viewChangeSchema,
  reply: savedViewSchema,
  handler: (ctx, input, caller) =>
    changeView(ctx, editorOf(caller, input), { id: input.params.id, change: input.body }),
});

const deleteViewRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/events/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a saved view; an own one, an admin any',
  query: ofProject,
  params: one,
  status: 204,
  handler: async (ctx, input, caller) => {
    await deleteView(ctx, editorOf(caller, input), input.params.id);
    return null;
  },
});

export const viewRoutes = [getViews, postView, putView, deleteViewRoute];
