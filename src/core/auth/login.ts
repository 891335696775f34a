import type { Ctx } from '../../context.ts';
import { notAuthenticated } from '../../errors.ts';
import { addressGroup } from '../../http/address-group.ts';
import { formatInstant } from '../../lib/time.ts';
import { readBearer } from './bearer-token.ts';
import type { LoginReply } from './contract.ts';
import { authOf } from './service.ts';
import type { Origin } from './sign-in.ts';

/**
 * Signs a person in. A wrong password and an unknown address cost the same time and say the same.
 * @throws AppError 401 when they do not fit, 429 after too many that did not, 503 under too much load
 */
export async function login(
  ctx: Ctx,
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<LoginReply> {
  const { throttle, signIn } = authOf(ctx);
  const of = { email: credentials.email, address: addressGroup(origin.address) };
  const token = await throttle.attempt(of, () => signIn(credentials, origin));
  if (token === null) throw notAuthenticated();
  return describe(ctx, token);
}

async function describe(ctx: Ctx, bearer: string): Promise<LoginReply> {
  const token = readBearer(`Bearer ${bearer}`, ctx.secret);
  const session = token === null ? null : await authOf(ctx).sessions.find(token);
  if (session === null) throw new Error('the session just made cannot be found');
  const { userId, email, name, expiresAt } = session;
  return { token: bearer, expiresAt: formatInstant(expiresAt), user: { id: userId, email, name } };
}
