import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { findPerson } from './queries.ts';

/** Admits the people whom the setting OPERATORS names. @throws AppError 403 */
export async function requireOperator(ctx: Ctx, userId: string): Promise<void> {
  const { operator } = await findPerson(ctx, userId);
  if (!operator)
    throw new AppError(403, 'Only operators see this; the setting OPERATORS of the server names them');
}
