import { defineSubject } from '../../core/audit/index.ts';
import { incidentSettings, incidents } from './table.ts';

/** What the audit log shows of an incident. Not its texts and dimensions: they may name an end user. */
export const incidentSubject = defineSubject('incident', incidents, [
  'number',
  'severity',
  'status',
  'assigneeId',
  'mergedInto',
]);

export const incidentSettingsSubject = defineSubject(
  'incident_settings',
  incidentSettings,
  ['autoResolveMinutes'],
  ['projectId'],
);
