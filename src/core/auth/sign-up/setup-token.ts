import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { addressGroup } from '../../../http/address-group.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Source } from '../../../module.ts';
import { hasOwner } from '../../orgs/index.ts';
import type { setupBody } from '../contract.ts';
import { hashToken } from '../links/links.ts';
import { authOf } from '../service.ts';
import { setupTokens } from '../table.ts';
import { expiredSetup, isValid, type SetUp, setUp } from './set-up.ts';

const LIFETIME_MS = 30 * 60_000;

/**
 * Creates the one-time token with which the first owner sets up the file in the browser. It replaces earlier tokens.
 * Only its hash is stored.
 * @returns null if the file has an owner; `expiresAt` is ISO 8601 UTC, 30 minutes ahead
 */
export async function createSetupToken(ctx: Ctx): Promise<{ token: string; expiresAt: string } | null> {
  if (await hasOwner(ctx)) return null;
  const token = randomBytes(32).toString('hex');
  const expiresAt = ctx.now() + LIFETIME_MS;
  await ctx.db.sql.batch([
    ctx.db.sql.delete(setupTokens),
    ctx.db.sql.insert(setupTokens).values({ hash: hashToken(token), expiresAt: new Date(expiresAt) }),
  ]);
  return { token, expiresAt: formatInstant(expiresAt) };
}

/** Redeems a setup token and signs the new owner in, with a bearer token. Throws AppError 403, 409 or 429. */
export async function redeemSetupToken(
  ctx: Ctx,
  { token, cookie: _, ...input }: z.output<typeof setupBody>,
  origin: Source,
): Promise<{ made: SetUp; bearer: string }> {
  const hash = await checkSetupToken(ctx, token, origin);
  const made = await setUp(ctx, input, {
    tokenHash: hash,
    actorOf: (userId) => ({ kind: 'user', userId, email: input.email, source: origin }),
  });
  return {
    made,
    bearer: await (await authOf(ctx).signIn()).session({ userId: made.userId, provider: null }, origin),
  };
}

/**
 * Checks that a setup token can be redeemed, so that nobody fills in the form in vain.
 * @returns its hash
 * @throws AppError 403 if it is unknown, used or expired, 429 after many wrong ones of an address
 */
export async function checkSetupToken(ctx: Ctx, token: string, origin: Source): Promise<string> {
  const hash = hashToken(token);
  const address = addressGroup(origin.address);
  const of = { email: `setup ${address}`, address };
  const found = await authOf(ctx).throttle.attempt(of, () => findToken(ctx, hash));
  if (found === null) throw expiredSetup();
  return hash;
}

async function findToken(ctx: Ctx, hash: string): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ hash: setupTokens.hash })
    .from(setupTokens)
    .where(and(eq(setupTokens.hash, hash), isValid(ctx.now())));
  return row?.hash ?? null;
}
