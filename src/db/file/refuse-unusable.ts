import { existsSync, statSync } from 'node:fs';
import { takeWriteLock } from '../lock.ts';
import { DatabaseFileError } from './file-error.ts';
import { hasForeignLog } from './file-number.ts';

const RESTORE = 'Restore a backup: `spanledger restore BACKUP --db NEW_FILE`';

/**
 * Refuses what is no file, and what SQLite would open in silence: an empty file becomes a new database, the log of a
 * file that is gone is deleted, and the log of another file is moved into this one. Reads the files without SQLite and
 * changes nothing.
 * @throws {DatabaseFileError}
 */
export function refuseUnusable(path: string): void {
  const file = statSync(path, { throwIfNoEntry: false });
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (file === undefined) {
    if ((log?.size ?? 0) === 0) return;
    throw new DatabaseFileError(`There is no database at ${path}, but its log ${path}-wal is there`, {
      fix: `Put the file back beside its log. ${RESTORE}, if it is lost`,
      kind: 'database_missing',
    });
  }
  if (!file.isFile())
    throw new DatabaseFileError(`${path} is ${file.isDirectory() ? 'a folder' : 'not a file'}`, {
      fix: `Name a file${file.isDirectory() ? ' in it' : ''} with --db`,
      kind: 'database_missing',
    });
  if (file.size === 0)
    throw new DatabaseFileError(`${path} is empty`, {
      fix: `${RESTORE}. To begin anew, delete the empty file`,
      kind: 'database_corrupt',
    });
  if (hasForeignLog(path) && !isServed(path))
    throw new DatabaseFileError(`${path}-wal is the log of another file`, {
      fix: `If a backup was copied over the old file, delete ${path}-wal and ${path}-shm; else put the right file back. Keep copies of both first`,
      kind: 'database_corrupt',
    });
}

/** A server that writes has compared both when it opened them, and its log may be read in the middle of a write. */
function isServed(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false;
  const lock = takeWriteLock(path);
  lock?.release();
  return lock === null;
}
