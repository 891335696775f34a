import { defineSubject } from '../audit/index.ts';
import { datasets } from './table.ts';

/** What the audit log shows of a dataset. Not its items: one may be what an end user said, and the log forgets nobody. */
export const datasetSubject = defineSubject('dataset', datasets, [
  'name',
  'description',
  'inputSchema',
  'expectedSchema',
  'version',
  'rows',
  'createdBy',
]);
