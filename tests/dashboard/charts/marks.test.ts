import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { shownMarks, shownRanges } from '../../../src/dashboard/ui/charts/marks.ts';
import { groupNear, placeInTime } from '../../../src/dashboard/ui/charts/place-in-time.ts';

const HOUR = 3_600_000;
const day = Date.parse('2026-11-20T00:00:00.000Z');
const within = { start: day, end: day + 24 * HOUR, zone: 'utc' } as const;

describe('the place of an instant on an axis of equally wide buckets', () => {
  const starts = [0, 23, 47]; // The first day has 23 hours.
  test('is the bucket, and the part of it that has passed', () => {
    expect(placeInTime(0, starts, 71)).toBe(0);
    expect(placeInTime(11.5, starts, 71)).toBeCloseTo(0.5 / 3);
    expect(placeInTime(23, starts, 71)).toBeCloseTo(1 / 3);
    expect(placeInTime(59, starts, 71)).toBeCloseTo(2.5 / 3);
  });
  test('stays on the axis', () => {
    expect([placeInTime(-5, starts, 71), placeInTime(99, starts, 71), placeInTime(5, [], 71)]).toEqual([
      0, 1, 0,
    ]);
  });
  test('grows with the instant', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 0, max: 1_000 }),
        (lengths, one, other) => {
          const edges = [0];
          for (const length of lengths) edges.push((edges.at(-1) ?? 0) + length);
          const place = (at: number): number => placeInTime(at, edges.slice(0, -1), edges.at(-1) ?? 0);
          expect(place(Math.min(one, other))).toBeLessThanOrEqual(place(Math.max(one, other)));
        },
      ),
    );
  });
});

test('marks too near to each other share a handle, without a chain that grows over the whole axis', () => {
  const places = [0.5, 0.1, 0.14, 0.18].map((place) => ({ place }));
  expect(groupNear(places, 0.05).map((group) => group.map(({ place }) => place))).toEqual([
    [0.1, 0.14],
    [0.18],
    [0.5],
  ]);
});

test('marks outside the chart or without a readable time are left out', () => {
  const at = ['2026-11-19T23:59:59.999Z', '2026-11-20T12:00:00Z', '2026-11-21T00:00:00Z', 'yesterday'];
  const shown = shownMarks(
    at.map((one) => ({ at: one, name: one })),
    within,
  );
  expect(shown.map(({ name, when }) => [name, when])).toEqual([['2026-11-20T12:00:00Z', '20 Nov, 12:00']]);
});

test('ranges are cut to the chart, keep their whole time in words, and last where they have no end', () => {
  const shown = shownRanges(
    [
      { from: '2026-11-20T20:00:00Z', to: null, name: 'firing' },
      { from: '2026-11-19T20:00:00Z', to: '2026-11-20T02:00:00Z', name: 'ended' },
      { from: '2026-11-18T00:00:00Z', to: '2026-11-19T00:00:00Z', name: 'before' },
      { from: '2026-11-21T00:00:00Z', to: null, name: 'after' },
    ],
    within,
  );
  expect(
    shown.map(({ name, start, end, when }) => [name, (start - day) / HOUR, (end - day) / HOUR, when]),
  ).toEqual([
    ['ended', 0, 2, '19 Nov, 20:00 – 20 Nov, 02:00'],
    ['firing', 20, 24, '20 Nov, 20:00 – now'],
  ]);
});

test('where a chart goes on with a forecast, a range that lasts ends now, also if the clock of the server is ahead', () => {
  const now = Date.now();
  const iso = (at: number): string => new Date(at).toISOString();
  const shown = shownRanges(
    [
      { from: iso(now - HOUR), to: null, name: 'firing' },
      { from: iso(now + HOUR), to: null, name: 'just begun' },
    ],
    { start: now - 2 * HOUR, end: now + 2 * HOUR, zone: 'utc' },
  );
  expect(shown.map(({ name }) => name)).toEqual(['firing', 'just begun']);
  expect(shown[0]?.end).toBeLessThan(now + HOUR);
});
