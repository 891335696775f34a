import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import { endLink, findLink, newLink } from '../links/links.ts';
import { readBearer } from '../sessions/bearer-token.ts';
import { sessions } from '../table.ts';
import type { SecondFactorChallenge } from './contract.ts';
import { hasFactor, methodsOf } from './factors.ts';

/** Who was authenticated, and the id of the identity provider if one did it. */
export type SignedInBy = { readonly userId: string; readonly provider: string | null };

/**
 * Holds a person back who has shown their first factor and has a second one.
 * @throws AppError 401 with a challenge, with which the second step completes the sign-in
 */
export async function holdPerson(ctx: Ctx, by: SignedInBy): Promise<void> {
  const { userId } = by;
  if (!(await hasFactor(ctx, userId))) return;
  const { token, expiresAt, statement } = newLink(ctx, 'second-factor', JSON.stringify(by));
  await ctx.db.sql.batch([statement]);
  const challenge: SecondFactorChallenge = {
    code: 'second_factor_required',
    challenge: token,
    expiresAt: formatInstant(expiresAt),
    methods: await methodsOf(ctx, userId),
  };
  throw new AppError(
    401,
    'A second factor is required: send this challenge to /v1/auth/login/second-factor with a code, a recovery code or a passkey',
    { code: 'second_factor_required', more: challenge, headers: { 'Cache-Control': 'no-store' } },
  );
}

/**
 * The same after better-auth began a login session, which ends unless the person has no second factor.
 * @returns `bearer`
 */
export async function holdBearer<B extends string | null>(ctx: Ctx, bearer: B): Promise<B> {
  if (bearer === null) return bearer;
  const token = readBearer(`Bearer ${bearer}`, ctx.secret) ?? '';
  const [row] = await ctx.db.sql
    .select({ id: sessions.id, userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.token, token));
  if (row === undefined) throw new Error('the new login session cannot be found');
  if (await hasFactor(ctx, row.userId)) await ctx.db.sql.delete(sessions).where(eq(sessions.id, row.id));
  await holdPerson(ctx, { userId: row.userId, provider: null });
  return bearer;
}

const linkOf = (challenge: string) => ({ kind: 'second-factor', token: challenge }) as const;

const held = z.object({ userId: z.string(), provider: z.string().nullable() });

/** Who a challenge holds back. Throws AppError 401 if it is unknown, used or older than 15 minutes. */
export async function readChallenge(ctx: Ctx, challenge: string): Promise<SignedInBy> {
  const value = await findLink(ctx, linkOf(challenge));
  if (value === null) throw expiredChallenge();
  try {
    return held.parse(JSON.parse(value));
  } catch {
    // An earlier version made it in another form, shortly before the upgrade.
    throw expiredChallenge();
  }
}

/** Uses a challenge up. Throws AppError 401 if a concurrent request did so first. */
export async function endChallenge(ctx: Ctx, challenge: string): Promise<void> {
  if (!(await endLink(ctx, linkOf(challenge)))) throw expiredChallenge();
}

const expiredChallenge = (): AppError => new AppError(401, 'This sign-in has expired; begin it again');
