import { defineSubject } from '../audit/index.ts';
import { annotationQueues } from './table.ts';

/** What the audit log shows of a queue. Not its items, which may belong to an end user: the log forgets nobody. */
export const queueSubject = defineSubject('annotation_queue', annotationQueues, [
  'name',
  'scoreNames',
  'assignees',
  'annotators',
  'lastNo',
]);
