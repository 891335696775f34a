import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';

const MAX_LISTS = 1_000;

export const redactors: Service<LRUCache<string, Redactor>> = {
  name: 'events.redactors',
  open: () => new LRUCache({ max: MAX_LISTS }),
};

/** The redactor of a project's key list and the defaults. It is cached, because it remembers the keys that it has seen. */
export function redactorOf(ctx: Ctx, keys: readonly string[]): Redactor {
  const cache = ctx.use(redactors);
  const name = JSON.stringify(keys);
  const redactor = cache.get(name) ?? createRedactor([...DEFAULT_REDACT_KEYS, ...keys]);
  cache.set(name, redactor);
  return redactor;
}
