import type { Ctx } from '../../../context.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { expiredLink } from '../links/links.ts';
import { requestMail } from '../links/request-mail.ts';
import { authOf } from '../service.ts';

/** Sends a magic link if the address has an account. Throws like `requestMail`. */
export const requestMagicLink = (
  ctx: Ctx,
  of: { email: string; address: string | null },
): { message: string } =>
  requestMail(ctx, of, async (person) => {
    // better-auth sends the mail through `loadSignIn`'s `send`.
    if (person !== null) await (await authOf(ctx).signIn()).sendMagicLink(person.email);
    return null;
  });

/** Redeems a magic link for a bearer token. Throws AppError 403 if it is not valid, 429 after too many failures. */
export async function useMagicLink(ctx: Ctx, token: string, origin: Source): Promise<string> {
  const { throttle, signIn } = authOf(ctx);
  const address = addressGroup(origin.address);
  const bearer = await throttle.attempt({ email: `link ${address}`, address }, async () =>
    (await signIn()).magicLink(token, origin),
  );
  authOf(ctx).sessions.drop();
  if (bearer === null) throw expiredLink();
  return bearer;
}
