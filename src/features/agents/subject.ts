import { defineSubject } from '../../core/audit/index.ts';
import { registryEntries } from './table.ts';

/** What the audit log shows of an agent or tool. */
export const registryEntrySubject = defineSubject('registry_entry', registryEntries, [
  'kind',
  'name',
  'owner',
  'url',
  'hidden',
  'mergedInto',
]);
