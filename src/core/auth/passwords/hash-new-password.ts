import type { Ctx } from '../../../context.ts';
import { authOf } from '../service.ts';
import { type Known, refusePassword } from './refuse-password.ts';

/** The hash of a password that a person chooses. Throws AppError 400 if it is easily guessed. */
export async function hashNewPassword(ctx: Ctx, password: string, known: Known): Promise<string> {
  await refusePassword(password, known);
  return authOf(ctx).passwords.hash(password);
}
