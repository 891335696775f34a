import { type Spans, siblings } from './trace-tree.ts';

/** A stretch of a trace, in milliseconds from its start, and the span that it was spent in; -1: in none. */
export type Segment = { readonly place: number; readonly from: number; readonly to: number };

/** Times are sent in whole milliseconds: a span may seem to end this much after the one that waited for it. */
const TOLERANCE_MS = 1;

type Level = {
  readonly places: readonly number[];
  readonly owner: number;
  readonly from: number;
  readonly to: number;
};

/**
 * What a trace waited for at each moment. From its end backwards: of the spans of a level, the last to end by that
 * moment is what was waited for; the time after its end belongs to their parent; then the same from its start on, and
 * within it for its children. A span that ends after the moment was not waited for, and neither was one that outlives
 * its parent. The segments cover the trace without gaps or overlaps, and those that last are sums of what they name.
 * @returns segments from the trace's start to its end
 */
export function criticalSegments(spans: Spans, duration: number): Segment[] {
  const count = spans.below.length;
  const segments: Segment[] = [];
  const spend = (place: number, from: number, to: number): void => {
    if (to > from) segments.push({ place, from, to });
  };
  const open: Level[] = [{ places: siblings(spans, 0, count), owner: -1, from: 0, to: duration }];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    const { owner, from } = level;
    let moment = level.to;
    for (const place of lastFirst(spans, level.places)) {
      if (moment <= from) break;
      const start = spans.start_ms[place] ?? 0;
      const end = start + (spans.latency_ms[place] ?? 0);
      if (end > moment + TOLERANCE_MS || end <= from || start >= moment) continue;
      const until = Math.min(end, moment);
      spend(owner, until, moment);
      moment = Math.max(start, from);
      const children = siblings(spans, place + 1, place + 1 + (spans.below[place] ?? 0));
      open.push({ places: children, owner: place, from: moment, to: until });
    }
    spend(owner, from, moment);
  }
  return segments.sort((a, b) => a.from - b.from);
}

const lastFirst = ({ start_ms, latency_ms }: Spans, places: readonly number[]): number[] => {
  const end = (place: number): number => (start_ms[place] ?? 0) + (latency_ms[place] ?? 0);
  return places.toSorted((a, b) => end(b) - end(a) || a - b);
};

/** At the place of each span: 1 if the trace would have ended sooner without some of it, or of what is below it. */
export function criticalSpans(spans: Spans, segments: readonly Segment[]): Uint8Array {
  const marks = new Uint8Array(spans.below.length);
  for (const { place } of segments) if (place >= 0) marks[place] = 1;
  const open: number[] = [];
  for (let place = 0; place < marks.length; place++) {
    while (open.length > 0 && (open.at(-1) ?? 0) + (spans.below[open.at(-1) ?? 0] ?? 0) < place) open.pop();
    if (marks[place] === 1)
      for (let at = open.length - 1; at >= 0 && marks[open[at] ?? 0] !== 1; at--) marks[open[at] ?? 0] = 1;
    open.push(place);
  }
  return marks;
}
