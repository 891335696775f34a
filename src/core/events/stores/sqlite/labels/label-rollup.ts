import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import { LABEL_SUMS, type LabelSum } from '../../log/sums/rollup-sums.ts';
import { C } from '../rows/row.ts';
import { addend } from '../rows/sums.ts';

export { LABEL_SUMS, type LabelSum };

/**
 * The label sums, coarse to fine. `column` is the time since the epoch in units of `ms`. Finished hours and days are
 * moved to `label_packs` (label-packs.ts); a sum is the total of both places.
 */
export const LABEL_ROLLUPS = [
  { table: 'rollup_labels', column: 'day', ms: DAY_MS },
  { table: 'rollup_label_hours', column: 'hour', ms: HOUR_MS },
] as const;
export type LabelRollup = (typeof LABEL_ROLLUPS)[number];
const HOURS_PER_DAY = DAY_MS / HOUR_MS;

type Entry = {
  readonly key: readonly [project: number, time: number, label: number];
  readonly sums: number[];
};
type Entries = Map<string, Entry>;

/** Buffers contributions of calls by hour, day and label and writes them once per transaction. */
export function createLabelRollup(connection: Connection): {
  /** `weight` -1 subtracts rows that were added before. */
  add(rows: readonly SqlValue[][], weight?: 1 | -1): void;
  flush(): void;
  discard(): void;
} {
  const [writeDays, writeHours] = LABEL_ROLLUPS.map((rollup) => createWriter(connection, rollup));
  let hours: Entries = new Map();

  return {
    add(rows, weight = 1) {
      for (const row of rows) if (row[C.is_call] === 1) addCall(hours, row, weight);
    },
    flush() {
      const days: Entries = new Map();
      for (const { key, sums } of hours.values()) {
        const [project, hour, label] = key;
        const day = entryOf(days, [project, Math.floor(hour / HOURS_PER_DAY), label]);
        for (let i = 0; i < sums.length; i++) day.sums[i] = (day.sums[i] ?? 0) + (sums[i] ?? 0);
      }
      writeHours?.(hours);
      writeDays?.(days);
      hours = new Map();
    },
    discard() {
      hours = new Map();
    },
  };
}

function createWriter(connection: Connection, { table, column }: LabelRollup): (entries: Entries) => void {
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
  return (entries) => {
    for (const { key, sums } of entries.values()) {
      upsert.run([...key, ...sums]);
      if (sums.every((sum) => sum <= 0)) removeEmpty.run([...key]);
    }
  };
}

function entryOf(entries: Entries, key: Entry['key']): Entry {
  const id = key.join(' ');
  const known = entries.get(id);
  if (known !== undefined) return known;
  const made = { key, sums: LABEL_SUMS.map(() => 0) };
  entries.set(id, made);
  return made;
}

const ADDENDS = LABEL_SUMS.map(addend);

function addCall(entries: Entries, row: readonly SqlValue[], weight: 1 | -1): void {
  const number = (place: number): number => (row[place] as number | null) ?? 0;
  const key = [number(C.project), Math.floor(number(C.ts) / HOUR_MS), number(C.label)] as const;
  const { sums } = entryOf(entries, key);
  for (const [i, addendOf] of ADDENDS.entries()) sums[i] = (sums[i] ?? 0) + weight * addendOf(row);
}
