import { defineSubject } from '../audit/index.ts';
import { members, organizations, users } from './table.ts';

/** The fields of an organization in the audit log. */
export const organizationSubject = defineSubject('organization', organizations, [
  'name',
  'plan',
  'monthlyEvents',
  'monthlyBytes',
  'retentionDays',
  'requiresSecondFactor',
  'deletedAt',
]);

/** The fields of a membership in the audit log; identified by the ids of organization and person. */
export const memberSubject = defineSubject(
  'member',
  members,
  ['userId', 'role'],
  ['userId', 'organizationId'],
);

/** The fields of a person in the audit log. */
export const userSubject = defineSubject('user', users, [
  'name',
  'email',
  'emailVerified',
  'secondFactor',
  'timeZone',
]);
