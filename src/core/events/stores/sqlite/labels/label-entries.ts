import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import { bufferOf } from '../sums/blob.ts';
import { decodeColumns } from '../sums/narrow-columns.ts';
import { LABEL_SUMS, type LabelRollup, type LabelSum } from '../sums/rollup-sums.ts';

/** Sums of some labels over an hour or a day, in columns: the labels, then each requested sum. */
export type LabelEntry = { readonly time: number; readonly columns: readonly Float64Array[] };

/**
 * The sums of a project's labels over hours or days, `from` and `to` in their unit. Packed sums and later additions
 * are separate entries, which the caller must add up.
 */
export function* labelEntries(
  reader: Reader,
  project: number,
  { rollup, from, to }: Window & { readonly rollup: LabelRollup },
  sums: readonly LabelSum[],
): Generator<LabelEntry> {
  const { table, column, ms } = rollup;
  const places = [0, ...sums.map((name) => LABEL_SUMS.indexOf(name) + 1)];
  const packs = reader.rows(
    'SELECT time, sums FROM label_packs WHERE project = ? AND hours = ? AND time >= ? AND time < ?',
    [project, ms / HOUR_MS, from, to],
  );
  for (const [time, blob] of packs) {
    const packed = decodeColumns(bufferOf(blob));
    yield { time: Number(time), columns: places.map((place) => new Float64Array(packed[place] ?? [])) };
  }
  const rows = reader.rows(
    `SELECT ${[column, 'label', ...sums].join(', ')} FROM ${table}
     WHERE project = ? AND ${column} >= ? AND ${column} < ?`,
    [project, from, to],
  );
  yield* inColumns(rows, places.length);
}

/** Groups rows of time, label and sums into entries. */
export function* inColumns(rows: readonly SqlValue[][], width: number): Generator<LabelEntry> {
  for (const [time, own] of Map.groupBy(rows, ([time]) => Number(time))) {
    const columns = Array.from({ length: width }, (_, place) =>
      Float64Array.from(own, (row) => Number(row[place + 1])),
    );
    yield { time, columns };
  }
}
