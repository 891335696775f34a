import { describe, expect, test } from 'bun:test';
import { criticalPath, type Spans, unfolded } from '../../../src/features/traces/trace-tree.ts';

/** Depth, start and end of each span; the rest is not looked at. */
const columns = (spans: readonly (readonly [depth: number, start: number, end: number])[]): Spans => {
  const depthAt = (place: number): number => spans[place]?.[0] ?? -1;
  const below: number[] = [];
  for (let place = spans.length - 1; place >= 0; place--) {
    let next = place + 1;
    while (depthAt(next) > depthAt(place)) next += 1 + (below[next] ?? 0);
    below[place] = next - place - 1;
  }
  return {
    below,
    start_ms: spans.map(([, start]) => start),
    latency_ms: spans.map(([, start, end]) => end - start),
  } as unknown as Spans;
};

describe('the critical path', () => {
  test('goes back from the end through what was waited for, at each level', () => {
    const spans = columns([
      [0, 0, 100],
      [1, 0, 40], // on it: ended before the next began
      [1, 10, 30], // beside the first
      [1, 45, 95], // on it: the last to end
      [2, 50, 60],
      [2, 55, 95], // on it
      [1, 50, 120], // ended after its parent, which so did not wait for it
    ]);
    expect([...criticalPath(spans)]).toEqual([1, 1, 0, 1, 0, 1, 0]);
  });

  test('of several roots takes those that follow each other', () => {
    const roots = columns([
      [0, 0, 10],
      [0, 5, 30],
      [0, 12, 20],
    ]);
    expect([...criticalPath(roots)]).toEqual([0, 1, 0]);
  });

  test('takes a chain of any length, and a span without a duration', () => {
    const chain = columns(
      Array.from({ length: 30_000 }, (_, place) => [place, place, 60_000 - place] as const),
    );
    expect(criticalPath(chain).every((mark) => mark === 1)).toBe(true);
    expect([...criticalPath(columns([[0, 0, 0]]))]).toEqual([1]);
  });
});

test('what is below a folded span is out of sight, whatever is folded there', () => {
  const spans = columns([
    [0, 0, 9],
    [1, 0, 9],
    [2, 0, 9],
    [1, 0, 9],
    [0, 0, 9],
  ]);
  expect(unfolded(spans, new Set())).toEqual([0, 1, 2, 3, 4]);
  expect(unfolded(spans, new Set([1]))).toEqual([0, 1, 3, 4]);
  expect(unfolded(spans, new Set([0, 1]))).toEqual([0, 4]);
});
