import type { WaterfallReply } from '../../core/events/contract.ts';

/** The spans of a trace as the API gives them: columns, depth first. A span is known by its place in them. */
export type Spans = WaterfallReply['spans'];

/** The spans of one level from `from` on, up to the place `to`. */
export function siblings({ below }: Spans, from: number, to: number): number[] {
  const places: number[] = [];
  for (let place = from; place < to; place += (below[place] ?? 0) + 1) places.push(place);
  return places;
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

/** The spans above one, from the root down. */
export function ancestors({ depth }: Spans, place: number): number[] {
  const found: number[] = [];
  let level = depth[place] ?? 0;
  for (let at = place - 1; at >= 0 && level > 0; at--) {
    if ((depth[at] ?? 0) >= level) continue;
    found.unshift(at);
    level = depth[at] ?? 0;
  }
  return found;
}

/** Whether a span failed; one that was cancelled did not. */
export const isFailed = ({ status }: Spans, place: number): boolean =>
  status[place] !== 'success' && status[place] !== 'cancelled';

/** Failed spans without a failed one below them: where failures began. In the order of the tree. */
export function failureOrigins(spans: Spans): number[] {
  const origins: number[] = [];
  for (let place = spans.below.length - 1, next = Number.POSITIVE_INFINITY; place >= 0; place--) {
    if (!isFailed(spans, place)) continue;
    // `next` is the first failed span after this one.
    if (next > place + (spans.below[place] ?? 0)) origins.unshift(place);
    next = place;
  }
  return origins;
}

/** The calls before and after a span of a trace, by start; -1 for none. */
export function callsAround(
  { kind, start_ms }: Spans,
  place: number,
): { readonly previous: number; readonly next: number } {
  const before = (a: number, b: number): boolean =>
    (start_ms[a] ?? 0) < (start_ms[b] ?? 0) || (start_ms[a] === start_ms[b] && a < b);
  let [previous, next] = [-1, -1];
  for (let other = 0; other < kind.length; other++) {
    if (kind[other] !== 'llm' || other === place) continue;
    if (before(other, place)) previous = previous < 0 || before(previous, other) ? other : previous;
    else next = next < 0 || before(other, next) ? other : next;
  }
  return { previous, next };
}

/** Whether a name, model or error of a span has a text in lower case in it. */
export const namesText = ({ name, model, error_code, kind }: Spans, place: number, text: string): boolean =>
  [name[place], model[place], error_code[place], kind[place]].some(
    (value) => value?.toLowerCase().includes(text) === true,
  );
