import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { criticalSegments, criticalSpans } from '../../../src/features/traces/critical-path.ts';
import { costShares, ownCosts, timeShares } from '../../../src/features/traces/shares.ts';
import { callsAround, failureOrigins, type Spans } from '../../../src/features/traces/trace-tree.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { spansOf } from './spans-of.ts';

const path = (spans: Spans, duration: number): string[] =>
  criticalSegments(spans, duration).map(({ place, from, to }) => `${place}:${from}-${to}`);

describe('the critical path', () => {
  test('goes back from the end through what was waited for, at each level', () => {
    const spans = spansOf([
      [0, 0, 100],
      [1, 0, 40], // on it: ended before the next began
      [1, 10, 30], // beside the first
      [1, 45, 95], // on it: the last to end
      [2, 50, 60],
      [2, 55, 95], // on it
      [1, 50, 120], // ended after its parent, which so did not wait for it
    ]);
    const segments = criticalSegments(spans, 100);
    expect(path(spans, 100)).toEqual(['1:0-40', '0:40-45', '3:45-55', '5:55-95', '0:95-100']);
    expect([...criticalSpans(spans, segments)]).toEqual([1, 1, 0, 1, 0, 1, 0]);
  });

  test('of several roots takes those that follow each other, and time in none is in none', () => {
    const roots = spansOf([
      [0, 0, 10],
      [0, 15, 30],
      [0, 17, 20],
    ]);
    expect(path(roots, 30)).toEqual(['0:0-10', '-1:10-15', '1:15-30']);
  });

  test('a span that seems to end a millisecond late, because starts are whole milliseconds, was waited for', () => {
    const spans = spansOf([
      [0, 0, 20],
      [1, 0, 10.4],
      [1, 10, 20],
    ]);
    expect(path(spans, 20)).toEqual(['1:0-10', '2:10-20']);
  });

  test('takes a chain of any length, and a span without a duration', () => {
    const chain = spansOf(
      Array.from({ length: 30_000 }, (_, place) => [place, place, 60_000 - place] as const),
    );
    expect(criticalSpans(chain, criticalSegments(chain, 60_000)).every((mark) => mark === 1)).toBe(true);
    expect(criticalSegments(spansOf([[0, 0, 0]]), 0)).toEqual([]);
  });
});

type Node = { readonly start: number; readonly length: number; readonly children: readonly Node[] };
const tree = (levels: number): fc.Arbitrary<Node> =>
  fc.record({
    start: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 0, max: 30 }),
    children: levels === 0 ? fc.constant([]) : fc.array(tree(levels - 1), { maxLength: 4 }),
  });
const forest = fc.array(tree(3), { minLength: 1, maxLength: 3 });

const flat = (nodes: readonly Node[], depth = 0): [number, number, number][] =>
  nodes.flatMap(({ start, length, children }) => [
    // Twice the time, so that no two spans touch within the tolerance.
    [depth, start * 4, (start + length) * 4] as [number, number, number],
    ...flat(children, depth + 1),
  ]);

/** Who has one unit of time, asked from the top for each unit anew. */
function ownerOf(spans: Spans, duration: number, unit: number): number {
  const childrenOf = (place: number): number[] => {
    const depth = place < 0 ? 0 : (spans.depth[place] ?? 0) + 1;
    const end = place < 0 ? spans.below.length : place + 1 + (spans.below[place] ?? 0);
    return Array.from({ length: end - place - 1 }, (_, i) => place + 1 + i).filter(
      (at) => spans.depth[at] === depth,
    );
  };
  const range = (place: number): [number, number] => [
    spans.start_ms[place] ?? 0,
    (spans.start_ms[place] ?? 0) + (spans.latency_ms[place] ?? 0),
  ];
  let [owner, from, moment] = [-1, 0, duration];
  for (;;) {
    const ended = childrenOf(owner).filter(
      (at) => range(at)[1] <= moment && range(at)[1] > from && range(at)[0] < moment,
    );
    if (ended.length === 0) return owner;
    const last = ended.reduce((a, b) => (range(b)[1] > range(a)[1] ? b : a));
    const [start, end] = range(last);
    if (unit >= end) return owner;
    if (unit < Math.max(start, from)) {
      if (start <= from) return owner;
      moment = start;
      continue;
    }
    [owner, from, moment] = [last, Math.max(start, from), end];
  }
}

test('the path equals the one asked for each unit of time, and covers the trace exactly', () => {
  fc.assert(
    fc.property(forest, (trees) => {
      const spans = spansOf(flat(trees));
      const duration = Math.max(...spans.start_ms.map((start, at) => start + (spans.latency_ms[at] ?? 0)));
      const segments = criticalSegments(spans, duration);
      let moment = 0;
      for (const { from, to } of segments) {
        expect(from).toBe(moment);
        moment = to;
      }
      expect(moment).toBe(duration);
      for (let unit = 0; unit < duration; unit++) {
        const found = segments.find(({ from, to }) => from <= unit && unit < to)?.place;
        expect([unit, found]).toEqual([unit, ownerOf(spans, duration, unit)]);
      }
      const total = timeShares(spans, segments).reduce((sum, { amount }) => sum + amount, 0);
      expect(total).toBe(duration);
    }),
    { seed: TEST_SEED, numRuns: 200 },
  );
});

test('time and cost are told by model for calls and by name for other spans', () => {
  const spans = {
    ...spansOf([
      [0, 0, 100],
      [1, 0, 60],
      [1, 60, 90],
    ]),
    kind: ['agent', 'llm', 'llm'],
    name: ['run', 'plan', 'write'],
    model: [null, 'gpt-4o', 'gpt-4o'],
    cost_usd: [0.3, 0.1, 0.2],
  } as Spans;
  const shares = timeShares(spans, criticalSegments(spans, 100));
  expect(shares.map(({ name, amount, spans: n, share, most }) => [name, amount, n, share, most])).toEqual([
    ['gpt-4o', 90, 2, 0.9, 1],
    ['run', 10, 1, 0.1, 0],
  ]);
  expect(ownCosts(spans)).toEqual([0, 0.1, 0.2]);
  expect(costShares(spans)).toMatchObject([{ name: 'gpt-4o', spans: 2, most: 2, share: 1 }]);
});

test('failures lead to where they began', () => {
  const spans = {
    ...spansOf([
      [0, 0, 9],
      [1, 0, 9],
      [2, 0, 9],
      [1, 0, 9],
      [0, 0, 9],
    ]),
    status: ['error', 'error', 'timeout', 'cancelled', 'error'],
  } as Spans;
  expect(failureOrigins(spans)).toEqual([2, 4]);
});

test('the calls around a span are those that started before and after it', () => {
  const spans = {
    ...spansOf([
      [0, 0, 9],
      [1, 5, 9],
      [1, 2, 9],
      [1, 7, 9],
    ]),
    kind: ['agent', 'llm', 'llm', 'llm'],
  } as Spans;
  expect(callsAround(spans, 1)).toEqual({ previous: 2, next: 3 });
  expect(callsAround(spans, 2)).toEqual({ previous: -1, next: 1 });
  expect(callsAround(spans, 0)).toEqual({ previous: -1, next: 2 });
});
