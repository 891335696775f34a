import { z } from 'zod';
import { linkToken, newPassword } from '../auth/contract.ts';
import { displayName, emailAddress, INVITED_ROLES } from '../orgs/contract.ts';
import { ROLES } from '../tenancy/contract.ts';

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
