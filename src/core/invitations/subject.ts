import { defineSubject } from '../audit/index.ts';
import { invitations } from './table.ts';

/** What the audit log shows of an invitation. */
export const invitationSubject = defineSubject('invitation', invitations, [
  'email',
  'role',
  'expiresAt',
  'acceptedAt',
  'revokedAt',
]);
