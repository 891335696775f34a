import type { Ctx } from '../../../context.ts';
import { newId } from '../../../db/new-id.ts';
import type { Source } from '../../../module.ts';
import { mailOf, publicUrl } from '../../mail/index.ts';
import { users } from '../../orgs/table.ts';
import { mails } from '../links/mails.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { decodeEscapes, signToken } from '../sessions/bearer-token.ts';
import { accounts, sessions, verifications } from '../table.ts';
import { holdBearer, holdPerson, type SignedInBy } from '../two-factor/challenge.ts';
import type { Setup } from './better-auth.ts';

/**
 * Ways to sign in. Each returns the signed bearer token of a new login session, or null if it is refused. All but
 * `provenSession` throw AppError 401 with a challenge for a person with a second factor (`two-factor/challenge.ts`).
 */
export type SignIn = {
  password(credentials: { email: string; password: string }, origin: Source): Promise<string | null>;
  /** Sends a link that signs in the owner of the address, once and within 15 minutes. */
  sendMagicLink(email: string): Promise<void>;
  magicLink(token: string, origin: Source): Promise<string | null>;
  /** A login session for a person who was authenticated in another way. */
  session(by: SignedInBy, origin: Source): Promise<string>;
  /** A login session for a person who has shown their second factor, or a passkey. */
  provenSession(by: SignedInBy, origin: Source): Promise<string>;
};

/** Set only by this process; a client's header of this name is not passed on. */
const ADDRESS_HEADER = 'x-client-address';
const ID_PREFIX: Readonly<Record<string, string>> = { user: 'usr', session: 'ses', account: 'acc' };
const MAGIC_LINK_SECONDS = 15 * 60;

/**
 * Loads better-auth at the first sign-in. That takes a quarter of a second and 33 MB, which neither the start of the
 * server nor a command should pay. It creates login sessions and signs their tokens; `session-guard.ts` checks them with
 * the clock of the context.
 */
export async function loadSignIn(ctx: Ctx, passwords: Passwords): Promise<SignIn> {
  const { openBetterAuth, isRefusal } = await import('./better-auth.ts');
  const auth = openBetterAuth(optionsOf(ctx, passwords));
  /** The token of the reply; null if better-auth refused the credentials. */
  const bearerOf = async (reply: Promise<{ headers: Headers }>): Promise<string | null> => {
    try {
      const token = (await reply).headers.get('set-auth-token');
      if (token === null) throw new Error('better-auth gave no set-auth-token header');
      return decodeEscapes(token);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  };
  const provenSession: SignIn['provenSession'] = async ({ userId, provider }, { address, userAgent }) => {
    const { internalAdapter } = await auth.$context;
    const fields = { ipAddress: address ?? '', userAgent: userAgent ?? '', provider };
    return signToken((await internalAdapter.createSession(userId, false, fields)).token, ctx.secret);
  };
  return {
    password: async (body, origin) =>
      holdBearer(
        ctx,
        await bearerOf(auth.api.signInEmail({ body, headers: toHeaders(origin), returnHeaders: true })),
      ),
    sendMagicLink: async (email) => {
      await auth.api.signInMagicLink({ body: { email }, headers: new Headers() });
    },
    magicLink: async (token, origin) =>
      holdBearer(
        ctx,
        await bearerOf(
          auth.api.magicLinkVerify({ query: { token }, headers: toHeaders(origin), returnHeaders: true }),
        ),
      ),
    session: async (by, origin) => {
      await holdPerson(ctx, by);
      return provenSession(by, origin);
    },
    provenSession,
  };
}

const optionsOf = (ctx: Ctx, passwords: Passwords): Setup => ({
  appName: 'spanledger',
  basePath: '/v1/auth',
  baseURL: publicUrl(ctx),
  secret: ctx.secret,
  telemetry: { enabled: false },
  logger: { log: (level, message) => ctx.log[level]({ component: 'better-auth' }, message) },
  sql: ctx.db.sql,
  tables: { user: users, session: sessions, account: accounts, verification: verifications },
  magicLinks: {
    expiresIn: MAGIC_LINK_SECONDS,
    send: (to, token) => mailOf(ctx)?.send(mails.magic({ to, url: `${publicUrl(ctx)}/link#magic=${token}` })),
  },
  emailAndPassword: {
    enabled: true,
    disableSignUp: true,
    minPasswordLength: 8,
    maxPasswordLength: 1024,
    password: { hash: passwords.hash, verify: ({ password, hash }) => passwords.verify(password, hash) },
  },
  session: {
    expiresIn: ctx.config.SESSION_TTL_SECONDS,
    disableSessionRefresh: true,
    additionalFields: { provider: { type: 'string', required: false, input: false } },
  },
  // A job deletes what has expired.
  verification: { disableCleanup: true },
  advanced: {
    database: { generateId: ({ model }) => newId(ID_PREFIX[model] ?? 'ver', ctx.now()) },
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
  },
  databaseHooks: {
    session: { create: { before: async (session) => ({ data: { ...session, ...sessionTimes(ctx) } }) } },
  },
});

const toHeaders = ({ address, userAgent }: Source): Headers =>
  new Headers({ 'user-agent': userAgent ?? '', [ADDRESS_HEADER]: address ?? '' });

/** better-auth uses the system's clock; login sessions use the context's, with the configured lifetime. */
function sessionTimes(ctx: Ctx): { createdAt: Date; updatedAt: Date; expiresAt: Date } {
  const now = ctx.now();
  const started = new Date(now);
  return {
    createdAt: started,
    updatedAt: started,
    expiresAt: new Date(now + ctx.config.SESSION_TTL_SECONDS * 1000),
  };
}
