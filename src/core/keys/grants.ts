import { type Ctx, listService, type Service } from '../../context.ts';
import { createFreshCache, type FreshCache } from '../../lib/fresh-cache.ts';
import { loadGrant } from './queries.ts';

type Grant = Awaited<ReturnType<typeof loadGrant>>;

const MAX_KEYS = 20_000;

/** Caches what keys may do, by id, for API_KEY_CACHE_TTL_SECONDS, because another process may change it. */
const grants: Service<FreshCache<Grant>> = {
  name: 'keys.grants',
  open: (ctx) =>
    createFreshCache({
      ttlMs: ctx.config.API_KEY_CACHE_TTL_SECONDS * 1000,
      maxKeys: MAX_KEYS,
      now: ctx.now,
      load: (keyId) => loadGrant(ctx, keyId),
    }),
};
export const grantServices = [listService(grants)];

/** What a key may do; null if it no longer exists. */
export const grantOf = (ctx: Ctx, keyId: string): Promise<Grant> => ctx.use(grants).get(keyId);

/** Clears the cache after a change that affects what keys may do. */
export const dropGrants = (ctx: Ctx): void => ctx.use(grants).drop();
