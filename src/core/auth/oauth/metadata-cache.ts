import { createFreshCache, type FreshCache } from '../../../lib/fresh-cache.ts';
import type { Outbound } from '../../outbound/index.ts';
import { askIssuer } from './ask-issuer.ts';
import type { Metadata } from './openid.ts';

/** Discovery documents by issuer. They change rarely; the issuer's keys are fetched for each sign-in. */
export type MetadataCache = FreshCache<Metadata>;

const TTL_MS = 3_600_000;

/** Anonymous requests thus cause at most one request to the issuer at a time, and one an hour while it works. */
export const createMetadataCache = (now: () => number, outbound: Outbound): MetadataCache =>
  createFreshCache({
    ttlMs: TTL_MS,
    maxKeys: 100,
    now,
    load: async (issuer) => (await import('./openid.ts')).discover(issuer, askIssuer(outbound, issuer)),
  });
