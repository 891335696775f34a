import Libsql from 'libsql';
import { type Connection, sqliteCode } from './connection.ts';

/** Held while a process may write to the file. The kernel releases it when the process dies. */
export type WriteLock = { release(): void };

/**
 * Takes the lock that makes this process the only writer of `path`: an open exclusive transaction on a small file
 * next to it. Returns null if another process holds it.
 */
export function takeWriteLock(path: string): WriteLock | null {
  const connection: Connection = new Libsql(`${path}.lock`);
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    connection.exec('PRAGMA journal_mode = DELETE');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return {
    release() {
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}
