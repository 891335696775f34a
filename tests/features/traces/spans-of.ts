import type { Spans } from '../../../src/features/traces/trace-tree.ts';

/** Depth, start and end of each span, as the columns of a trace; the rest is not looked at. */
export const spansOf = (spans: readonly (readonly [depth: number, start: number, end: number])[]): Spans => {
  const depthAt = (place: number): number => spans[place]?.[0] ?? -1;
  const below: number[] = [];
  for (let place = spans.length - 1; place >= 0; place--) {
    let next = place + 1;
    while (depthAt(next) > depthAt(place)) next += 1 + (below[next] ?? 0);
    below[place] = next - place - 1;
  }
  const zeros = spans.map(() => 0);
  return {
    below,
    depth: spans.map(([depth]) => depth),
    start_ms: spans.map(([, start]) => start),
    latency_ms: spans.map(([, start, end]) => end - start),
    kind: spans.map(() => 'chain'),
    name: spans.map((_, place) => `span ${place}`),
    model: spans.map(() => null),
    status: spans.map(() => 'success'),
    cost_usd: zeros,
  } as unknown as Spans;
};
