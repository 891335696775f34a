import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { allowedAddresses, createPolicy, notPublic, parseTarget, type Target } from './policy.ts';

/** Limits of a request. */
export type OutboundLimits = {
  /** Time until the last byte of the reply, in milliseconds; 15 s by default. */
  readonly timeoutMs?: number;
  /** Largest accepted body of the reply; 1 MB by default. */
  readonly maxBytes?: number;
  /**
   * An origin (`https://host:port`) from the configuration of the operator. Requests to it may go to any address and
   * use http. Never set it from what a tenant or a reply says.
   */
  readonly trustedOrigin?: string | undefined;
};

/** Sends HTTP requests to addresses that others choose. */
export type Outbound = {
  /**
   * Like the global `fetch`, but connects only to public addresses and those of OUTBOUND_ALLOW, over https. The address
   * that was checked is the one connected to. Redirects are not followed, proxies of the environment are not used, and
   * compressed replies are not asked for nor unpacked. The request's body is buffered.
   * @throws OutboundError; while the body is read, too
   */
  fetch(url: string | URL, init?: RequestInit & OutboundLimits): Promise<Response>;
  /**
   * Checks a URL without sending anything or resolving its name, for forms.
   * @throws OutboundError
   */
  check(url: string): void;
  /** Ends all requests. */
  close(): void;
};

export type OutboundOptions = {
  /** OUTBOUND_ALLOW. */
  readonly allow?: string | undefined;
  /** Sent as `User-Agent`. */
  readonly userAgent: string;
  /** Resolves a name; that of the system by default. */
  readonly resolve?: (name: string) => Promise<string[]>;
  /** Accepted certificate authorities instead of those of the system. */
  readonly ca?: string;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1_000_000;

/** Creates the client. Tests replace its resolver; the product uses `outboundOf`. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { userAgent, resolve = resolveBySystem, ca } = options;
  const policy = createPolicy(options.allow);
  const closing = new AbortController();

  async function addressesOf(target: Target, signal: AbortSignal): Promise<string[]> {
    const { host } = target;
    const found =
      isIP(host) === 0
        ? await within(
            signal,
            resolve(host).catch(() => []),
          )
        : [host];
    if (found.length === 0) throw notPublic(host);
    return allowedAddresses(policy, target, found);
  }

  return {
    async fetch(url, { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, trustedOrigin, ...init } = {}) {
      const target = parseTarget(policy, url, trustedOrigin);
      const request = new Request(target.url.href, { ...init, redirect: 'manual' });
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([closing.signal, timeout, request.signal]);
      const toError = (error: unknown): OutboundError => reasonOf(error, timeout, signal);
      try {
        // Loaded with the first request: TLS takes a tenth of the server's start.
        const [{ connect }, { exchange }] = await Promise.all([
          import('./connect.ts'),
          import('./exchange.ts'),
        ]);
        const body = new Uint8Array(await within(signal, request.arrayBuffer()));
        const socket = await connect(target, await addressesOf(target, signal), { signal, ca });
        const headers = headersOf(request, body, userAgent);
        const sent = { method: request.method, headers, body };
        return await exchange(socket, target, sent, { signal, maxBytes, toError });
      } catch (error) {
        throw toError(error);
      }
    },
    check: (url) => void parseTarget(policy, url),
    close: () => closing.abort(),
  };
}

function headersOf(request: Request, body: Uint8Array, userAgent: string): Headers {
  const headers = new Headers(request.headers);
  for (const name of ['connection', 'host', 'transfer-encoding', 'upgrade', 'expect']) headers.delete(name);
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  headers.set('accept-encoding', 'identity');
  if (body.length > 0 || request.method === 'POST' || request.method === 'PUT')
    headers.set('content-length', String(body.length));
  return headers;
}

function reasonOf(error: unknown, timeout: AbortSignal, signal: AbortSignal): OutboundError {
  if (timeout.aborted) return new OutboundError('timeout', 'The host did not reply in time');
  if (signal.aborted) return new OutboundError('aborted', 'The request was ended before its reply');
  return toOutboundError(error);
}

/** All addresses of a name, in the order of the system. */
async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** A look-up cannot be ended; its result is dropped when the signal aborts. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}
