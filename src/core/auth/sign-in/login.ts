import type { Ctx } from '../../../context.ts';
import { notAuthenticated } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { authOf } from '../service.ts';

/**
 * Signs a person in and gives their signed bearer token. A wrong password and an unknown address cost the
 * same time and say the same.
 * @throws AppError 401 when they do not fit, 429 after too many that did not, 503 under too much load
 */
export async function login(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
  origin: Source,
): Promise<string> {
  const { throttle, signIn } = authOf(ctx);
  const of = { email, address: addressGroup(origin.address) };
  const token = await throttle.attempt(of, async () =>
    (await signIn()).password({ email, password }, origin),
  );
  if (token === null) throw notAuthenticated();
  return token;
}
