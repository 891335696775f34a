import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import type { apiKeys } from './table.ts';

const FORMAT = /^slk_[0-9a-f]{64}$/;
/** 48 of the 256 bits are public: enough to find a row, and no help for guessing the rest. */
const PREFIX_LENGTH = 12;
const BCRYPT_COST = 8;
const WEAK_COST = 4;

/** The public prefix for finding a key: its first 12 hex digits. Null for text that is not a key. */
export function prefixOf(raw: string): string | null {
  return FORMAT.test(raw) ? raw.slice('slk_'.length, 'slk_'.length + PREFIX_LENGTH) : null;
}

/** A new key: the secret, which is shown once, and the row to store. */
export type NewKey = { readonly apiKey: string; readonly row: typeof apiKeys.$inferInsert };

/**
 * Creates a key: `slk_` and 64 random hex digits. Its 256 bits cannot be guessed, so the hash needs no high cost, which
 * would only help somebody who floods the server. `raw` is the operator's own key.
 */
export async function newKey(
  ctx: Ctx,
  {
    raw,
    ...of
  }: {
    projectId: string;
    name: string;
    createdBy: string | null;
    validUntil?: Date | null;
    raw?: string | undefined;
  },
): Promise<NewKey> {
  const apiKey = raw ?? `slk_${randomBytes(32).toString('hex')}`;
  const now = ctx.now();
  const cost = ctx.weakHashes ? WEAK_COST : BCRYPT_COST;
  const hash = await Bun.password.hash(apiKey, { algorithm: 'bcrypt', cost });
  const row = {
    id: newId('key', now),
    prefix: prefixOf(apiKey) ?? '',
    hash,
    createdAt: new Date(now),
    ...of,
  };
  return { apiKey, row };
}
