import { defineSubject } from '../audit/index.ts';
import { members, organizations, users } from './table.ts';

/** What the audit log shows of an organization. */
export const organizationSubject = defineSubject('organization', organizations, [
  'name',
  'plan',
  'monthlyEvents',
  'retentionDays',
  'deletedAt',
]);

/** What the audit log shows of a membership; told by the ids of person and organization. */
export const memberSubject = defineSubject(
  'member',
  members,
  ['userId', 'role'],
  ['userId', 'organizationId'],
);

/** What the audit log shows of a person. */
export const userSubject = defineSubject('user', users, ['name', 'email', 'emailVerified']);
