import { createHash } from 'node:crypto';
import type { HashedValues } from './entry.ts';

/** Previous hash of the first entry of an organization. */
export const FIRST_HASH = '';

/**
 * The hash of an entry: SHA-256 in hex over the JSON array of its values, the last of which is the previous entry's
 * hash. A change anywhere changes every later hash.
 */
export function hashEntry(values: HashedValues): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
