import { createHash, timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import type { Ctx } from '../../../context.ts';
import { AppError, notAuthenticated } from '../../../errors.ts';

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Admits who may read the metrics: with METRICS_TOKEN whoever sends it, else programs of this machine.
 * @throws AppError 401 or 403
 */
export function requireReader({ config }: Ctx, request: Request, address: string | null): void {
  const { METRICS_TOKEN } = config;
  if (METRICS_TOKEN !== undefined) {
    const [, sent = ''] = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (!timingSafeEqual(hash(sent), hash(METRICS_TOKEN))) throw notAuthenticated();
    return;
  }
  // A proxy on this machine is a peer of this machine, whoever asks it.
  const isForwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) =>
    request.headers.has(name),
  );
  if (address === null || !loopback.test(address) || isForwarded || !isOwnName(request))
    throw new AppError(403, 'Metrics are for this machine only; set METRICS_TOKEN to read them elsewhere');
}

/**
 * Whether the request names this machine. Under the name of another one a page of that name would read the reply: in a
 * browser on this machine, to which it has the name lead (DNS rebinding).
 */
function isOwnName({ url }: Request): boolean {
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return loopback.test(name) || /^(.+\.)?localhost$/.test(name) || name === hostname().toLowerCase();
}
