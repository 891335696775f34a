import type { Ctx } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { changeFactors, personNote } from './change-factors.ts';
import { hasFactor } from './factors.ts';
import { factorMails } from './mails.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/** Replaces a person's recovery codes. Throws AppError 409 if they have no factor that the codes could replace. */
export async function replaceRecoveryCodes(
  ctx: Ctx,
  { actor, session: { userId, email } }: { actor: Actor; session: LoginSession },
): Promise<string[]> {
  if (!(await hasFactor(ctx, userId)))
    throw conflict('Add an authenticator app or a passkey first; recovery codes come with it');
  const { codes, statements } = newRecoveryCodes(ctx, userId);
  await changeFactors(
    ctx,
    { actor, userId },
    {
      statements,
      note: personNote('user.recovery_codes_replaced', userId),
      mail: factorMails.codesReplaced(email),
    },
  );
  return codes;
}
