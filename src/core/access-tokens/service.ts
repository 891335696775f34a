import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Ctx, listService, type Service } from '../../context.ts';
import { notAuthenticated, rateLimited } from '../../errors.ts';
import { addressGroup } from '../../http/address-group.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { createFreshCache, type FreshCache } from '../../lib/fresh-cache.ts';
import { createOncePer } from '../../lib/once-per.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { loadToken, type ValidToken } from './queries.ts';
import { hashSecret } from './secret.ts';
import { accessTokens } from './table.ts';

/** Delay until changes of another process show; those of this process show at once. */
const TTL_MS = 5_000;
const MAX_KEPT = 10_000;
const FAILURES_PER_MINUTE = 300;
const MAX_ADDRESSES = 50_000;

/** Access tokens, cached for a few seconds. */
export type Tokens = {
  /**
   * @throws AppError 401 for a token that is unknown or not valid any more; 429 for an address with too many unknown
   * tokens, except with a token that was valid before
   */
  verify(raw: string, address: string | null): Promise<ValidToken>;
  /** Records a use, at most once a minute, in the background. A failure is only logged. */
  noteUse(tokenId: string): void;
  /** Clears the cache. */
  drop(): void;
};

const tokens: Service<Tokens> = { name: 'access-tokens', open: openTokens };
export const tokenServices = [listService(tokens)];

/** The service of a context. */
export const tokensOf = (ctx: Ctx): Tokens => ctx.use(tokens);

/** Clears the cache after a change of tokens, people, members, organizations or projects. */
export const dropTokens = (ctx: Ctx): void => tokensOf(ctx).drop();

function openTokens(ctx: Ctx): Tokens {
  const cache = createFreshCache({
    ttlMs: TTL_MS,
    maxKeys: MAX_KEPT,
    now: ctx.now,
    load: (hash) => loadToken(ctx, hash),
  });
  return { verify: createVerifier(ctx, cache), noteUse: createUseNotes(ctx), drop: () => cache.drop() };
}

function createVerifier(ctx: Ctx, cache: FreshCache<ValidToken | null>): Tokens['verify'] {
  const failures = createFailureLog({
    limit: FAILURES_PER_MINUTE,
    windowMs: MINUTE_MS,
    maxKeys: MAX_ADDRESSES,
  });
  const known = new LRUCache<string, true>({ max: MAX_KEPT });
  return async (raw, address) => {
    const hash = hashSecret(raw);
    if (hash === null) throw notAuthenticated();
    const now = ctx.now();
    const group = addressGroup(address);
    const seconds = failures.retryAfter(group, now);
    if (seconds !== null && !known.has(hash)) throw rateLimited(seconds);
    const token = await cache.get(hash);
    if (token === null) {
      // A program that goes on with a revoked token guesses nothing.
      if (!known.has(hash)) failures.add(group, now);
      throw notAuthenticated();
    }
    known.set(hash, true);
    if (token.expiresAt !== null && token.expiresAt <= now) throw notAuthenticated();
    return token;
  };
}

function createUseNotes(ctx: Ctx): Tokens['noteUse'] {
  const isDue = createOncePer({ windowMs: MINUTE_MS, maxKeys: MAX_KEPT });
  return (tokenId) => {
    const now = ctx.now();
    if (!isDue(tokenId, now)) return;
    ctx.db.sql
      .update(accessTokens)
      .set({ lastUsedAt: new Date(now) })
      .where(eq(accessTokens.id, tokenId))
      .then(undefined, (error: unknown) =>
        ctx.log.debug({ err: error, tokenId }, 'the last use of an access token was not recorded'),
      );
  };
}
