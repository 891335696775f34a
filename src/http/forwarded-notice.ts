import type { Ctx, Service } from '../context.ts';

/** The first request that seems to come from a proxy nobody has named. */
export type ForwardedNotice = {
  /** Epoch milliseconds, and the peer of the connection. Null if there was no such request. */
  first: { readonly at: number; readonly peer: string | null } | null;
};

export const forwardedNotice: Service<ForwardedNotice> = {
  name: 'http.forwarded_notice',
  open: () => ({ first: null }),
};

/** What the notice means for an operator, and what to do. */
export const forwardedText = (peer: string | null): string =>
  `A request from ${peer ?? 'an unknown peer'} had X-Forwarded-For, but TRUSTED_PROXIES is not set: limits by address and the audit log take the peer for the client. If it is your proxy, set TRUSTED_PROXIES to its address`;

/** Without TRUSTED_PROXIES, logs once that a request with `X-Forwarded-For` came in, and keeps it for the operator. */
export function noteForwarded(ctx: Ctx, request: Request, peer: string | null): void {
  if (ctx.config.TRUSTED_PROXIES !== undefined || !request.headers.has('x-forwarded-for')) return;
  const notice = ctx.use(forwardedNotice);
  if (notice.first !== null) return;
  notice.first = { at: ctx.now(), peer };
  ctx.log.warn({ peer }, forwardedText(peer));
}
