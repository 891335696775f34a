import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Ctx } from '../../context.ts';
import { invalidApiKey, rateLimited, unavailable } from '../../errors.ts';
import { addressGroup } from '../../http/address-group.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import { createFreshCache } from '../../lib/fresh-cache.ts';
import { createGate } from '../../lib/gate.ts';
import { prefixOf } from './api-key.ts';
import { listKeysByPrefix } from './queries.ts';
import type { apiKeys } from './table.ts';

/** Most cached results of bcrypt, for valid and invalid keys. */
const MAX_KNOWN = 20_000;
const MAX_REJECTED = 10_000;
const REJECTED_TTL_MS = 60_000;
const FAILURES_PER_MINUTE = 300;
/** Wrong keys with one known prefix that an address beyond its failures may still try. */
const GUESSES_PER_MINUTE = 20;
const MAX_ADDRESSES = 50_000;

/**
 * Creates the function that finds the id of a raw key. Whether the key may still be used is checked elsewhere.
 *
 * bcrypt runs once per key and process: the hash of a row never changes, so the result stays valid and is cached under
 * the SHA-256 of the raw key. Concurrent first requests share it. Two checks run at a time and 64 wait; further ones get
 * 503. Wrong keys with a known prefix are cached for a minute. An address with 300 failures per minute is refused without
 * bcrypt, except with keys that are known to be valid, and those whose prefix exists and at which it has failed fewer than
 * 20 times: a valid key passes although somebody else behind the same address sends wrong ones.
 * @throws AppError 401 for an unknown key, 429 for an address with too many failures, 503 if too many wait
 */
export function createKeyVerifier(ctx: Ctx): (raw: string, address: string | null) => Promise<string> {
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  const perMinute = { windowMs: 60_000, maxKeys: MAX_ADDRESSES };
  const failures = createFailureLog({ limit: FAILURES_PER_MINUTE, ...perMinute });
  const guesses = createFailureLog({ limit: GUESSES_PER_MINUTE, ...perMinute });
  const gate = createGate({
    running: 2,
    waiting: 64,
    full: () => unavailable('Too many keys are being checked; try again'),
  });
  const rejected = createRejections(ctx);
  // Caches nothing: it only lets concurrent requests share the check of one raw key.
  const checks = createFreshCache({
    ttlMs: 0,
    maxKeys: 1,
    now: ctx.now,
    load: (raw) => findOwner(ctx, gate, raw),
  });

  /** Throws AppError 429 for an address that failed too often, at keys in general and at those with this prefix. */
  async function requireAllowed(prefix: string, group: string): Promise<void> {
    const wait = failures.retryAfter(group, ctx.now());
    if (wait === null) return;
    const isKnown = (await listKeysByPrefix(ctx, prefix)).some((key) => canPass(ctx, key));
    const waitForPrefix = isKnown ? guesses.retryAfter(`${group} ${prefix}`, ctx.now()) : wait;
    if (waitForPrefix !== null) throw rateLimited(waitForPrefix);
  }

  return async (raw, address) => {
    const prefix = prefixOf(raw);
    if (prefix === null) throw invalidApiKey();
    const digest = createHash('sha256').update(raw).digest('base64');
    const owner = known.get(digest);
    if (owner !== undefined) return owner;
    if (rejected.has(digest)) throw invalidApiKey();
    const group = addressGroup(address);
    await requireAllowed(prefix, group);
    const id = await checks.get(raw);
    if (id === null) {
      failures.add(group, ctx.now());
      guesses.add(`${group} ${prefix}`, ctx.now());
      rejected.add(digest);
      throw invalidApiKey();
    }
    known.set(digest, id);
    return id;
  };
}

async function findOwner(ctx: Ctx, gate: ReturnType<typeof createGate>, raw: string): Promise<string | null> {
  for (const key of await listKeysByPrefix(ctx, prefixOf(raw) ?? '')) {
    if (canPass(ctx, key) && (await gate.run(() => Bun.password.verify(raw, key.hash)))) return key.id;
  }
  return null;
}

/** A revoked or replaced key is refused anyway, so bcrypt need not run. The reply to an expired one names it. */
function canPass(ctx: Ctx, key: typeof apiKeys.$inferSelect): boolean {
  const replaced = key.rotatedTo !== null && key.validUntil !== null && key.validUntil.getTime() <= ctx.now();
  return key.revokedAt === null && !replaced;
}

function createRejections(ctx: Ctx): { has(digest: string): boolean; add(digest: string): void } {
  const until = new LRUCache<string, number>({ max: MAX_REJECTED });
  return {
    has: (digest) => (until.get(digest) ?? 0) > ctx.now(),
    add: (digest) => {
      until.set(digest, ctx.now() + REJECTED_TTL_MS);
    },
  };
}
