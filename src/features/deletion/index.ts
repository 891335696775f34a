import type { Module } from '../../module.ts';
import { purgeDeleted } from './jobs.ts';
import { purgeOrganizations } from './organizations.ts';
import { removeOrganization } from './routes.ts';

/**
 * What is left to do when a project or an organization was deleted. The month's count of events belongs to the
 * organization, so it outlives the project.
 */
export const deletionModule: Module = {
  name: 'deletion',
  routes: [removeOrganization],
  jobs: [purgeDeleted, purgeOrganizations],
};
