import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { type Sealing, seal, unseal } from '../../../db/seal.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { totpFactors } from '../table.ts';
import { addFactor, changeFactors, personNote } from './change-factors.ts';
import { findTotp } from './factors.ts';
import { factorMails } from './mails.ts';

import { matchTotp, newTotpSecret, totpUri } from './totp.ts';

const LIFETIME_MS = 15 * 60_000;
const pending = z.object({ secret: z.string(), expiresAt: z.number() });

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
  const text = JSON.stringify({ secret, expiresAt: ctx.now() + LIFETIME_MS });
  return { secret, uri: totpUri(secret, email), enrolment: seal(ctx.secret, pendingContextOf(userId), text) };
}

/**
 * Stores the secret once its first code proves that the app has it; replaces an earlier app.
 * @returns the recovery codes of a first factor, otherwise null
 * @throws AppError 403 if the enrolment has expired or the code is wrong
 */
export async function confirmTotp(
  ctx: Ctx,
  by: { actor: Actor; session: LoginSession },
  { enrolment, code }: { enrolment: string; code: string },
): Promise<string[] | null> {
  const { userId, email } = by.session;
  const text = unseal(ctx.secret, pendingContextOf(userId), enrolment);
  const begun = text === null ? null : pending.parse(JSON.parse(text));
  const now = ctx.now();
  if (begun === null || now >= begun.expiresAt)
    throw new AppError(403, 'This code has expired; begin again with a new QR code');
  const lastStep = matchTotp(begun.secret, code, now);
  if (lastStep === null)
    throw new AppError(403, 'The code is wrong; check that the clock of your device is right');
  const sealed = seal(ctx.secret, contextOf(userId), begun.secret);
  const row = { sealed, lastStep, createdAt: new Date(now), lastUsedAt: null };
  return addFactor(ctx, by, {
    statements: [
      ctx.db.sql
        .insert(totpFactors)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: totpFactors.userId, set: row }),
    ],
    note: personNote('user.totp_added', userId),
    mail: factorMails.totpAdded(email),
  });
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
