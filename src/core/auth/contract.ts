import { z } from 'zod';
import { displayName, emailAddress } from '../orgs/contract.ts';
import { ROLES } from '../tenancy/contract.ts';

/** A password to be set. Longer than 1,024 characters only makes work. */
export const newPassword = z.string().min(8).max(1024);
const password = z.string().min(1).max(1024);
/** The secret part of a link. */
export const linkToken = z.string().min(1).max(200);

/**
 * `cookie: true` keeps the session in a cookie that no script can read, for pages of this server; the reply
 * then has no token. Without it the reply has the bearer token, and no cookie is set.
 */
const keepsCookie = { cookie: z.boolean().optional() };

export const credentials = z.object({ email: emailAddress, password, ...keepsCookie });

export const loginReply = z.object({
  /** The signed bearer token; null where a cookie holds it. */
  token: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
});
export type LoginReply = z.infer<typeof loginReply>;

export const signupBody = z.object({
  email: emailAddress,
  /** Needed where the server sends no mail; otherwise it is chosen behind the link. */
  password: newPassword.optional(),
  name: displayName.optional(),
  /** Name of the organization that the person gets; their own name unless given. */
  organization: displayName.optional(),
  ...keepsCookie,
});

/** Behind the link of a mail: a new account, or a new password. Both sign in. */
export const choosePasswordBody = z.object({ token: linkToken, password: newPassword, ...keepsCookie });

export const emailBody = z.object({ email: emailAddress });
export const tokenBody = z.object({ token: linkToken });
export const magicLinkBody = tokenBody.extend(keepsCookie);
/** Of a request for a mail: the same whether there is such an account or not. */
export const mailReply = z.object({ message: z.string() });

export const changePasswordBody = z.object({ currentPassword: password, newPassword });
export const profileBody = z.object({ name: displayName });

/** What makes an empty file somebody's. */
export const setup = z.object({
  organization: displayName,
  project: displayName,
  name: displayName.optional(),
  email: emailAddress,
  password: newPassword,
});
export const setupBody = setup.extend({ token: linkToken, ...keepsCookie });

export const setupReply = loginReply.extend({
  organizationId: z.string(),
  projectId: z.string(),
  userId: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
});

export type SetupReply = z.infer<typeof setupReply>;

export const meReply = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string(), emailVerified: z.boolean() }),
  /** The organizations of the person by name, each with what a page around everything else shows. */
  memberships: z.array(
    z.object({
      organizationId: z.string(),
      organizationName: z.string(),
      role: z.enum(ROLES),
      plan: z.enum(['free', 'pro', 'scale']),
      /** Events a month in force. */
      monthlyEvents: z.int(),
      /** Days of retention in force. */
      retentionDays: z.int(),
      projects: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
export type Me = z.infer<typeof meReply>;

/** How people may sign in here: what a sign-in page shows. */
export const methodsReply = z.object({
  signup: z.enum(['closed', 'invitation', 'open']),
  /** Whether the server sends mail: without it there are no magic links and no resets by mail. */
  mail: z.boolean(),
  oauth: z.array(z.enum(['github', 'google'])),
});
export type SignInMethods = z.infer<typeof methodsReply>;

/** A path of this server: not `//host` and not `/\\host`, which browsers take for another server. */
const ownPath = z.string().regex(/^\/(?![/\\])[\x21-\x7e]{0,500}$/);

export const oauthBody = z.object({
  provider: z.enum(['github', 'google']),
  /** Where the browser goes afterwards. */
  next: ownPath.default('/'),
});
export const oauthReply = z.object({ url: z.string() });

export const sessionRow = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Where it was begun. */
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export const sessionsReply = z.object({ sessions: z.array(sessionRow) });
export const endedReply = z.object({ ended: z.int() });
