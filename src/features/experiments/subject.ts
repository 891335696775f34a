import { defineSubject } from '../../core/audit/index.ts';
import { experiments } from './table.ts';

/** What the audit log shows of an experiment. Not its results: one may be what an end user said. */
export const experimentSubject = defineSubject('experiment', experiments, [
  'name',
  'datasetId',
  'datasetVersion',
  'task',
  'repetitions',
  'maxCostNano',
  'status',
  'planned',
  'createdBy',
]);
