import { readFileSync } from 'node:fs';
import { usageError } from '../user-error.ts';

const LEAST = 12;

/** Reads a passphrase from a file: as an argument, every user of the machine would see it. */
export function readPassphrase(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw usageError(`Cannot read the passphrase file ${path}`, 'Pass --passphrase-file the path of a file');
  }
  if (text.length >= LEAST) return text;
  throw usageError(`The passphrase in ${path} is too short`, `Use at least ${LEAST} characters`);
}
