import type { Ctx } from '../../context.ts';
import { OutboundError, outboundOf } from '../../core/outbound/index.ts';
import { badRequest } from '../../errors.ts';

const MAX_BYTES = 20_000_000;
const TIMEOUT_MS = 30_000;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Downloads a text from an address that the operator names: over https, or over http from this machine, at most 20 MB
 * in 30 seconds, without redirects.
 * @throws AppError 400 that says why it failed
 */
export async function download(ctx: Ctx, address: string, signal?: AbortSignal): Promise<string> {
  const url = URL.parse(address);
  if (url === null) throw badRequest(`${address} is not an address`);
  const isPlain = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url.protocol !== 'https:' && !isPlain)
    throw badRequest(`${address} is not an https address; download the pack and pass the file`);
  const failed = (why: string) => badRequest(`Cannot read ${url.origin}${url.pathname}: ${why}`);
  try {
    const response = await outboundOf(ctx).fetch(url, {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      trustedOrigin: url.origin,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status >= 300 && response.status < 400)
      throw failed(
        `it redirects to ${response.headers.get('location') ?? 'another address'}; pass that address`,
      );
    if (!response.ok) throw failed(`it answered ${response.status}`);
    return await response.text();
  } catch (error) {
    throw error instanceof OutboundError ? failed(error.message) : error;
  }
}
