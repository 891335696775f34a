import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { Sums } from '../changes/sums-of.ts';
import { C, INSERT_EVENT, restoreIds } from '../rows/row.ts';
import { createRecentIds, recentKey } from './recent-ids.ts';

/** Inserts a row; false if the event is already stored. For `isUndated` see `RecordBatch.undated`. */
export type StoreRow = (row: SqlValue[], keyId: string | null, isUndated: boolean) => boolean;

export function createStoreRow(connection: Connection, { shapes, labels }: Sums): StoreRow {
  const insert = connection.prepare(INSERT_EVENT);
  const findEvent = connection
    .prepare('SELECT 1 FROM events WHERE project = ? AND ts = ? AND event_id = ?')
    .raw(true);
  const settleTime = createSettleTime(connection);
  const recentIds = createRecentIds();

  const isStored = (row: readonly SqlValue[], ts: number): boolean =>
    findEvent.all([row[C.project] ?? null, ts, row[C.event_id] ?? null]).length > 0;

  return (row, keyId, isUndated) => {
    const key = recentKey(row[C.project] as number, row[C.event_id] as string);
    const known = recentIds.timeOf(key);
    restoreIds(row);
    if (known !== undefined && known !== row[C.ts] && isStored(row, known)) return false;
    if (isUndated) settleTime(row);
    labels.settle(row, keyId);
    shapes.settle(row);
    recentIds.note(key, row[C.ts] as number);
    return insert.run(row).changes > 0;
  };
}

/** Sets the time of a row without a timestamp to the event's first receipt, which may be now. */
function createSettleTime(connection: Connection): (row: SqlValue[]) => void {
  const find = connection
    .prepare('SELECT ts FROM undated_events WHERE project = ? AND event_id = ?')
    .raw(true);
  const insert = connection.prepare('INSERT INTO undated_events (project, event_id, ts) VALUES (?, ?, ?)');
  return (row) => {
    const key = [row[C.project] ?? null, row[C.event_id] ?? null];
    const [known] = find.all(key) as SqlValue[][];
    if (known === undefined) insert.run([...key, row[C.ts] ?? null]);
    else row[C.ts] = known[0] ?? null;
  };
}
