import type { Module } from '../../module.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getSdkConfig } from './routes.ts';

export const projectsModule: Module = {
  name: 'projects',
  routes: [getSdkConfig],
  actions: [createProject, deleteProject],
};

export { createProject } from './create-project.ts';
export { deleteProject } from './delete-project.ts';
export { findProject, listProjects, readIngestSettings, toIngestSettings } from './queries.ts';
export { projectSubject } from './subject.ts';
