import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { UTC_DAYS } from '../../../../../lib/time-buckets.ts';
import type { LabelDimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { type Scan, type SumsPart, scansOf, splitWindow } from '../metrics/split-window.ts';
import { S } from '../scan/call-sums.ts';
import { codesOfNumber, codesOfTime } from '../scan/codes.ts';
import { selectEvents } from '../scan/select-events.ts';
import { sumGroups } from '../scan/sum-groups.ts';
import { LABEL_ROLLUPS, LABEL_SUMS } from '../sums/rollup-sums.ts';
import { inColumns, labelEntries } from './label-entries.ts';
import type { LabelGroup, LabelSums } from './label-group.ts';
import { labelValues } from './label-value.ts';

/**
 * Sums of a window's calls by key or by a tag's values: whole days and hours from the label sums, the rest from a
 * scan. The time depends on the number of labels, not events. Groups without calls are left out.
 */
export function queryLabels(reader: Reader, window: Window, dimension: LabelDimension): LabelGroup[] {
  const values = new Map<string | null, number>();
  const groupOf = (value: string | null): number => {
    const known = values.get(value) ?? values.size;
    values.set(value, known);
    return known;
  };
  const places = new Map([[0, groupOf(null)]]);
  for (const [label, value] of labelValues(reader, dimension)) places.set(label, groupOf(value));
  const totals = createTotals(places, values.size, window);
  for (const project of reader.projects) {
    const parts = splitWindow(reader, project, window, DAY_MS);
    for (const part of parts.sums) addSums(totals, reader, project, part);
    for (const scan of scansOf(reader, project, parts)) addScan(totals, scan);
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

/** Adds the label sums of whole hours or days. */
function addSums(
  totals: Totals,
  reader: Reader,
  project: number,
  { rollup: { ms }, from, to }: SumsPart,
): void {
  const rollup = ms === DAY_MS ? LABEL_ROLLUPS[0] : LABEL_ROLLUPS[1];
  const perDay = DAY_MS / ms;
  for (const { time, columns } of labelEntries(reader, project, { rollup, from, to }, LABEL_SUMS))
    totals.add(Math.floor(time / perDay), columns, 1);
}

function addScan(totals: Totals, { ref, window, sign }: Scan): void {
  const selected = selectEvents(ref.open(), { filters: {}, calls: true }, window);
  if (selected === null) return;
  const keys = [codesOfTime(selected.columns, UTC_DAYS), codesOfNumber(selected.columns, 'label')];
  const groups = sumGroups(selected, keys, LABEL_SUMS);
  const rows = groups.map(({ key, sums }) => [...key, ...LABEL_SUMS.map((name) => sums[S[name]] as number)]);
  for (const { time, columns } of inColumns(rows, LABEL_SUMS.length + 1)) totals.add(time, columns, sign);
}
