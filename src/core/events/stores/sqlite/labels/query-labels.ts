import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { LabelDimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { type Part, splitByHours } from '../rollups/split-window.ts';
import { rawSum } from '../rows/sums.ts';
import { inColumns, labelEntries } from './label-entries.ts';
import type { LabelGroup, LabelSums } from './label-group.ts';
import { LABEL_ROLLUPS, LABEL_SUMS } from './label-rollup.ts';
import { valueOfLabel } from './label-value.ts';

/**
 * Sums of a window's calls by key or by a tag's values: whole days and hours from the label sums, at most half an
 * hour at each end from the rows. The time depends on the number of labels, not events. Groups without calls are left
 * out.
 */
export function queryLabels(reader: Reader, window: Window, dimension: LabelDimension): LabelGroup[] {
  const values = new Map<string | null, number>();
  const groupOf = (value: string | null): number => {
    const known = values.get(value) ?? values.size;
    values.set(value, known);
    return known;
  };
  const places = new Map([[0, groupOf(null)]]);
  for (const project of reader.projects) {
    for (const [id, json] of reader.rows('SELECT id, json FROM event_labels WHERE project = ?', [project]))
      places.set(Number(id), groupOf(valueOfLabel(String(json), dimension)));
  }
  const totals = createTotals(places, values.size, window);
  for (const project of reader.projects) {
    for (const part of splitByHours(reader, project, window)) addPart(totals, reader, project, part);
  }
  return [...values]
    .map(([value, group]) => ({ value, ...totals.of(group) }))
    .filter(({ sums }) => sums.requests !== 0);
}

type Totals = {
  /** Adds columns of one day or less: labels, and the sums in the order of `LABEL_SUMS`. */
  add(day: number, columns: readonly Float64Array[], sign: 1 | -1): void;
  of(group: number): Omit<LabelGroup, 'value'>;
};

/** @param places the group of each label */
function createTotals(places: ReadonlyMap<number, number>, groups: number, { from, to }: Window): Totals {
  const [first, end] = [Math.floor(from / DAY_MS), Math.ceil(to / DAY_MS)];
  const days = Math.max(0, end - first);
  const sums = LABEL_SUMS.map(() => new Float64Array(groups));
  const costs = new Float64Array(groups * days);

  return {
    add(day, [labels = new Float64Array(), ...columns], sign) {
      const at = Int32Array.from(labels, (label) => places.get(label) ?? 0);
      for (const [place, values] of columns.entries()) {
        const own = sums[place] as Float64Array;
        for (let i = 0; i < at.length; i++) {
          const group = at[i] as number;
          own[group] = (own[group] as number) + sign * (values[i] as number);
        }
      }
      const nano = columns[COST] as Float64Array;
      for (let i = 0; i < at.length; i++) {
        const place = (at[i] as number) * days + day - first;
        costs[place] = (costs[place] as number) + sign * (nano[i] as number);
      }
    },
    of: (group) => ({
      sums: Object.fromEntries(LABEL_SUMS.map((name, i) => [name, sums[i]?.[group] ?? 0])) as LabelSums,
      costs: costs.subarray(group * days, (group + 1) * days),
    }),
  };
}

const COST = LABEL_SUMS.indexOf('cost_nano');

/** Adds a part of the window: from label sums, or from rows if it is shorter than an hour. */
function addPart(totals: Totals, reader: Reader, project: number, { source, from, to, sign }: Part): void {
  const rollup = LABEL_ROLLUPS.find(({ ms }) => ms === source.ms);
  if (rollup !== undefined) {
    const perDay = DAY_MS / rollup.ms;
    for (const { time, columns } of labelEntries(reader, project, { rollup, from, to }, LABEL_SUMS))
      totals.add(Math.floor(time / perDay), columns, sign);
    return;
  }
  const rows = reader.rows(
    `SELECT ts / ${DAY_MS}, label, ${LABEL_SUMS.map((name) => rawSum(name)).join(', ')} FROM events
     WHERE project = ? AND ts >= ? AND ts < ? AND is_call = 1 GROUP BY 1, 2`,
    [project, from * source.ms, to * source.ms],
  );
  for (const { time, columns } of inColumns(rows, LABEL_SUMS.length + 1)) totals.add(time, columns, sign);
}
