import { z } from 'zod';
import { displayName, emailAddress, ROLES } from '../orgs/contract.ts';

/** A password to be set. Longer than 1,024 characters only makes work. */
export const newPassword = z.string().min(8).max(1024);

export const credentials = z.object({ email: emailAddress, password: z.string().min(1).max(1024) });

export const loginReply = z.object({
  /** The signed bearer token. */
  token: z.string(),
  expiresAt: z.iso.datetime(),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
});
export type LoginReply = z.infer<typeof loginReply>;

export const signupBody = z.object({
  email: emailAddress,
  password: newPassword,
  name: displayName.optional(),
  /** Name of the organization that the person gets; their own name unless given. */
  organization: displayName.optional(),
});

/** What makes an empty file somebody's. */
export const setup = z.object({
  organization: displayName,
  project: displayName,
  name: displayName.optional(),
  email: emailAddress,
  password: newPassword,
});
export const setupBody = setup.extend({ token: z.string().min(1).max(200) });

export const setupReply = loginReply.extend({
  organizationId: z.string(),
  projectId: z.string(),
  userId: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
});

export const meReply = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  memberships: z.array(
    z.object({
      organizationId: z.string(),
      organizationName: z.string(),
      role: z.enum(ROLES),
      projects: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
export type Me = z.infer<typeof meReply>;
