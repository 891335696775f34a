import { defineRoute } from '../../http/route.ts';
import { actorOf } from '../../module.ts';
import { deletedProject, projectBody, projectChange, projectReply, projectsReply } from './contract.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { changeProject, listProjectSettings, readProject } from './settings.ts';

const getProjects = defineRoute({
  method: 'GET',
  path: '/v1/organizations/:id/projects',
  auth: 'organization',
  summary: 'The projects of an organization',
  reply: projectsReply,
  handler: async (ctx, _input, { organizationId }) => ({
    projects: await listProjectSettings(ctx, organizationId),
  }),
});

const postProject = defineRoute({
  method: 'POST',
  path: '/v1/organizations/:id/projects',
  auth: 'organization',
  role: 'admin',
  summary: 'Make a project',
  body: projectBody,
  reply: projectReply,
  status: 201,
  handler: async (ctx, input, caller) => {
    const wish = { organization: caller.organizationId, name: input.body.name };
    const { id } = await createProject.run(ctx, wish, actorOf(caller, input));
    return readProject(ctx, id);
  },
});

const getProject = defineRoute({
  method: 'GET',
  path: '/v1/projects/:id',
  auth: 'project',
  summary: 'A project with its settings',
  reply: projectReply,
  handler: (ctx, _input, { scope }) => readProject(ctx, scope.projectId),
});

const putProject = defineRoute({
  method: 'PUT',
  path: '/v1/projects/:id',
  auth: 'project',
  role: 'admin',
  summary: 'Change name, environments or retention of a project',
  body: projectChange,
  reply: projectReply,
  handler: (ctx, input, caller) =>
    changeProject(ctx, actorOf(caller, input), { scope: caller.scope, change: input.body }),
});

const deleteProjectRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/projects/:id',
  auth: 'project',
  role: 'admin',
  summary: 'Delete a project: its keys at once, its events within 24 hours',
  reply: deletedProject,
  handler: (ctx, input, caller) =>
    deleteProject.run(ctx, { project: caller.scope.projectId }, actorOf(caller, input)),
});

export const projectRoutes = [getProjects, postProject, getProject, putProject, deleteProjectRoute];
