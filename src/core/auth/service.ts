import { type Ctx, listService, type Service } from '../../context.ts';
import { createGrowingDelay, type GrowingDelay } from '../../lib/growing-delay.ts';
import { createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts';
import { createTally, type Tally } from '../../lib/tally.ts';
import { mailOf } from '../mail/index.ts';
import { outboundOf } from '../outbound/index.ts';
import { type Issuer, readIssuers } from './oauth/issuers.ts';
import { createMetadataCache, type MetadataCache } from './oauth/metadata-cache.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { hasSessionAt } from './sessions/has-session-at.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { createLoginThrottle, type LoginThrottle } from './sign-in/login-throttle.ts';
import { loadSignIn, type SignIn } from './sign-in/sign-in.ts';

/** State of the sign-in between requests. */
export type AuthService = {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  /** Counts sign-ins, and failed ones, by person, for the audit log. */
  readonly signIns: Tally;
  readonly failures: Tally;
  /** Slows down guesses of authenticator codes by person. */
  readonly codeDelay: GrowingDelay;
  /** Limits requests for mails by account and by network address, so that no mailbox is flooded. */
  readonly mailRequests: { readonly account: SlidingWindow; readonly address: SlidingWindow };
  /** The configured OpenID Connect issuers, read once. Throws ConfigError; `serve` reads them when it starts. */
  issuers(): readonly Issuer[];
  /** Their discovery documents. */
  readonly metadata: MetadataCache;
  /** Runs work after the reply; a failure is only logged. */
  later(work: () => Promise<void>): void;
  /** Resolves when all such work is done. */
  idle(): Promise<void>;
  /** Loads the sign-in library, once. */
  signIn(): Promise<SignIn>;
};

const HOUR_MS = 3_600_000;
const MAX_KEYS = 100_000;
/** What the audit log tells of each person one by one in an hour; more is told together. */
const TOLD = { free: 20, windowMs: HOUR_MS, maxKeys: 10_000 };
/** Five codes at once; then one every 30 seconds, minute, two minutes, … hour, until a day without an attempt. */
const CODE_DELAY = { free: 5, firstMs: 30_000, maxMs: HOUR_MS, forgetMs: 24 * HOUR_MS, maxKeys: MAX_KEYS };

/** Closing waits for work after replies, before the database is closed. */
const auth: Service<AuthService> = { name: 'auth', open: openAuth, close: (service) => service.idle() };
export const authServices = [listService(auth)];

/** The service of a context. */
export const authOf = (ctx: Ctx): AuthService => ctx.use(auth);

function openAuth(ctx: Ctx): AuthService {
  // Opens mail before this service, so that it closes after it: work after replies sends mail.
  mailOf(ctx);
  const passwords = createPasswords({ weak: ctx.weakHashes });
  let loading: Promise<SignIn> | null = null;
  let issuers: readonly Issuer[] | null = null;
  const running = new Set<Promise<void>>();
  return {
    passwords,
    sessions: createSessions(ctx),
    throttle: createLoginThrottle(ctx.now, (of) => hasSessionAt(ctx, of)),
    signIns: createTally(TOLD),
    failures: createTally(TOLD),
    codeDelay: createGrowingDelay(CODE_DELAY),
    mailRequests: {
      account: createSlidingWindow({ limit: 5, windowMs: HOUR_MS, maxKeys: MAX_KEYS }),
      address: createSlidingWindow({ limit: 50, windowMs: HOUR_MS, maxKeys: MAX_KEYS }),
    },
    issuers: () => (issuers ??= readIssuers(ctx.config)),
    metadata: createMetadataCache(ctx.now, outboundOf(ctx)),
    later: (work) => {
      const done = work()
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'work after a reply failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    idle: async () => {
      await Promise.all(running);
    },
    signIn: () => (loading ??= loadSignIn(ctx, passwords)),
  };
}
