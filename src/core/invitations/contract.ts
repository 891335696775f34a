import { z } from 'zod';
import { linkToken, loginReply, mailReply, newPassword } from '../auth/contract.ts';
import { displayName, emailAddress, INVITED_ROLES } from '../orgs/contract.ts';
import { defineEndpoint, organizationParams, ROLES } from '../tenancy/contract.ts';

export const invitationBody = z.strictObject({
  email: emailAddress
    .optional()
    .describe(
      'Email address of who is invited: only they may accept. Without one, whoever has the link may.',
    ),
  role: z.enum(INVITED_ROLES).describe('Role that accepting gives.'),
});

export const invitationRow = z
  .object({
    id: z.string().describe('Id of the invitation.'),
    email: z
      .string()
      .nullable()
      .describe(
        'Email address of who is invited: only they may accept. Without one, whoever has the link may.',
      ),
    role: z.enum(INVITED_ROLES).describe('Role that accepting gives.'),
    state: z
      .enum(['open', 'accepted', 'revoked', 'expired'])
      .describe('`open`, `accepted`, `revoked` or `expired`.'),
    createdAt: z.iso.datetime().describe('Creation time, ISO 8601 UTC.'),
    createdBy: z.string().nullable().describe('Email address of who invited; null for the operator.'),
    expiresAt: z.iso.datetime().describe('Expiry time, ISO 8601 UTC.'),
  })
  .meta({ id: 'Invitation' });
export type InvitationRow = z.infer<typeof invitationRow>;
export const invitationsReply = z.object({
  invitations: z.array(invitationRow).describe('Invitations, newest first.'),
});

export const createdInvitation = invitationRow.extend({
  url: z.string().nullable().describe('The link; only this reply shows it. Null if it was sent by mail.'),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

export const invitationToken = z.object({ token: linkToken.describe('Secret part of the link.') });
/** What a page shows to somebody who opens the link. */
export const invitationPreview = z.object({
  organizationName: z.string().describe('Name of the organization.'),
  role: z.enum(INVITED_ROLES).describe('Role that accepting gives.'),
  email: z
    .string()
    .nullable()
    .describe(
      'Email address of who is invited: only they may accept. Without one, whoever has the link may.',
    ),
  expiresAt: z.iso.datetime().describe('Expiry time, ISO 8601 UTC.'),
  mailFirst: z
    .boolean()
    .describe('Whether a new account needs no password yet: signing up sends a link to the address first.'),
});

export type InvitationPreview = z.infer<typeof invitationPreview>;

export const acceptedReply = z.object({
  organizationId: z.string().describe('Id of the organization.'),
  role: z.enum(ROLES).describe('Role that accepting gives.'),
});
export const invitedSignUpBody = z.object({
  token: linkToken.describe('Secret part of the link.'),
  password: newPassword.optional().describe('Password, 8 to 1,024 characters; required unless `mailFirst`.'),
  name: displayName.optional().describe('Name of the person. Default: from the email address.'),
  email: emailAddress
    .optional()
    .describe(
      'Email address of who is invited: only they may accept. Without one, whoever has the link may.',
    ),
  cookie: z
    .boolean()
    .optional()
    .describe(
      '`true` keeps the login session in a cookie that scripts cannot read; the reply then has no token. Default: false.',
    ),
});

export const getInvitationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  scopes: [],
  summary: 'List the invitations of an organization, without their links',
  params: organizationParams,
  reply: invitationsReply,
});

export const postInvitationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  summary: 'Invite a person by mail, or by a link that the reply shows once',
  params: organizationParams,
  body: invitationBody,
  example: { email: 'grace@example.com', role: 'member' },
  reply: createdInvitation,
  status: 201,
});

export const deleteInvitationEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/:id/invitations/:invitationId',
  auth: 'organization',
  role: 'admin',
  summary: 'Revoke an open invitation',
  params: organizationParams.extend({ invitationId: z.string().describe('Id of the invitation.') }),
  status: 204,
});

export const postPreviewEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/invitations/preview',
  auth: 'none',
  summary: 'Show what an invitation leads to',
  body: invitationToken,
  example: { token: 'the-token-of-the-link' },
  reply: invitationPreview,
});

export const postAcceptEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/invitations/accept',
  auth: 'session',
  summary: 'Accept an invitation with your account',
  body: invitationToken,
  example: { token: 'the-token-of-the-link' },
  reply: acceptedReply,
});

export const postSignUpEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/invitations/sign-up',
  auth: 'none',
  summary:
    'Accept an invitation with a new account: 201, or 202 and a link by mail if the address is not confirmed yet',
  body: invitedSignUpBody,
  example: { token: 'the-token-of-the-link', password: 'correct horse battery', name: 'Grace Hopper' },
  reply: z.union([loginReply, mailReply]),
  status: 201,
});
