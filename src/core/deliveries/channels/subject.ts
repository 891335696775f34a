import { defineSubject } from '../../audit/index.ts';
import { channels } from '../table.ts';

/** What the audit log shows of a channel; its settings may contain secrets. */
export const channelSubject = defineSubject('channel', channels, [
  'name',
  'kind',
  'target',
  'enabled',
  'types',
  'disabledReason',
]);
