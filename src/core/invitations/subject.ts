import { defineSubject } from '../audit/index.ts';
import { invitations } from './table.ts';

/** The fields of an invitation in the audit log. */
export const invitationSubject = defineSubject('invitation', invitations, [
  'email',
  'role',
  'expiresAt',
  'acceptedAt',
  'revokedAt',
]);
