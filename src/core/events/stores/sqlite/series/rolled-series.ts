import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { createSketch, decodeSketch } from '../../../../../lib/sketch.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import { areOfGuardrails, type Sum } from '../../../measures.ts';
import type { SeriesShape } from '../../../series.ts';
import { areRolled, rolledColumn } from '../../shared/metrics/dimensions.ts';
import { fromRollup, groupBySql, rollupSums } from '../metrics/rollup-sql.ts';
import type { Rollup, SumsPart } from '../metrics/split-window.ts';
import { S } from '../scan/call-sums.ts';
import type { RowFilters } from '../scan/row-selection.ts';
import { ROLLUP_DAYS, ROLLUP_HOURS } from '../sums/rollup-sums.ts';
import { isRolledUp } from '../sums/sum-filters.ts';
import { addBin, type Cells } from './series-cells.ts';

/** A shape whose filters are looked up: their patterns are names by then, which the sums know. */
export type RolledShape = Omit<SeriesShape, 'filters'> & { readonly filters: RowFilters };

/** Whether whole steps of a shape can be read from sums: of hours or days, with what the roll-ups have. */
export const isRolledShape = ({ filters, groupBy, times }: RolledShape, step: number): boolean =>
  step % HOUR_MS === 0 &&
  isRolledUp(filters) &&
  areRolled(groupBy === null ? [] : [groupBy]) &&
  times.every((time) => time === 'latency');

/** The sums of which steps of a length are made, coarse to fine. */
export const rollupsOf = (step: number): readonly Rollup[] =>
  [ROLLUP_DAYS, ROLLUP_HOURS].filter(({ ms }) => step % ms === 0);

/** Adds the sums of a part of a project to the cells of a shape. */
export function addRolled(
  reader: Reader,
  cells: Cells,
  shape: RolledShape,
  { project, part, step }: { readonly project: number; readonly part: SumsPart; readonly step: number },
): void {
  const { rollup } = part;
  const guardrails = areOfGuardrails(shape.sums);
  const keys = [
    `${rollup.column} / ${step / rollup.ms}`,
    ...(shape.groupBy === null ? [] : [rolledColumn(shape.groupBy)]),
  ];
  const from = fromRollup(shape, project, part, guardrails);
  // They tell whether a cell has any.
  const sums: readonly Sum[] = [
    ...new Set<Sum>([...shape.sums, 'requests', ...(guardrails ? (['guardrail_checks'] as const) : [])]),
  ];
  const cellOf = (row: readonly SqlValue[]) =>
    cells.at(Number(row[0]), shape.groupBy === null ? '' : (row[1] ?? null));
  const found = reader.rows(
    `SELECT ${[...keys, ...rollupSums(sums)].join(', ')} ${from.sql} ${groupBySql(keys)}`,
    from.args,
  );
  for (const row of found) {
    const cell = cellOf(row);
    for (const [i, name] of sums.entries())
      cell.sums[S[name]] = (cell.sums[S[name]] as number) + Number(row[keys.length + i]);
  }
  if (shape.times.length === 0) return;
  // Few rows with all sketches of a cell are read faster than many.
  const timed = reader.rows(
    `SELECT ${[...keys, 'group_concat(hex(latency_sketch))'].join(', ')} ${from.sql} AND latency_count > 0
     ${groupBySql(keys)}`,
    from.args,
  );
  const sketch = createSketch();
  for (const row of timed) {
    for (const hex of String(row[keys.length]).split(',')) decodeSketch(Uint8Array.fromHex(hex), sketch);
    for (const bins of cellOf(row).times)
      for (let bin = 0; bin < sketch.length; bin++) {
        const count = sketch[bin] as number;
        if (count !== 0) addBin(bins, bin, count);
      }
    sketch.fill(0);
  }
}
