import { defineSubject } from '../audit/index.ts';
import { accessTokens } from './table.ts';

/** The fields of an access token in the audit log; its public prefix identifies it. */
export const tokenSubject = defineSubject('access_token', accessTokens, [
  'name',
  'prefix',
  'scopes',
  'projectId',
  'createdBy',
  'expiresAt',
  'revokedAt',
]);
