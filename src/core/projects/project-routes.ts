import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  changeProjectEndpoint,
  createProjectEndpoint,
  deleteProjectEndpoint,
  getProjectEndpoint,
  listProjectsEndpoint,
  readableProjectsEndpoint,
} from './contract.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { listReadableProjects } from './readable.ts';
import { changeProject, listProjectSettings, readProject } from './settings.ts';

export const projectRoutes = [
  route(readableProjectsEndpoint, async (ctx, _input, { userId, reach }) => ({
    projects: await listReadableProjects(ctx, { userId, reach }),
  })),

  route(listProjectsEndpoint, async (ctx, _input, { organizationId }) => ({
    projects: await listProjectSettings(ctx, organizationId),
  })),

  route(createProjectEndpoint, async (ctx, input, caller) => {
    const wish = { organization: caller.organizationId, name: input.body.name };
    const { id } = await createProject.run(ctx, wish, actorOf(caller, input));
    return readProject(ctx, id);
  }),

  route(getProjectEndpoint, (ctx, _input, { scope }) => readProject(ctx, scope.projectId)),

  route(changeProjectEndpoint, (ctx, input, caller) =>
    changeProject(ctx, actorOf(caller, input), { scope: caller.scope, change: input.body }),
  ),

  route(deleteProjectEndpoint, (ctx, input, caller) =>
    deleteProject.run(ctx, { project: caller.scope.projectId }, actorOf(caller, input)),
  ),
];
