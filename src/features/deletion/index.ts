import { sliceOp } from '../../core/jobs/index.ts';
import type { Module } from '../../module.ts';
import { purgeDeleted } from './jobs.ts';
import { purgeOrganizations, removeOrganizationOp } from './organizations.ts';
import { removeOp } from './remove-op.ts';
import { removeOrganization } from './routes.ts';
import { projectSlices } from './tables.ts';

/**
 * What is left to do when a project or an organization was deleted. The month's count of events is the organization's and
 * stays; numbers of projects are never used again, so nothing that the writer remembers can be mistaken.
 */
export const deletionModule: Module = {
  name: 'deletion',
  routes: [removeOrganization],
  writes: [...projectSlices.map(sliceOp), removeOp, removeOrganizationOp],
  jobs: [purgeDeleted, purgeOrganizations],
};
