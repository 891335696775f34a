import type { SeriesPart } from '../../../core/events/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { ShapeCells } from './evaluator.ts';
import { DAY, eachCell, type Span, STEPS, type StepLength } from './minutes.ts';
import type { RuleShape } from './shape-of.ts';
import type { ShapeQuery } from './shape-query.ts';

/** Cells of some shapes of one kind to read, in a row. */
type Range = {
  readonly of: ShapeQuery['of'];
  readonly step: StepLength;
  readonly from: number;
  readonly to: number;
  readonly shapes: ShapeCells[];
};
/** One read of the store, and where its answer goes. */
export type PlannedRead = { readonly query: ShapeQuery; load(parts: readonly SeriesPart[]): void };

/** Most of one read, so that it ends long before its deadline: minutes of events, ranges and shapes. */
const MAX_MINUTES = DAY;
const MAX_RANGES = 100;
const MAX_SHAPES = 50;
/** Most rows of a reply, one for each step, shape and group: it is in the memory of the reader and of the thread. */
const MAX_ROWS = 20_000;
/** Groups of a shape of which nothing was read yet. */
const USUAL_GROUPS = 100;
/** A time has many bins, so such a row counts for more. */
const TIME_WEIGHT = 10;

/** The reads that the spans of some shapes need. */
export function planReads(wanted: ReadonlyMap<ShapeCells, readonly Span[]>): PlannedRead[] {
  const ranges = new Map<string, Range>();
  for (const [shape, spans] of wanted)
    for (const { step, from, to } of missingOf(shape, spans)) {
      const { of } = shape.shape;
      const key = `${of} ${step} ${from} ${to}`;
      const range = ranges.get(key) ?? { of, step, from, to, shapes: [] };
      range.shapes.push(shape);
      ranges.set(key, range);
    }
  return groupRanges([...ranges.values()].flatMap(splitShapes)).map(toRead);
}

/** About how many rows a step of a shape has. */
function rowsOf({ cells, shape }: ShapeCells): number {
  const { groupBy } = shape.of === 'calls' ? shape.calls : shape.of === 'runs' ? shape.runs : shape.scores;
  const groups = groupBy === null ? 1 : cells.names.length < 2 ? USUAL_GROUPS : cells.names.length;
  return groups * (1 + TIME_WEIGHT * shape.times);
}

/** The cells of spans that are not known, as ranges. */
function missingOf(of: ShapeCells, spans: readonly Span[]): (Span & { step: StepLength })[] {
  const { cells } = of;
  const mostSteps = Math.max(1, Math.floor(MAX_ROWS / rowsOf(of)));
  const missing = new Map<StepLength, Set<number>>(STEPS.map((step) => [step, new Set()]));
  for (const span of spans)
    eachCell(span, (step, index) => {
      if (cells.get(step, index) === undefined) missing.get(step)?.add(index);
    });
  return [...missing].flatMap(([step, indexes]) => {
    const most = Math.min(mostSteps, Math.max(1, MAX_MINUTES / step));
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
  const parts: { shapes: ShapeCells[]; rows: number }[] = [];
  for (const shape of range.shapes) {
    const last = parts.at(-1);
    const rows = rowsOfRange({ ...range, shapes: [shape] });
    if (last !== undefined && last.shapes.length < MAX_SHAPES && last.rows + rows <= MAX_ROWS) {
      last.shapes.push(shape);
      last.rows += rows;
    } else parts.push({ shapes: [shape], rows });
  }
  return parts.map(({ shapes }) => ({ ...range, shapes }));
}

const rowsOfRange = ({ from, to, step, shapes }: Range): number =>
  ((to - from) / step) * shapes.reduce((sum, shape) => sum + rowsOf(shape), 0);

function groupRanges(ranges: readonly Range[]): Range[][] {
  const groups: { ranges: Range[]; minutes: number; rows: number; shapes: Set<ShapeCells> }[] = [];
  for (const range of ranges) {
    const [minutes, rows] = [range.to - range.from, rowsOfRange(range)];
    const last = groups.at(-1);
    const shapes = last?.shapes.union(new Set(range.shapes));
    if (
      last !== undefined &&
      shapes !== undefined &&
      last.ranges[0]?.of === range.of &&
      last.minutes + minutes <= MAX_MINUTES &&
      last.rows + rows <= MAX_ROWS &&
      last.ranges.length < MAX_RANGES &&
      shapes.size <= MAX_SHAPES
    ) {
      last.ranges.push(range);
      last.minutes += minutes;
      last.rows += rows;
      last.shapes = shapes;
    } else groups.push({ ranges: [range], minutes, rows, shapes: new Set(range.shapes) });
  }
  return groups.map((group) => group.ranges);
}

function toRead(ranges: readonly Range[]): PlannedRead {
  const shapes = [...new Set(ranges.flatMap((range) => range.shapes))];
  const placeOf = new Map(shapes.map((shape, place) => [shape, place]));
  const inTime = ranges.map(({ step, from, to, shapes: own }) => ({
    from: from * MINUTE_MS,
    to: to * MINUTE_MS,
    step: step * MINUTE_MS,
    shapes: own.map((shape) => placeOf.get(shape) ?? 0),
  }));
  return {
    query: toQuery(
      shapes.map(({ shape }) => shape),
      inTime,
    ),
    load(parts) {
      const found = new Map(parts.map((part) => [`${part.range} ${part.shape}`, part]));
      for (const [place, range] of ranges.entries())
        for (const shape of range.shapes)
          shape.cells.load(range.step, range, found.get(`${place} ${placeOf.get(shape)}`));
    },
  };
}

/** A query of shapes that are all of one kind. */
export function toQuery(shapes: readonly RuleShape[], ranges: ShapeQuery['query']['ranges']): ShapeQuery {
  const calls = shapes.flatMap((shape) => (shape.of === 'calls' ? [shape.calls] : []));
  const runs = shapes.flatMap((shape) => (shape.of === 'runs' ? [shape.runs] : []));
  const scores = shapes.flatMap((shape) => (shape.of === 'scores' ? [shape.scores] : []));
  if (runs.length > 0) return { of: 'runs', query: { shapes: runs, ranges } };
  return scores.length === 0
    ? { of: 'calls', query: { shapes: calls, ranges } }
    : { of: 'scores', query: { shapes: scores, ranges } };
}
