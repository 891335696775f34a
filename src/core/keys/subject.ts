import { defineSubject } from '../audit/index.ts';
import { apiKeys } from './table.ts';

/** The fields of an API key in the audit log; its public prefix identifies it. */
export const keySubject = defineSubject('api_key', apiKeys, [
  'name',
  'prefix',
  'validUntil',
  'revokedAt',
  'rotatedTo',
]);
