import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { conflict } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { numberOf } from './file-number.ts';

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
    `${path} was made by spanledger 0.1; make a file of this version from it: spanledger upgrade ${path} NEW_FILE`,
  );
}

/** Whether version 0.1 made the file. */
export const isOldFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true && holdsFirstMigration(path);

/** Also false if the file is not a database or is being written; the ordinary opening handles these cases. */
function holdsFirstMigration(path: string): boolean {
  let connection: Connection | null = null;
  try {
    // Version 0.1 gave files no number, which is read without opening a connection.
    if (numberOf(path) !== null) return false;
    connection = new Libsql(`${pathToFileURL(path).href}?immutable=1`);
    const rows = connection.prepare('SELECT 1 FROM migrations WHERE name = ?').all([FIRST_MIGRATION]);
    return rows.length > 0;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}
