import { z } from 'zod';
import { defineEndpoint, organizationParams, ROLES } from '../tenancy/contract.ts';

/** A name that a person gives to something: trimmed, 1 to 200 characters. */
export const displayName = z.string().trim().min(1).max(200);
/** An e-mail address in lower case, as it is kept. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** An id or an unambiguous name. */
export const idOrName = z.string().trim().min(1).max(200);

/** Roles that can be given to somebody who is not a member yet: owners are made from members. */
export const INVITED_ROLES = ['admin', 'member', 'viewer'] as const;

export const organizationBody = z.object({ name: displayName });
export const roleBody = z.object({ role: z.enum(ROLES) });
export const transferBody = z.object({ userId: z.string().min(1).max(100) });

/** An organization as its members see it. */
export const organizationReply = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(['free', 'pro', 'scale']),
  monthlyEvents: z.int(),
  retentionDays: z.int(),
  /** Whether its audit log can be exported. */
  auditCsv: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Of the person who asks. */
  role: z.enum(ROLES),
});
export type OrganizationReply = z.infer<typeof organizationReply>;
export const organizationsReply = z.object({ organizations: z.array(organizationReply) });

export const memberRow = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  joinedAt: z.iso.datetime(),
});
export type MemberRow = z.infer<typeof memberRow>;
export const membersReply = z.object({ members: z.array(memberRow) });
export type MembersReply = z.infer<typeof membersReply>;

/** An organization as lists show it; times are ISO 8601 UTC. */
export type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly plan: 'free' | 'pro' | 'scale';
  /** Events a month in force, the plan's or the operator's. */
  readonly monthlyEvents: number;
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
  summary: 'The own organizations',
  reply: organizationsReply,
});

export const postOrganizationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations',
  auth: 'session',
  summary: 'Make an organization and own it',
  body: organizationBody,
  reply: organizationReply,
  status: 201,
});

export const getOrganizationEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id',
  auth: 'organization',
  summary: 'An organization with its plan and limits',
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
  status: 204,
});

export const postLeaveEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/leave',
  auth: 'organization',
  summary: 'Leave an organization; its last owner can not',
  params: organizationParams,
  status: 204,
});

export const postTransferEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/transfer',
  auth: 'organization',
  role: 'owner',
  summary: 'Make another member the owner and become an admin',
  params: organizationParams,
  body: transferBody,
  status: 204,
});

export const getMembersEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/members',
  auth: 'organization',
  summary: 'The people of an organization with their roles',
  params: organizationParams,
  reply: membersReply,
});

export const putMemberEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id/members/:userId',
  auth: 'organization',
  role: 'admin',
  summary: "Change a member's role; owners are made and changed by owners",
  params: memberParams,
  body: roleBody,
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
