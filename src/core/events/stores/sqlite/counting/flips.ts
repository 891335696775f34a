import type { Connection, SqlValue } from '../../../../../db/connection.ts';

/**
 * The places of a batch or segment whose flag `call` is not the one in its columns. They are few, so they are stored
 * beside them.
 */
export type Flips = {
  /** Places by the number of the batch or segment. */
  of(number: number): ReadonlySet<number>;
  /** Changes the flags of places once more. */
  toggle(project: number, number: number, changed: readonly number[]): void;
};

/** @param key `event_log_flips` by `seq`, `event_segment_flips` by `no` */
export function createFlips(
  connection: Connection,
  table: 'event_log_flips' | 'event_segment_flips',
  key: 'seq' | 'no',
): Flips {
  const read = connection.prepare(`SELECT places FROM ${table} WHERE ${key} = ?`).raw(true);
  const remove = connection.prepare(`DELETE FROM ${table} WHERE ${key} = ?`);
  const write = connection.prepare(
    `INSERT INTO ${table} (${key}, project, places) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET places = excluded.places`,
  );
  const placesOf = (number: number): Set<number> => {
    const [row] = read.all([number]) as SqlValue[][];
    return new Set(row === undefined ? [] : (JSON.parse(String(row[0])) as number[]));
  };
  return {
    of: placesOf,
    toggle(project, number, changed) {
      if (changed.length === 0) return;
      const places = placesOf(number);
      for (const place of changed) if (!places.delete(place)) places.add(place);
      if (places.size === 0) remove.run([number]);
      else write.run([number, project, JSON.stringify([...places])]);
    },
  };
}
