import type { Ctx } from '../../../context.ts';
import { notAuthenticated } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { authOf } from '../service.ts';

/**
 * Signs a person in and returns their signed bearer token. A wrong password and an unknown address take the same time
 * and get the same reply.
 * @throws AppError 401 if they do not match, 403 if the address signs in with a provider, 429 after too many failures, 503 under too much load
 */
export async function login(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  origin: Source,
): Promise<string> {
  await requireSignInWith(ctx, email, null);
  const { throttle, signIn } = authOf(ctx);
  const of = { email, address: addressGroup(origin.address) };
  const token = await throttle.attempt(of, async () =>
    (await signIn()).password({ email, password }, origin),
  );
  if (token === null) {
    noteFailure(ctx, { email, by: 'password', source: origin });
    throw notAuthenticated();
  }
  // A rule that was set meanwhile has ended the sessions of before; this one stays without its token.
  await requireSignInWith(ctx, email, null);
  return token;
}
