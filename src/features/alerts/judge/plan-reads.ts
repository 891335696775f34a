import type { SeriesPart, SeriesQuery } from '../../../core/events/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { Cells } from './cells.ts';
import type { ShapeCells } from './evaluator.ts';
import { DAY, eachCell, type Span, STEPS, type StepLength } from './minutes.ts';

/** Cells of some shapes to read, in a row. */
type Range = {
  readonly step: StepLength;
  readonly from: number;
  readonly to: number;
  readonly shapes: ShapeCells[];
};
/** One read of the store, and where its answer goes. */
export type PlannedRead = { readonly query: SeriesQuery; load(parts: readonly SeriesPart[]): void };

/** Most of one read, so that it ends long before its deadline: minutes of events, ranges and shapes. */
const MAX_MINUTES = DAY;
const MAX_RANGES = 100;
const MAX_SHAPES = 50;

/** The reads that the spans of some shapes need. */
export function planReads(wanted: ReadonlyMap<ShapeCells, readonly Span[]>): PlannedRead[] {
  const ranges = new Map<string, Range>();
  for (const [shape, spans] of wanted)
    for (const { step, from, to } of missingOf(shape.cells, spans)) {
      const key = `${step} ${from} ${to}`;
      const range = ranges.get(key) ?? { step, from, to, shapes: [] };
      range.shapes.push(shape);
      ranges.set(key, range);
    }
  return groupRanges([...ranges.values()].flatMap(splitShapes)).map(toRead);
}

/** The cells of spans that are not known, as ranges. */
function missingOf(cells: Cells, spans: readonly Span[]): (Span & { step: StepLength })[] {
  const missing = new Map<StepLength, Set<number>>(STEPS.map((step) => [step, new Set()]));
  for (const span of spans)
    eachCell(span, (step, index) => {
      if (cells.get(step, index) === undefined) missing.get(step)?.add(index);
    });
  return [...missing].flatMap(([step, indexes]) => {
    const most = Math.max(1, MAX_MINUTES / step);
    const found: (Span & { step: StepLength })[] = [];
    for (const index of [...indexes].sort((a, b) => a - b)) {
      const last = found.at(-1);
      if (last?.to === index * step && (last.to - last.from) / step < most)
        found[found.length - 1] = { ...last, to: last.to + step };
      else found.push({ step, from: index * step, to: (index + 1) * step });
    }
    return found;
  });
}

function splitShapes(range: Range): Range[] {
  const count = Math.ceil(range.shapes.length / MAX_SHAPES);
  return Array.from({ length: count }, (_, i) => ({
    ...range,
    shapes: range.shapes.slice(i * MAX_SHAPES, (i + 1) * MAX_SHAPES),
  }));
}

function groupRanges(ranges: readonly Range[]): Range[][] {
  const groups: { ranges: Range[]; minutes: number; shapes: Set<ShapeCells> }[] = [];
  for (const range of ranges) {
    const minutes = range.to - range.from;
    const last = groups.at(-1);
    const shapes = last?.shapes.union(new Set(range.shapes));
    if (
      last !== undefined &&
      shapes !== undefined &&
      last.minutes + minutes <= MAX_MINUTES &&
      last.ranges.length < MAX_RANGES &&
      shapes.size <= MAX_SHAPES
    ) {
      last.ranges.push(range);
      last.minutes += minutes;
      last.shapes = shapes;
    } else groups.push({ ranges: [range], minutes, shapes: new Set(range.shapes) });
  }
  return groups.map((group) => group.ranges);
}

function toRead(ranges: readonly Range[]): PlannedRead {
  const shapes = [...new Set(ranges.flatMap((range) => range.shapes))];
  const placeOf = new Map(shapes.map((shape, place) => [shape, place]));
  return {
    query: {
      shapes: shapes.map(({ shape }) => shape),
      ranges: ranges.map(({ step, from, to, shapes: own }) => ({
        from: from * MINUTE_MS,
        to: to * MINUTE_MS,
        step: step * MINUTE_MS,
        shapes: own.map((shape) => placeOf.get(shape) ?? 0),
      })),
    },
    load(parts) {
      const found = new Map(parts.map((part) => [`${part.range} ${part.shape}`, part]));
      for (const [place, range] of ranges.entries())
        for (const shape of range.shapes)
          shape.cells.load(range.step, range, found.get(`${place} ${placeOf.get(shape)}`));
    },
  };
}
