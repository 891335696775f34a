import type { Reader } from '../../../../../db/reader.ts';
import { sketchBin } from '../../../../../lib/sketch.ts';
import { areOfGuardrails } from '../../../measures.ts';
import type { Dimension } from '../../../metrics.ts';
import type { SeriesPart, SeriesQuery, SeriesShape, SeriesTime } from '../../../series.ts';
import { isEventDimension } from '../../shared/metrics/dimensions.ts';
import { FLAG } from '../columns.ts';
import { withLabels } from '../labels/label-filter.ts';
import { labelValues } from '../labels/label-value.ts';
import { type Parts, scansOf, splitForStored } from '../metrics/split-window.ts';
import { micros } from '../scan/call-sums.ts';
import { type Codes, codesOf, codesOfLabel, codesOfTime, keyAt } from '../scan/codes.ts';
import { mixedAdderOf } from '../scan/mixed-sums.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { type Columns, type Selected, selectEvents } from '../scan/select-events.ts';
import { type EventGroups, groupEvents } from '../sums/group-events.ts';
import { addRolled, isRolledShape, type RolledShape, rollupsOf } from './rolled-series.ts';
import { addBin, type Bins, type Cell, type Cells, createCells } from './series-cells.ts';

type Prepared = RolledShape & {
  /** The same for shapes with the same filters. */
  readonly about: string;
  readonly selection: RowSelection;
  codes(columns: Columns): Codes[];
};

type Range = SeriesQuery['ranges'][number];

/** What a range has of some shapes by their places in the query. */
type Found = { readonly shapes: ReadonlyMap<number, Prepared>; cellsOf(place: number): Cells };

/**
 * Sums of calls in steps. Those of whole hours and days come from the roll-ups where these have the filters and the
 * dimension; all others from the events themselves: each chunk is opened once for all shapes of a range.
 */
export function readSeries(reader: Reader, { shapes, ranges, fromEvents }: SeriesQuery): SeriesPart[] {
  const prepared = shapes.map((shape) => prepare(reader, shape));
  return ranges.flatMap((range, place) => {
    const parts = new Map<number, Cells>();
    const find = (isRolled: boolean): Found => ({
      shapes: new Map(
        range.shapes.flatMap((at) => {
          const shape = prepared[at];
          const isOwn = shape !== undefined && isRolled === (!fromEvents && isRolledShape(shape, range.step));
          return isOwn ? [[at, shape]] : [];
        }),
      ),
      cellsOf(at) {
        const cells = parts.get(at) ?? createCells(shapes[at] as SeriesShape);
        parts.set(at, cells);
        return cells;
      },
    });
    const [rolled, scanned] = [find(true), find(false)];
    for (const project of reader.projects) {
      if (rolled.shapes.size > 0) {
        const split = splitForStored(reader, project, range, rollupsOf(range.step));
        for (const part of split.sums)
          for (const [at, shape] of rolled.shapes)
            addRolled(reader, rolled.cellsOf(at), shape, { project, part, step: range.step });
        scan(reader, project, split, { range, found: rolled });
      }
      const whole = { sums: [], ends: [{ window: range, sign: 1 as const }], unsealed: range };
      if (scanned.shapes.size > 0) scan(reader, project, whole, { range, found: scanned });
    }
    return [...parts].map(([shape, cells]) => cells.toPart(place, shape));
  });
}

function prepare(reader: Reader, shape: SeriesShape): Prepared {
  const { filters, groupBy, sums } = shape;
  const guardrails = areOfGuardrails(sums);
  const selection = withLabels(reader, { filters, calls: true, guardrails });
  const labels = groupBy === null || isEventDimension(groupBy) ? null : labelValues(reader, groupBy);
  return {
    ...shape,
    filters: selection.filters,
    about: JSON.stringify([filters, guardrails]),
    selection,
    codes: (columns) => (groupBy === null ? [] : [codesOfGroup(columns, groupBy, labels)]),
  };
}

type LabelValues = ReturnType<typeof labelValues>;

function codesOfGroup(columns: Columns, groupBy: Dimension, labels: LabelValues | null): Codes {
  if (isEventDimension(groupBy)) return codesOf(columns, groupBy);
  return codesOfLabel(columns, (label) => labels?.get(label) ?? null);
}

function scan(
  reader: Reader,
  project: number,
  parts: Parts,
  { range, found }: { readonly range: Range; readonly found: Found },
): void {
  for (const { ref, window, sign } of scansOf(reader, project, parts)) {
    const chunk = ref.open();
    const selections = new Map<string, Selected | null>();
    const groupings = new Map<string, Grouping>();
    for (const [place, shape] of found.shapes) {
      const { about, selection, groupBy } = shape;
      if (!selections.has(about)) selections.set(about, selectEvents(chunk, selection, window));
      const selected = selections.get(about) ?? null;
      if (selected === null) continue;
      const id = `${about} ${groupBy}`;
      const grouping = groupings.get(id) ?? groupSelected(selected, shape, range.step);
      groupings.set(id, grouping);
      addSelected(found.cellsOf(place), selected, shape, { ...grouping, sign });
    }
  }
}

/** The selected events of a chunk by step and value of the dimension. */
type Grouping = EventGroups & { readonly keys: readonly Codes[] };

function groupSelected({ columns, mask }: Selected, shape: Prepared, step: number): Grouping {
  const keys = [
    codesOfTime(columns, { numberOf: (time) => Math.floor(time / step) }),
    ...shape.codes(columns),
  ];
  const codes = keys.map((key) => key.codes);
  return { keys, ...groupEvents(columns.events, codes, mask) };
}

function addSelected(
  cells: Cells,
  { columns, mask }: Selected,
  shape: Prepared,
  { of, firsts, keys, sign }: Grouping & { readonly sign: 1 | -1 },
): void {
  const own = firsts.map((place) => {
    const [at, value = ''] = keyAt(keys, place);
    return cells.at(Number(at), value);
  });
  const add = mixedAdderOf(columns, shape.sums);
  const times = shape.times.map((time) => timesOf(columns, time));
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const cell = own[of[place] as number] as Cell;
    add(cell.sums, place, sign);
    for (let i = 0; i < times.length; i++) {
      const value = (times[i] as (place: number) => number)(place);
      if (!Number.isNaN(value)) addBin(cell.times[i] as Bins, sketchBin(micros(value)), sign);
    }
  }
}

/** A time of the call at a place in milliseconds; NaN without one. The time to the first token is of streamed calls. */
function timesOf(columns: Columns, time: SeriesTime): (place: number) => number {
  if (time === 'latency') {
    const latency = columns.numbers('latency_ms');
    return (place) => latency[place] as number;
  }
  const ttft = columns.numbers('ttft_ms');
  const flags = columns.bytes('flags');
  return (place) => (((flags[place] as number) & FLAG.stream) === 0 ? Number.NaN : (ttft[place] as number));
}
