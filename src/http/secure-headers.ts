import type { Config } from '../config.ts';
import { matchNetworks } from './networks.ts';

/** A year, for this host only: other names of the domain may not have https. */
const HSTS = 'max-age=31536000';

/** Headers of every response. A route may state a `Cache-Control` or `Referrer-Policy` of its own. */
const DEFAULTS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** Adds the headers that keep browsers from storing, guessing and passing on what a response says. */
export type HeaderWriter = (response: Response, request: Request, peer: string | null) => Response;

/**
 * Creates the writer. It adds `Strict-Transport-Security` only under https: if PUBLIC_URL says so, or a trusted proxy
 * does in `X-Forwarded-Proto`.
 */
export function createHeaderWriter({
  PUBLIC_URL,
  TRUSTED_PROXIES,
}: Pick<Config, 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): HeaderWriter {
  const isProxy = matchNetworks(TRUSTED_PROXIES);
  const isHttps = PUBLIC_URL?.startsWith('https:') === true;
  return (response, request, peer) => {
    for (const [name, value] of Object.entries(DEFAULTS))
      if (!response.headers.has(name)) response.headers.set(name, value);
    if (isHttps || (isProxy(peer) && request.headers.get('x-forwarded-proto') === 'https'))
      response.headers.set('Strict-Transport-Security', HSTS);
    return response;
  };
}
