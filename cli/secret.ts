import { readFileSync } from 'node:fs';
import type { BaseContext } from './command.ts';
import { usageError } from './user-error.ts';

/** Sources of a password. Arguments are not among them, because every user of the machine sees them. */
export const passwordOptions = {
  passwordStdin: { summary: 'Read the password from standard input' },
  passwordFile: { value: 'PATH', summary: 'Read the password from a file (- is standard input)' },
} as const;

interface PasswordSource {
  readonly passwordStdin: boolean;
  readonly passwordFile: string | undefined;
}

/**
 * The password from standard input, a file or a prompt, which asks twice.
 * @throws {UserError} usage (2) if there is none
 */
export const readPassword = async (ctx: BaseContext, from: PasswordSource): Promise<string> => {
  if (from.passwordStdin || from.passwordFile === '-') return checked(await ctx.input.readAll());
  if (from.passwordFile !== undefined) return checked(readFile(from.passwordFile));
  if (!ctx.interactive) throw usageError('A password is required', 'Add --password-stdin or --password-file');
  const first = await ctx.input.ask('Password (not shown): ', { hidden: true });
  const second = await ctx.input.ask('Repeat password: ', { hidden: true });
  if (first !== second) throw usageError('The two passwords differ', 'Run the command again');
  return checked(first ?? '');
};

/** Removes the final line break, which belongs to the file. */
const checked = (text: string): string => {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw usageError('The password is empty', 'Use at least 8 characters');
  return password;
};

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usageError(`Cannot read the password file ${path}`, 'Pass --password-file the path of a file');
  }
};
