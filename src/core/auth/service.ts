import type { Ctx } from '../../context.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { loadSignIn, type SignIn } from './sign-in.ts';

/** What signing in remembers between requests. */
export type AuthService = {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly signIn: SignIn;
};

const services = new WeakMap<Ctx, AuthService>();

/** The service of a context, made when first asked for: it lives and goes with the context. */
export function authOf(ctx: Ctx): AuthService {
  const known = services.get(ctx);
  if (known !== undefined) return known;
  const passwords = createPasswords({ weak: ctx.weakHashes });
  let loading: Promise<SignIn> | null = null;
  const service: AuthService = {
    passwords,
    sessions: createSessions(ctx),
    throttle: createLoginThrottle(ctx.now),
    signIn: async (credentials, origin) => {
      loading ??= loadSignIn(ctx, passwords);
      return (await loading)(credentials, origin);
    },
  };
  services.set(ctx, service);
  return service;
}
