import { z } from 'zod';
import { linkToken, loginReply, newPassword } from '../auth/contract.ts';
import { displayName, emailAddress, INVITED_ROLES } from '../orgs/contract.ts';
import { defineEndpoint, organizationParams, ROLES } from '../tenancy/contract.ts';

export const invitationBody = z.object({
  /** Only this person may accept then. Without it whoever has the link may. */
  email: emailAddress.optional(),
  role: z.enum(INVITED_ROLES),
});

export const invitationRow = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: z.enum(INVITED_ROLES),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  createdAt: z.iso.datetime(),
  /** E-mail address of who invited; null for the operator. */
  createdBy: z.string().nullable(),
  expiresAt: z.iso.datetime(),
});
export type InvitationRow = z.infer<typeof invitationRow>;
export const invitationsReply = z.object({ invitations: z.array(invitationRow) });
export type InvitationsReply = z.infer<typeof invitationsReply>;

export const createdInvitation = invitationRow.extend({
  /** The link, shown this once; null where it went out by mail. */
  url: z.string().nullable(),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

export const invitationToken = z.object({ token: linkToken });
/** What a page shows to somebody who opens the link. */
export const invitationPreview = z.object({
  organizationName: z.string(),
  role: z.enum(INVITED_ROLES),
  email: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  /** Whether the address has an account already: sign in then, and accept. Null where no address is named. */
  hasAccount: z.boolean().nullable(),
});

export type InvitationPreview = z.infer<typeof invitationPreview>;

export const acceptedReply = z.object({ organizationId: z.string(), role: z.enum(ROLES) });
export const invitedSignUpBody = z.object({
  token: linkToken,
  password: newPassword,
  name: displayName.optional(),
  /** Needed where the invitation names no address. */
  email: emailAddress.optional(),
  cookie: z.boolean().optional(),
});

export const getInvitationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  summary: 'The invitations of an organization, never their links',
  params: organizationParams,
  reply: invitationsReply,
});

export const postInvitationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/invitations',
  auth: 'organization',
  role: 'admin',
  summary: 'Invite somebody by mail, or by a link that the reply shows once',
  params: organizationParams,
  body: invitationBody,
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
  summary: 'What the link of an invitation leads to',
  body: invitationToken,
  reply: invitationPreview,
});

export const postAcceptEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/invitations/accept',
  auth: 'session',
  summary: 'Accept an invitation as the person who is signed in',
  body: invitationToken,
  reply: acceptedReply,
});

export const postSignUpEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/invitations/sign-up',
  auth: 'none',
  summary: 'Accept an invitation with a new account',
  body: invitedSignUpBody,
  reply: loginReply,
  status: 201,
});
