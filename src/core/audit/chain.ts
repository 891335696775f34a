import { createHash } from 'node:crypto';
import type { HashedValues } from './entry.ts';

/** What the first entry of an organization has in the place of its predecessor's hash. */
export const FIRST_HASH = '';

/**
 * The hash of an entry: SHA-256 in hex over the JSON array of its values, which end with the hash of the
 * entry before it. A change anywhere changes every hash from there on.
 */
export function hashEntry(values: HashedValues): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
