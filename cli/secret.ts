import { readFileSync } from 'node:fs';
import type { BaseContext } from './command.ts';
import { usageError } from './user-error.ts';

/** Where a command may take a password from; never from an argument, which every user of the machine sees. */
export const passwordOptions = {
  passwordStdin: { summary: 'Read the password from standard input' },
  passwordFile: { value: 'PATH', summary: 'Read the password from a file (- is standard input)' },
} as const;

interface PasswordSource {
  readonly passwordStdin: boolean;
  readonly passwordFile: string | undefined;
}

/**
 * The password from standard input, a file or the person at the terminal, who types it twice.
 * @throws {UserError} usage (2) when there is none
 */
export const readPassword = async (ctx: BaseContext, from: PasswordSource): Promise<string> => {
  if (from.passwordStdin || from.passwordFile === '-') return checked(await ctx.input.readAll());
  if (from.passwordFile !== undefined) return checked(readFile(from.passwordFile));
  if (!ctx.interactive) throw usageError('A password is needed', 'Add --password-stdin or --password-file');
  const first = await ctx.input.ask('Password (not shown): ', { hidden: true });
  const second = await ctx.input.ask('Once more: ', { hidden: true });
  if (first !== second) throw usageError('The two passwords differ', 'Start again');
  return checked(first ?? '');
};

/** A final line break belongs to the file, not to the password. */
const checked = (text: string): string => {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw usageError('The password is empty', 'Give one of at least 8 characters');
  return password;
};

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usageError(`Cannot read the password file ${path}`, 'Give --password-file the path of a file');
  }
};
