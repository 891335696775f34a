import { defineSubject } from '../../core/audit/index.ts';
import { alerts, silences } from './table.ts';

/**
 * What the audit log shows of an alert. Not its filters: one may name an end user, and the log forgets nobody. `version`
 * tells that they changed.
 */
export const alertSubject = defineSubject('alert', alerts, [
  'name',
  'enabled',
  'channelIds',
  'opensIncident',
  'version',
]);

/** Not the group, which may be an end user. */
export const silenceSubject = defineSubject('silence', silences, ['alertId', 'until', 'reason']);
