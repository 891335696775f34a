import { existsSync, lchownSync, lstatSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { type Connection, sqliteCode } from './connection.ts';
import { fileError } from './file/file-error.ts';

/** Held while a process may write to the file. The kernel releases it when the process dies. */
export type WriteLock = { release(): void };

/**
 * Takes the lock that makes this process the only writer of `path`: an open exclusive transaction on a small file
 * next to it. Returns null if another process holds it.
 * @throws {DatabaseFileError} if the small file cannot be made
 */
export function takeWriteLock(path: string): WriteLock | null {
  const file = `${path}.lock`;
  let connection: Connection | null = null;
  try {
    connection = new Libsql(file);
    connection.exec('PRAGMA busy_timeout = 0');
    // A journal in a file would need room on the disk, and a server must start on a full one.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    giveToOwner(file, path);
  } catch (error) {
    connection?.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) return null;
    throw fileError(existsSync(file) ? file : path, error);
  }
  const held = connection;
  return {
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** A command that root runs leaves no file that the server of another user cannot open; SQLite does so with its own. */
function giveToOwner(file: string, path: string): void {
  if (process.geteuid?.() !== 0) return;
  // A link that the owner of the folder put there is not followed: root would give away what it points to.
  const lock = lstatSync(file, { throwIfNoEntry: false });
  const database = statSync(path, { throwIfNoEntry: false });
  if (lock === undefined || database === undefined || lock.uid === database.uid) return;
  try {
    lchownSync(file, database.uid, database.gid);
  } catch {
    // The root of a container may not give files to everybody.
  }
}
