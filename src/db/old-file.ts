import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { conflict } from '../errors.ts';
import type { Connection } from './connection.ts';

/** The first migration of version 0.1; those of later versions have other names. */
const FIRST_MIGRATION = '0000_init';

/**
 * Refuses a file that version 0.1 made. The file and what lies beside it stay as they are: it is read without
 * locks and without its log, which an ordinary connection would create or empty.
 * @throws AppError 409
 */
export function refuseOldFile(path: string): void {
  if (!existsSync(path) || !holdsFirstMigration(path)) return;
  throw conflict(
    `${path} was made by spanledger 0.1, and this version can't read such files yet; open it with version 0.1, or name another file`,
  );
}

/** False too for what is no database or is being written just now: the ordinary opening deals with that. */
function holdsFirstMigration(path: string): boolean {
  let connection: Connection | null = null;
  try {
    connection = new Libsql(`${pathToFileURL(path).href}?immutable=1`);
    const rows = connection.prepare('SELECT 1 FROM migrations WHERE name = ?').all([FIRST_MIGRATION]);
    return rows.length > 0;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}
