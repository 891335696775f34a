import { readFileSync } from 'node:fs';
import type { BaseContext } from './command.ts';
import { usageError } from './user-error.ts';

/**
 * The text of a file, or of standard input (`-`).
 * @throws {UserError} usage (2) if it cannot be read
 */
export const readSource = async (ctx: BaseContext, from: string): Promise<string> => {
  if (from === '-') return ctx.input.readAll();
  if (/^https?:\/\//.test(from))
    throw usageError(`${from} is an address`, 'Pass the path of a file, or - for standard input');
  try {
    return readFileSync(from, 'utf8');
  } catch {
    throw usageError(`Cannot read ${from}`, 'Pass the path of a file, or - for standard input');
  }
};
