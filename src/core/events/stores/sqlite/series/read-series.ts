import type { Reader } from '../../../../../db/reader.ts';
import { sketchBin } from '../../../../../lib/sketch.ts';
import { areOfGuardrails } from '../../../measures.ts';
import type { Dimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import type { SeriesPart, SeriesQuery, SeriesShape, SeriesTime } from '../../../series.ts';
import { dimensionValue, isEventDimension } from '../../shared/metrics/dimensions.ts';
import { FLAG } from '../columns.ts';
import { withLabels } from '../labels/label-filter.ts';
import { labelValues } from '../labels/label-value.ts';
import { scansOf } from '../metrics/split-window.ts';
import { createSums, micros, S, type SumArray } from '../scan/call-sums.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Codes, codesOf, codesOfLabel, codesOfTime, keyAt } from '../scan/codes.ts';
import { mixedAdderOf } from '../scan/mixed-sums.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { type Columns, type Selected, selectEvents } from '../scan/select-events.ts';
import { groupEvents } from '../sums/group-events.ts';

type Prepared = SeriesShape & {
  /** The same for shapes with the same filters. */
  readonly about: string;
  readonly selection: RowSelection;
  codes(columns: Columns): Codes[];
};

/** Bins of a time and their counts. */
type Bins = Map<number, number>;
type Cell = {
  readonly step: number;
  readonly group: number;
  readonly sums: SumArray;
  readonly times: readonly Bins[];
};
type Part = { readonly groups: Map<string, number>; readonly cells: Map<string, Cell> };

/** Sums of calls in steps, from the events themselves: each chunk is opened once for all shapes of a range. */
export function readSeries(reader: Reader, { shapes, ranges }: SeriesQuery): SeriesPart[] {
  const prepared = shapes.map((shape) => prepare(reader, shape));
  return ranges.flatMap((range, place) => {
    const parts = new Map<number, Part>();
    for (const project of reader.projects)
      for (const { ref } of scansOf(reader, project, {
        sums: [],
        ends: [{ window: range, sign: 1 }],
        unsealed: range,
      }))
        addChunk(ref.open(), range, prepared, parts);
    return [...parts].map(([shape, part]) => toPart(place, shape, part, shapes[shape]));
  });
}

function prepare(reader: Reader, shape: SeriesShape): Prepared {
  const { filters, groupBy, sums } = shape;
  const guardrails = areOfGuardrails(sums);
  const selection = withLabels(reader, { filters, calls: true, guardrails });
  const labels = groupBy === null || isEventDimension(groupBy) ? null : labelValues(reader, groupBy);
  return {
    ...shape,
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

function addChunk(
  chunk: Chunk,
  range: SeriesQuery['ranges'][number],
  prepared: readonly Prepared[],
  parts: Map<number, Part>,
): void {
  const selections = new Map<string, Selected | null>();
  const select = ({ about, selection }: Prepared, window: Window): Selected | null => {
    const known = selections.get(about);
    if (known !== undefined) return known;
    const found = selectEvents(chunk, selection, window);
    selections.set(about, found);
    return found;
  };
  for (const place of range.shapes) {
    const shape = prepared[place];
    const selected = shape === undefined ? null : select(shape, range);
    if (shape === undefined || selected === null) continue;
    const part = parts.get(place) ?? { groups: new Map(), cells: new Map() };
    parts.set(place, part);
    addSelected(part, selected, shape, range.step);
  }
}

function addSelected(part: Part, { columns, mask }: Selected, shape: Prepared, step: number): void {
  const keys = [
    codesOfTime(columns, { numberOf: (time) => Math.floor(time / step) }),
    ...shape.codes(columns),
  ];
  const { of, firsts } = groupEvents(
    columns.events,
    keys.map(({ codes }) => codes),
    mask,
  );
  const cells = firsts.map((place) => cellOf(part, shape, keyAt(keys, place)));
  const add = mixedAdderOf(columns, shape.sums);
  const times = shape.times.map((time) => timesOf(columns, time));
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const cell = cells[of[place] as number] as Cell;
    add(cell.sums, place);
    for (const [i, at] of times.entries()) {
      const value = at(place);
      const bins = cell.times[i];
      if (Number.isNaN(value) || bins === undefined) continue;
      const bin = sketchBin(micros(value));
      bins.set(bin, (bins.get(bin) ?? 0) + 1);
    }
  }
}

function cellOf(part: Part, { groupBy, times }: Prepared, key: ReturnType<typeof keyAt>): Cell {
  const [step, value = ''] = key;
  const name = groupBy === null ? '' : (dimensionValue(groupBy, value) ?? '');
  const group = part.groups.get(name) ?? part.groups.size;
  part.groups.set(name, group);
  const id = `${step} ${group}`;
  const cell = part.cells.get(id) ?? {
    step: Number(step),
    group,
    sums: createSums(),
    times: times.map((): Bins => new Map()),
  };
  part.cells.set(id, cell);
  return cell;
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

function toPart(range: number, shape: number, part: Part, asked: SeriesShape | undefined): SeriesPart {
  const places = (asked?.sums ?? []).map((name) => S[name]);
  const cells = [...part.cells.values()];
  return {
    range,
    shape,
    groups: [...part.groups.keys()],
    cells: cells.flatMap(({ step, group, sums }) => [
      step,
      group,
      ...places.map((place) => sums[place] as number),
    ]),
    times: cells.flatMap(({ times }) => times.map((bins) => [...bins].flat())),
  };
}
