import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import type { apiKeys } from './table.ts';

const FORMAT = /^slk_[0-9a-f]{64}$/;
/** 48 bits of the 256 are public: enough to find a row, useless for guessing the rest. */
const PREFIX_LENGTH = 12;
const BCRYPT_COST = 8;
const WEAK_COST = 4;

/** The public start by which a key is found: its first 12 hex digits. Null for what can't be a key. */
export function prefixOf(raw: string): string | null {
  return FORMAT.test(raw) ? raw.slice('slk_'.length, 'slk_'.length + PREFIX_LENGTH) : null;
}

/** A new key: what the person is shown once, and the row that is kept. */
export type NewKey = { readonly apiKey: string; readonly row: typeof apiKeys.$inferInsert };

/**
 * Makes a key: `slk_` and 64 random hex digits (decisions.md, Names). Its 256 bits can't be guessed, so
 * that the hash needs no high cost; a high one would only help who floods the server. `raw` is a key that the
 * operator made.
 */
export async function newKey(
  ctx: Ctx,
  { raw, ...of }: { projectId: string; name: string; createdBy: string | null; raw?: string | undefined },
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
