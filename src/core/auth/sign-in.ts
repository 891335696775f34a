import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import { users } from '../orgs/table.ts';
import { decodeEscapes } from './bearer-token.ts';
import type { Passwords } from './passwords.ts';
import { accounts, sessions, verifications } from './table.ts';

/** Where a sign-in comes from, as it is kept with the session. */
export type Origin = { readonly address: string | null; readonly userAgent: string | null };

/** Gives the signed bearer token, or null when e-mail address and password do not fit. */
export type SignIn = (
  credentials: { readonly email: string; readonly password: string },
  origin: Origin,
) => Promise<string | null>;

/** Only this process sets it: what a client sends under the name is not passed on. */
const ADDRESS_HEADER = 'x-client-address';
const ID_PREFIX: Readonly<Record<string, string>> = { user: 'usr', session: 'ses', account: 'acc' };

/**
 * Sets better-auth up. It is loaded when somebody first signs in: it takes a quarter of a second and 33 MB,
 * which neither the start of the server nor a command should pay. It makes sessions and signs their
 * tokens; `session-guard.ts` checks them, by the clock of the context.
 */
export async function loadSignIn(ctx: Ctx, passwords: Passwords): Promise<SignIn> {
  const [{ betterAuth }, { bearer }, { drizzleAdapter }, { isAPIError }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/plugins/bearer'),
    import('@better-auth/drizzle-adapter'),
    import('better-auth/api'),
  ]);
  const { config } = ctx;
  const auth = betterAuth({
    appName: 'spanledger',
    basePath: '/v1/auth',
    baseURL: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
    secret: ctx.secret,
    telemetry: { enabled: false },
    logger: { log: (level, message) => ctx.log[level]({ component: 'better-auth' }, message) },
    // `transaction` stays off: the one writer takes batches only.
    database: drizzleAdapter(ctx.db.sql, {
      provider: 'sqlite',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
    }),
    plugins: [bearer({ requireSignature: true })],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 8,
      maxPasswordLength: 1024,
      password: { hash: passwords.hash, verify: ({ password, hash }) => passwords.verify(password, hash) },
    },
    session: { expiresIn: config.SESSION_TTL_SECONDS, disableSessionRefresh: true },
    advanced: {
      database: { generateId: ({ model }) => newId(ID_PREFIX[model] ?? 'ver', ctx.now()) },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: { create: { before: async (session) => ({ data: { ...session, ...sessionTimes(ctx) } }) } },
    },
  });
  return async (body, { address, userAgent }) => {
    const headers = new Headers({ 'user-agent': userAgent ?? '', [ADDRESS_HEADER]: address ?? '' });
    try {
      const reply = await auth.api.signInEmail({ body, headers, returnHeaders: true });
      const token = reply.headers.get('set-auth-token');
      if (token === null) throw new Error('better-auth gave no set-auth-token header');
      return decodeEscapes(token);
    } catch (error) {
      if (isAPIError(error) && error.status === 'UNAUTHORIZED') return null;
      throw error;
    }
  };
}

/** better-auth takes the system's clock; a session goes by the context's, to the end that is configured. */
function sessionTimes(ctx: Ctx): { createdAt: Date; updatedAt: Date; expiresAt: Date } {
  const now = ctx.now();
  const started = new Date(now);
  return {
    createdAt: started,
    updatedAt: started,
    expiresAt: new Date(now + ctx.config.SESSION_TTL_SECONDS * 1000),
  };
}
