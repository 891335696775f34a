import type { WaterfallReply } from '../../core/events/contract.ts';

/** The spans of a trace as the API gives them: columns, depth first. A span is known by its place in them. */
export type Spans = WaterfallReply['spans'];

const endOf = ({ start_ms, latency_ms }: Spans, place: number): number =>
  (start_ms[place] ?? 0) + (latency_ms[place] ?? 0);

/** The spans of one level from `from` on, up to the place `to`. */
function siblings({ below }: Spans, from: number, to: number): number[] {
  const places: number[] = [];
  for (let place = from; place < to; place += (below[place] ?? 0) + 1) places.push(place);
  return places;
}

/**
 * The spans by which a trace took as long as it did: from the one that ends last, backwards in time through
 * whatever it waited for. @returns 1 at the place of each, else 0
 */
export function criticalPath(spans: Spans): Uint8Array {
  const count = spans.below.length;
  const path = new Uint8Array(count);
  const waiting: number[] = [];
  const follow = (places: readonly number[], from: number, until: number): void => {
    let moment = until;
    for (const place of places.toSorted((a, b) => endOf(spans, b) - endOf(spans, a))) {
      if (moment <= from) break;
      const end = endOf(spans, place);
      // What ends after the moment was not waited for; a parent that ended early waited for nobody.
      if (end > moment || end <= from) continue;
      path[place] = 1;
      waiting.push(place);
      moment = spans.start_ms[place] ?? 0;
    }
  };
  follow(siblings(spans, 0, count), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const children = siblings(spans, next + 1, next + 1 + (spans.below[next] ?? 0));
    follow(children, spans.start_ms[next] ?? 0, endOf(spans, next));
  }
  return path;
}

/** The places in sight: all but those below a folded span. */
export function unfolded({ below }: Spans, folded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let place = 0; place < below.length; place++) {
    shown.push(place);
    if (folded.has(place)) place += below[place] ?? 0;
  }
  return shown;
}
