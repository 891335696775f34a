import { type DB, drizzleAdapter } from '@better-auth/drizzle-adapter';
import { isAPIError } from 'better-auth/api';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { bearer } from 'better-auth/plugins/bearer';
import { magicLink } from 'better-auth/plugins/magic-link';
import { github, google } from 'better-auth/social-providers';

/*
 * All code that uses better-auth. It is loaded by the first sign-in; in the binary it is compressed until then
 * (`build.ts`). It imports nothing else of this program, because that would be embedded twice.
 */

export type Setup = Omit<BetterAuthOptions, 'database' | 'plugins'> & {
  readonly sql: DB;
  readonly tables: Record<'user' | 'session' | 'account' | 'verification', unknown>;
  readonly magicLinks: {
    readonly expiresIn: number;
    readonly send: (to: string, token: string) => void;
  };
};

/** Sign-in by password and by link, with signed session tokens. */
export const openBetterAuth = ({ sql, tables, magicLinks, ...options }: Setup) =>
  betterAuth({
    ...options,
    // `transaction` stays off, because the writer accepts only batches.
    database: drizzleAdapter(sql, { provider: 'sqlite', schema: tables }),
    plugins: [
      bearer({ requireSignature: true }),
      magicLink({
        storeToken: 'hashed',
        disableSignUp: true,
        expiresIn: magicLinks.expiresIn,
        sendMagicLink: async ({ email, token }) => magicLinks.send(email, token),
      }),
    ],
  });

/** Whether better-auth refused the credentials; for a link it does so by a redirect. */
export const isRefusal = (error: unknown): boolean =>
  isAPIError(error) && ['UNAUTHORIZED', 'FOUND'].includes(String(error.status));

export const socialProviders = { github, google };
