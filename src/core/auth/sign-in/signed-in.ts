import type { Ctx } from '../../../context.ts';
import { Reply } from '../../../http/reply.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Source } from '../../../module.ts';
import type { LoginReply } from '../contract.ts';
import { noteSignIn } from '../journal/note-sign-in.ts';
import { authOf } from '../service.ts';
import { readBearer } from '../sessions/bearer-token.ts';
import { requireSameOrigin, sessionCookie } from '../sessions/cookie.ts';

/** The source of a request. */
export const originOf = (from: { request: Request; address: string | null }): Source => ({
  address: from.address,
  userAgent: from.request.headers.get('user-agent')?.slice(0, 500) ?? null,
});

/** Prevents caches from storing credentials. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

/**
 * Call before doing anything else: another site must not sign a browser in to an account of its choice.
 * @throws AppError 403
 */
export function allowCookie(
  ctx: Ctx,
  { request, body }: { request: Request; body: { cookie?: boolean | undefined } },
): void {
  if (body.cookie === true) requireSameOrigin(ctx, request);
}

/** The reply to a sign-in: the token, or with `cookie` a cookie instead. */
export async function signedIn<More extends object = object>(
  ctx: Ctx,
  bearer: string,
  how: { cookie?: boolean | undefined; status?: number; more?: More },
): Promise<Reply<More & LoginReply>> {
  const { cookie = false, status = 200, more = {} as More } = how;
  const token = readBearer(`Bearer ${bearer}`, ctx.secret) ?? '';
  await noteSignIn(ctx, token);
  const session = await authOf(ctx).sessions.find(token);
  if (session === null) throw new Error('the new login session cannot be found');
  const { userId: id, email, name } = session;
  const reply: LoginReply = {
    token: cookie ? null : bearer,
    expiresAt: formatInstant(session.expiresAt),
    user: { id, email, name },
  };
  const headers = cookie ? { 'Set-Cookie': sessionCookie(ctx, bearer, session.expiresAt) } : {};
  return new Reply(status, { ...more, ...reply }, { ...NO_STORE, ...headers });
}
