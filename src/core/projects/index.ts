import type { Module } from '../../module.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { projectRoutes } from './project-routes.ts';
import { getProjectSdkConfig, getSdkConfig, putProjectSdkConfig } from './routes.ts';

export const projectsModule: Module = {
  name: 'projects',
  routes: [...projectRoutes, getSdkConfig, getProjectSdkConfig, putProjectSdkConfig],
  actions: [createProject, deleteProject],
};

export { createProject } from './create-project.ts';
export { deleteProject } from './delete-project.ts';
export { projectsChanged } from './projects-changed.ts';
export { findProject, listProjects, readIngestSettings, toIngestSettings } from './queries.ts';
export { keptDays } from './settings.ts';
export { projectSubject } from './subject.ts';
