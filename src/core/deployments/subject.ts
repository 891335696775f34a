import { defineSubject } from '../audit/index.ts';
import { deployments } from './table.ts';

/** What the audit log shows of a deployment. */
export const deploymentSubject = defineSubject('deployment', deployments, [
  'release',
  'environment',
  'at',
  'source',
  'commit',
  'url',
  'title',
  'deletedAt',
]);
