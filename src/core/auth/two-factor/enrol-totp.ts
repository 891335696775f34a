import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { type Sealing, seal, unseal } from '../../../db/seal.ts';
import { AppError, conflict, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { totpFactors } from '../table.ts';
import { addFactor, changeFactors, personNote } from './change-factors.ts';
import { findTotp } from './factors.ts';
import { factorMails } from './mails.ts';
import { matchTotp, newTotpSecret, totpUri } from './totp.ts';

const LIFETIME_MS = 15 * 60_000;
/** `sealed` is the secret as it is stored: by it a second confirmation of one enrolment is recognised. */
const pending = z.object({ secret: z.string(), sealed: z.string(), expiresAt: z.number() });

const contextOf = (userId: string): Sealing => ({ purpose: 'second factor', context: `totp:${userId}` });
const pendingContextOf = (userId: string): Sealing => ({
  purpose: 'second factor',
  context: `totp enrolment:${userId}`,
});

/** The secret of a stored factor; null if the server's secret has changed since. */
export const secretOf = (ctx: Ctx, { userId, sealed }: { userId: string; sealed: string }): string | null =>
  unseal(ctx.secret, contextOf(userId), sealed);

/** A new secret for an app. Nothing is stored before its first code; until then the client keeps `enrolment`. */
export function beginTotp(
  ctx: Ctx,
  { userId, email }: LoginSession,
): { secret: string; uri: string; enrolment: string } {
  const secret = newTotpSecret();
  const sealed = seal(ctx.secret, contextOf(userId), secret);
  const text = JSON.stringify({ secret, sealed, expiresAt: ctx.now() + LIFETIME_MS });
  return { secret, uri: totpUri(secret, email), enrolment: seal(ctx.secret, pendingContextOf(userId), text) };
}

/**
 * Stores the secret once its first code proves that the app has it; replaces an earlier app.
 * @returns the recovery codes of a first factor, otherwise null
 * @throws AppError 403 if the enrolment has expired or the code is wrong, 409 if it was confirmed already
 */
export async function confirmTotp(
  ctx: Ctx,
  by: { actor: Actor; session: LoginSession },
  { enrolment, code }: { enrolment: string; code: string },
): Promise<string[] | null> {
  const { userId, email } = by.session;
  const text = unseal(ctx.secret, pendingContextOf(userId), enrolment);
  const begun = text === null ? null : pending.safeParse(JSON.parse(text)).data;
  const now = ctx.now();
  if (!begun || now >= begun.expiresAt)
    throw new AppError(403, 'This code has expired; begin again with a new QR code');
  const lastStep = matchTotp(begun.secret, code, now);
  if (lastStep === null)
    throw new AppError(403, 'The code is wrong; check that the clock of your device is right');
  const { sealed } = begun;
  const row = { sealed, lastStep, createdAt: new Date(now), lastUsedAt: null };
  // Null, which is not allowed, if a concurrent request won: its recovery codes are the ones in force.
  const unlessConfirmed = sql<string>`(SELECT ${userId} WHERE NOT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND sealed = ${sealed}))`;
  try {
    return await addFactor(ctx, by, {
      statements: [
        ctx.db.sql
          .insert(totpFactors)
          .values({ userId: unlessConfirmed, ...row })
          .onConflictDoUpdate({ target: totpFactors.userId, set: row }),
      ],
      note: personNote('user.totp_added', userId),
      mail: factorMails.totpAdded(email),
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('totp_factors.user_id')) throw error;
    throw conflict('This app is confirmed already');
  }
}

/** Removes the app. Throws AppError 404 if the person has none. */
export async function removeTotp(
  ctx: Ctx,
  { actor, session: { userId, email } }: { actor: Actor; session: LoginSession },
): Promise<void> {
  if ((await findTotp(ctx, userId)) === null) throw notFound('You have no authenticator app');
  await changeFactors(
    ctx,
    { actor, userId },
    {
      statements: [ctx.db.sql.delete(totpFactors).where(eq(totpFactors.userId, userId))],
      note: personNote('user.totp_removed', userId),
      mail: factorMails.totpRemoved(email),
    },
  );
}
