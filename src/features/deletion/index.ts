import { sliceOp } from '../../core/jobs/index.ts';
import type { Module } from '../../module.ts';
import { purgeDeleted } from './jobs.ts';
import { removeOp } from './remove-op.ts';
import { projectSlices } from './tables.ts';

/**
 * What is left to do when a project was deleted. The month's count of events is the organization's and
 * stays; numbers of projects are never used again, so nothing that the writer remembers can be mistaken.
 */
export const deletionModule: Module = {
  name: 'deletion',
  writes: [...projectSlices.map(sliceOp), removeOp],
  jobs: [purgeDeleted],
};
