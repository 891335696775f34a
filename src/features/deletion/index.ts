import type { Module } from '../../module.ts';
import { purgeDeleted } from './jobs.ts';
import { purgeOrganizations } from './organizations.ts';
import { removeOrganization } from './routes.ts';

/**
 * Purges deleted projects and organizations. Monthly usage belongs to the organization, so it outlives the project.
 */
export const deletionModule: Module = {
  name: 'deletion',
  routes: [removeOrganization],
  jobs: [purgeDeleted, purgeOrganizations],
};
