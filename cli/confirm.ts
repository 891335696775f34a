import type { BaseContext } from './command.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

interface Danger {
  /** What is about to happen, as a sentence. */
  readonly warning: string;
  /** The word that the user must type. */
  readonly word: string;
  /** Whether --yes was given. */
  readonly yes: boolean;
}

/**
 * Returns when the user confirms.
 * @throws {UserError} usage (2) when it cannot prompt, `not_confirmed` (1)
 */
export const confirm = async (ctx: BaseContext, { warning, word, yes }: Danger): Promise<void> => {
  if (yes) return;
  if (!ctx.interactive) throw usageError(`Not confirmed: ${warning}`, 'Add --yes');
  ctx.output.warn(warning);
  const answer = await ctx.input.ask(`  Type ${word} to confirm: `);
  if (answer?.trim() === word) return;
  throw new UserError({
    what: 'Not confirmed; nothing was changed',
    fix: `Type ${word}, or add --yes`,
    code: 'not_confirmed',
    exit: EXIT.failure,
  });
};
