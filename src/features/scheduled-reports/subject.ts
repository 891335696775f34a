import { defineSubject } from '../../core/audit/index.ts';
import { scheduledReports } from './table.ts';

/** What the audit log shows of a scheduled report. */
export const reportSubject = defineSubject('scheduled_report', scheduledReports, [
  'name',
  'projectId',
  'environment',
  'groupBy',
  'period',
  'day',
  'hour',
  'timeZone',
  'memberIds',
  'channelIds',
  'paused',
]);
