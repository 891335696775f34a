import { statSync } from 'node:fs';
import { conflict } from '../../errors.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import type { Connection } from '../connection.ts';
import { numberOf } from './file-number.ts';
import { lookInto } from './look-into.ts';

/** The first migration of version 0.1; those of later versions have other names. */
const FIRST_MIGRATION = '0000_init';

/**
 * Refuses a file of version 0.1. The file and its log stay unchanged: it is read without locks and without its log,
 * because an ordinary connection would create or empty the log.
 * @throws AppError 409
 */
export function refuseOldFile(path: string): void {
  if (!isOldFile(path)) return;
  throw conflict(
    `${path} was made by spanledger 0.1; make a file of this version from it: spanledger upgrade ${shellWord(path)} NEW_FILE`,
  );
}

/** Whether version 0.1 made the file. False if it is not a database; the ordinary opening says so. */
export const isOldFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true &&
  lookInto(path, holdsFirstMigration) === true;

function holdsFirstMigration(connection: Connection): boolean {
  // Version 0.1 gave files no number.
  if (numberOf(connection) !== null) return false;
  return connection.prepare('SELECT 1 FROM migrations WHERE name = ?').all([FIRST_MIGRATION]).length > 0;
}
