import type { Connection } from '../../../../../db/connection.ts';
import { LABEL_SUMS } from './rollup-sums.ts';
import type { LabelDelta } from './sum-deltas.ts';

const HOURS_PER_DAY = 24;

/**
 * Adds contributions to the label sums by hour and day. What is packed already (`label_packs`) stays as it is: the
 * rows are deltas to it.
 */
export function createLabelWriter(
  connection: Connection,
): (project: number, deltas: readonly LabelDelta[]) => void {
  const writeHour = createEntryWriter(connection, 'rollup_label_hours', 'hour');
  const writeDay = createEntryWriter(connection, 'rollup_labels', 'day');
  return (project, deltas) => {
    const days = new Map<string, { day: number; label: number; sums: number[] }>();
    for (const { hour, label, sums } of deltas) {
      writeHour([project, hour, label], sums);
      const day = Math.floor(hour / HOURS_PER_DAY);
      const id = `${day} ${label}`;
      const own = days.get(id) ?? { day, label, sums: LABEL_SUMS.map(() => 0) };
      days.set(id, own);
      for (let i = 0; i < sums.length; i++) own.sums[i] = (own.sums[i] as number) + (sums[i] as number);
    }
    for (const { day, label, sums } of days.values()) writeDay([project, day, label], sums);
  };
}

function createEntryWriter(
  connection: Connection,
  table: string,
  column: string,
): (key: readonly number[], sums: readonly number[]) => void {
  const columns = ['project', column, 'label', ...LABEL_SUMS];
  const upsert = connection.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${LABEL_SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
  );
  const removeEmpty = connection.prepare(
    // For a packed hour the row is a delta, which may have a cost but no calls.
    `DELETE FROM ${table} WHERE project = ? AND ${column} = ? AND label = ?
       AND ${LABEL_SUMS.map((name) => `${name} = 0`).join(' AND ')}`,
  );
  return (key, sums) => {
    upsert.run([...key, ...sums]);
    if (sums.every((sum) => sum <= 0)) removeEmpty.run([...key]);
  };
}
