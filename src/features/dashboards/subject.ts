import { defineSubject } from '../../core/audit/index.ts';
import { dashboards } from './table.ts';

/** What the audit log shows of a dashboard. Not its tiles: a filter may name an end user, and the log forgets nobody. */
export const dashboardSubject = defineSubject('dashboard', dashboards, [
  'name',
  'privateTo',
  'createdBy',
  'revision',
]);
