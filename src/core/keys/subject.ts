import { defineSubject } from '../audit/index.ts';
import { apiKeys } from './table.ts';

/** What the audit log shows of an API key: by its public prefix it can be recognised. */
export const keySubject = defineSubject('api_key', apiKeys, [
  'name',
  'prefix',
  'validUntil',
  'revokedAt',
  'rotatedTo',
]);
