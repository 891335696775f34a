import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { uuidToBytes } from '../rows/ids.ts';
import { EVENT_COLUMNS } from '../rows/row.ts';
import type { Flip } from './span-counter.ts';

/**
 * Changes whether a stored event counts as a call.
 * @returns the row before the change; none if it is gone or already correct
 */
export type FlipCall = (project: number, flip: Flip) => SqlValue[][];

export function createFlipCall(connection: Connection): FlipCall {
  const read = connection
    .prepare(
      `SELECT ${EVENT_COLUMNS.join(', ')} FROM events WHERE project = ? AND ts = ? AND event_id = ? AND is_call = ?`,
    )
    .raw(true);
  const set = connection.prepare(
    'UPDATE events SET is_call = ? WHERE project = ? AND ts = ? AND event_id = ?',
  );
  return (project, { ts, eventId, isCall }) => {
    const key = [project, ts, uuidToBytes(eventId)];
    const rows = read.all([...key, 1 - isCall]) as SqlValue[][];
    if (rows.length > 0) set.run([isCall, ...key]);
    return rows;
  };
}
