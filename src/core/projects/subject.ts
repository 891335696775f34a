import { defineSubject } from '../audit/index.ts';
import { projects } from './table.ts';

/** What the audit log shows of what a project tells its clients. */
export const sdkConfigSubject = defineSubject('sdk_config', projects, [
  'configVersion',
  'sampleRate',
  'redactKeys',
  'storePrompts',
  'flushIntervalMs',
  'maxBatchSize',
]);

/** What the audit log shows of a project. */
export const projectSubject = defineSubject('project', projects, [
  'name',
  'organizationId',
  'environments',
  'retentionDays',
  'deletedAt',
]);
