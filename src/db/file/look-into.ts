import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import type { Connection } from '../connection.ts';

/**
 * Reads a database file as it is, without its log and without locks. Nothing is written, not even beside it.
 *
 * By SQLite, though a few bytes would do: when a process closes a file that it opened by itself, the system takes away
 * all locks on it that the connections of this process hold, and another process that closes its own may then delete
 * the log under them. See https://www.sqlite.org/howtocorrupt.html, section 2.2.
 * @returns null if it is not a database, or is being written
 */
export function lookInto<T>(path: string, look: (connection: Connection) => T): T | null {
  let connection: Connection | null = null;
  try {
    connection = new Libsql(`${pathToFileURL(path).href}?immutable=1`);
    return look(connection);
  } catch {
    return null;
  } finally {
    connection?.close();
  }
}
