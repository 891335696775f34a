import type { Module } from '../../module.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { projectRoutes } from './project-routes.ts';
import { sdkConfigRoutes } from './routes.ts';

export const projectsModule: Module = {
  name: 'projects',
  tables: [
    { name: 'projects', scope: 'organization', by: 'organization_id', key: ['no'], purge: 'by module' },
  ],
  routes: [...projectRoutes, ...sdkConfigRoutes],
  actions: [createProject, deleteProject],
};

export { createProject } from './create-project.ts';
export { deleteProject } from './delete-project.ts';
export { type DeletedProject, listDeletedProjects, markProjectsDeleted, removeProject } from './deletion.ts';
export { projectsChanged } from './projects-changed.ts';
export {
  findProject,
  findProjectNumber,
  listProjects,
  readIngestSettings,
  toIngestSettings,
} from './queries.ts';
export { listRetainedProjects } from './retained.ts';
export { insertProject } from './rows.ts';
export { projectSubject } from './subject.ts';
