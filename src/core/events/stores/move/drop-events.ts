import { openWriteConnection } from '../../../../db/connection.ts';
import { eventTables } from '../sqlite/tables.ts';

/** What events on ClickHouse need in the file, too. */
const NEEDED: readonly string[] = ['undated_events', 'event_outbox'];

/** Deletes all events of a file, and what stands beside them. Nothing else may have the file open for writing. */
export function dropEvents(path: string): void {
  const connection = openWriteConnection(path);
  try {
    for (const { name } of eventTables) if (!NEEDED.includes(name)) connection.exec(`DELETE FROM ${name}`);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}
