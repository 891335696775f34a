import type { Endpoint } from '../../http/endpoint.ts';

/** The scopes of access tokens, each of which admits to an endpoint; empty if no token may call it. */
export function scopesOf({ auth, method, scopes }: Endpoint): readonly string[] {
  if (auth !== 'project' && auth !== 'organization' && auth !== 'reader') return [];
  return scopes ?? (method === 'GET' ? ['read'] : []);
}
