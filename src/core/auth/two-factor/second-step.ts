import { and, eq, lt } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { AppError, badRequest, rateLimited } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { type Mail, mailRequested } from '../../mail/index.ts';
import { outboxStatement, outboxWritten } from '../../outbox/index.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { personNotes } from '../journal/person-notes.ts';
import { acceptAssertion } from '../passkeys/accept-assertion.ts';
import { findPerson } from '../queries.ts';
import { authOf } from '../service.ts';
import { totpFactors } from '../table.ts';
import { endChallenge, readChallenge } from './challenge.ts';
import type { secondStepBody } from './contract.ts';
import { secretOf } from './enrol-totp.ts';
import { countRecoveryCodes, findTotp } from './factors.ts';
import { factorMails } from './mails.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { matchTotp } from './totp.ts';

type Step = Pick<z.output<typeof secondStepBody>, 'challenge' | 'code' | 'recoveryCode' | 'passkey'>;
type Asked = { readonly request: Request; readonly source: Source };

/**
 * Completes a sign-in with a second factor, and returns the bearer token.
 * @throws AppError 400 unless one factor is given, 401 for a wrong one or an expired challenge, 429 after too many
 */
export async function completeSignIn(ctx: Ctx, step: Step, asked: Asked): Promise<string> {
  const { challenge, code, recoveryCode, passkey } = step;
  const given = [code, recoveryCode, passkey].filter((factor) => factor !== undefined);
  if (given.length !== 1) throw badRequest('send one of code, recoveryCode and passkey');
  const by = await readChallenge(ctx, challenge);
  const { userId } = by;
  try {
    await acceptFactor(ctx, { ...step, userId }, asked);
  } catch (error) {
    if (error instanceof AppError && error.status === 401) await tellFailure(ctx, userId, asked.source);
    throw error;
  }
  await endChallenge(ctx, challenge);
  return (await authOf(ctx).signIn()).provenSession(by, asked.source);
}

async function acceptFactor(ctx: Ctx, step: Step & { userId: string }, asked: Asked): Promise<void> {
  const { userId, challenge, code, recoveryCode, passkey } = step;
  if (code !== undefined) await acceptCode(ctx, userId, code);
  if (recoveryCode !== undefined) await acceptRecoveryCode(ctx, { userId, recoveryCode }, asked.source);
  if (passkey === undefined) return;
  const owner = await acceptAssertion(ctx, asked, { assertion: passkey, purpose: challenge });
  if (owner !== userId) throw wrongFactor('This passkey belongs to another account');
}

/** In the audit log, and after several wrong codes by mail: whoever sends them knows the first factor. */
async function tellFailure(ctx: Ctx, userId: string, source: Source): Promise<void> {
  const { email } = await findPerson(ctx, userId);
  noteFailure(ctx, { email, by: 'second factor', source });
  if (authOf(ctx).codeDelay.usedUp(userId)) await sendNotice(ctx, factorMails.guessed(email));
}

async function sendNotice(ctx: Ctx, mail: Mail): Promise<void> {
  await ctx.db.sql.batch([outboxStatement(ctx, mailRequested, mail)]);
  ctx.emit(outboxWritten);
}

const wrongFactor = (message: string): AppError => new AppError(401, message);

/**
 * Accepts the code of an authenticator app, each step once, and guesses ever more slowly.
 * @throws AppError 401 for a wrong code, 429 after too many
 */
export async function acceptCode(ctx: Ctx, userId: string, code: string): Promise<void> {
  const { codeDelay } = authOf(ctx);
  const now = ctx.now();
  const wait = codeDelay.take(userId, now);
  if (wait !== null) throw rateLimited(wait);
  const factor = await findTotp(ctx, userId);
  if (factor === null) throw wrongFactor('This account has no authenticator app; use another factor');
  const secret = secretOf(ctx, factor);
  if (secret === null) {
    throw wrongFactor(
      'The secret of this server has changed, so codes cannot be checked; use a recovery code or a passkey, or ask the operator to reset your factors',
    );
  }
  const step = matchTotp(secret, code, now);
  const accepted =
    step !== null &&
    (await ctx.db.sql
      .update(totpFactors)
      .set({ lastStep: step, lastUsedAt: new Date(now) })
      .where(and(eq(totpFactors.userId, userId), lt(totpFactors.lastStep, step)))
      .returning({ userId: totpFactors.userId }));
  if (accepted === false || accepted.length === 0)
    throw wrongFactor('The code is wrong or was used before; wait for the next one');
  codeDelay.clear(userId);
}

async function acceptRecoveryCode(
  ctx: Ctx,
  { userId, recoveryCode }: { userId: string; recoveryCode: string },
  source: Source,
): Promise<void> {
  const { email } = await findPerson(ctx, userId);
  const left = (await countRecoveryCodes(ctx, userId)) - 1;
  const of = { email: `recovery ${userId}`, address: addressGroup(source.address) };
  const used = await authOf(ctx).throttle.attempt(of, async () => {
    const [changed] = await commitChange(
      ctx,
      { kind: 'user', userId, email, source },
      {
        statements: [useRecoveryCode(ctx, userId, recoveryCode)],
        audit: await personNotes(ctx, userId, { action: 'user.recovery_code_used', after: { left } }),
      },
    );
    return changed === 0 ? null : true;
  });
  if (used === null) throw wrongFactor('The recovery code is wrong or was used before');
  await sendNotice(ctx, factorMails.codeUsed(email, left));
}
