import { z } from 'zod';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { defineEndpoint, organizationParams, ROLES } from '../tenancy/contract.ts';

/** A name that a person gives to something: trimmed, 1 to 200 characters. */
export const displayName = lineOfText(200);
/** An e-mail address in lower case, as it is kept. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** An id or an unambiguous name. */
export const idOrName = z.string().trim().min(1).max(200);

/** Roles that can be given to somebody who is not a member yet: owners are made from members. */
export const INVITED_ROLES = ['admin', 'member', 'viewer'] as const;

export const organizationBody = z.strictObject({ name: displayName.describe('Name, 1 to 200 characters.') });
export const roleBody = z.strictObject({
  role: z.enum(ROLES).describe('Role: `owner`, `admin`, `member` or `viewer`, most rights first.'),
});
export const secondFactorBody = z.strictObject({
  required: z.boolean().describe('Whether members need a second factor.'),
});
export const transferBody = z.strictObject({
  userId: z.string().min(1).max(100).describe('Id of the person.'),
});

/** An organization as its members see it. */
export const organizationReply = z
  .object({
    id: z.string().describe('Id of the organization.'),
    name: z.string().describe('Name, 1 to 200 characters.'),
    plan: z.enum(['free', 'pro', 'scale']).describe('Plan of the organization.'),
    monthlyEvents: z.int().describe('Events that the organization may record in a month.'),
    monthlyBytes: z.int().describe('Bytes of events that the organization may store in a month.'),
    retentionDays: z.int().describe('Days for which events are kept.'),
    requiresSecondFactor: z
      .boolean()
      .describe('Whether members without a second factor are kept out of the organization.'),
    auditCsv: z.boolean().describe('Whether the plan includes the export of the audit log.'),
    createdAt: z.iso.datetime().describe('Creation time, ISO 8601 UTC.'),
    role: z.enum(ROLES).describe('Role: `owner`, `admin`, `member` or `viewer`, most rights first.'),
  })
  .meta({ id: 'Organization' });
export type OrganizationReply = z.infer<typeof organizationReply>;
export const organizationsReply = z.object({
  organizations: z.array(organizationReply).describe('Organizations of the person, by name.'),
});

export const memberRow = z
  .object({
    userId: z.string().describe('Id of the person.'),
    email: z.string().describe('Email address, in lower case.'),
    name: z.string().describe('Name, 1 to 200 characters.'),
    role: z.enum(ROLES).describe('Role: `owner`, `admin`, `member` or `viewer`, most rights first.'),
    joinedAt: z.iso.datetime().describe('When they joined, ISO 8601 UTC.'),
    secondFactor: z
      .boolean()
      .nullable()
      .describe('Whether they have an authenticator app or a passkey; null for callers below admin.'),
  })
  .meta({ id: 'Member' });
export type MemberRow = z.infer<typeof memberRow>;
export const membersReply = z.object({
  members: z.array(memberRow).describe('Members, those with most rights first.'),
});

/** An organization as lists show it; times are ISO 8601 UTC. */
export type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly plan: 'free' | 'pro' | 'scale';
  /** Events a month in force, the plan's or the operator's. */
  readonly monthlyEvents: number;
  /** Bytes of events a month in force. */
  readonly monthlyBytes: number;
  /** Days of retention in force. */
  readonly retentionDays: number;
  readonly createdAt: string;
};

const memberParams = organizationParams.extend({
  userId: z.string().max(100).describe('Id of the member.'),
});

export const getOrganizationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations',
  auth: 'session',
  summary: 'List your organizations',
  reply: organizationsReply,
});

export const postOrganizationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations',
  auth: 'session',
  summary: 'Create an organization and become its owner',
  body: organizationBody,
  example: { name: 'Acme Research' },
  reply: organizationReply,
  status: 201,
});

export const getOrganizationEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id',
  auth: 'organization',
  summary: 'Get an organization with its plan and limits',
  params: organizationParams,
  reply: organizationReply,
});

export const putOrganizationEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Rename an organization',
  params: organizationParams,
  body: organizationBody,
  example: { name: 'Acme' },
  status: 204,
});

export const putSecondFactorEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id/second-factor',
  auth: 'organization',
  role: 'admin',
  summary: 'Require a second factor of all members, or stop requiring it',
  description:
    'It applies at once: members without an authenticator app or a passkey can sign in, but every route of the organization replies 403 with `code: "second_factor_missing"` until they add one. API keys are not affected. Whoever requires it must have a second factor.',
  params: organizationParams,
  body: secondFactorBody,
  example: { required: true },
  status: 204,
});

export const postLeaveEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/leave',
  auth: 'organization',
  summary: 'Leave an organization; its last owner cannot',
  params: organizationParams,
  status: 204,
});

export const postTransferEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/transfer',
  auth: 'organization',
  role: 'owner',
  recent: true,
  summary: 'Make another member the owner; you become an admin',
  params: organizationParams,
  body: transferBody,
  example: { userId: 'usr_01hzx3v5k8' },
  status: 204,
});

export const getMembersEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/members',
  auth: 'organization',
  scopes: [],
  summary: 'List the members of an organization',
  params: organizationParams,
  reply: membersReply,
});

export const putMemberEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id/members/:userId',
  auth: 'organization',
  role: 'admin',
  recent: true,
  summary: "Change a member's role; owners are made and changed by owners",
  params: memberParams,
  body: roleBody,
  example: { role: 'admin' },
  status: 204,
});

export const deleteMemberEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/:id/members/:userId',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a member; owners are removed by owners',
  params: memberParams,
  status: 204,
});
