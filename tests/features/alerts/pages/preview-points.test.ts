import { expect, test } from 'bun:test';
import { firingSpans, toPoints } from '../../../../src/features/alerts/pages/preview-points.ts';

const NOON = Date.UTC(2026, 5, 15, 12);
const at = (minute: number): string => new Date(NOON + minute * 60_000).toISOString();
type Preview = Parameters<typeof firingSpans>[0];
type Span = Preview['spans'][number];
const preview = (more: Partial<Preview>): Preview => ({
  from: at(0),
  to: at(60),
  stepMinutes: 30,
  groups: 2,
  firings: 0,
  notifications: 0,
  unpriced: null,
  calls: null,
  note: null,
  series: [],
  spans: [],
  omittedSpans: 0,
  ...more,
});
const span = (group: string, state: Span['state'], from: number, to: number | null): Span => ({
  group,
  state,
  from: at(from),
  to: to === null ? null : at(to),
  value: 1,
  unpriced: null,
  calls: null,
});

test('series become points of time; gaps, a baseline and the calls without a price stay', () => {
  const series = [
    { group: 'a', points: [1, null, 3], baseline: [2, 2, null], unpriced: [0, 3, null] },
    { group: 'b', points: [4, 5, 6], baseline: null, unpriced: null },
  ];
  expect(toPoints(preview({ series }))).toEqual([
    { time: NOON, s0: 1, s1: 4, u0: 0, baseline: 2 },
    { time: NOON + 1_800_000, s0: null, s1: 5, u0: 3, baseline: 2 },
    { time: NOON + 3_600_000, s0: 3, s1: 6, u0: null, baseline: null },
  ]);
  expect(toPoints(preview({}))).toEqual([]);
});

test('times of all groups are joined by state; one that lasts ends with the preview', () => {
  const spans = [
    span('a', 'critical', 0, 10),
    span('b', 'critical', 5, 20),
    span('a', 'critical', 30, null),
    span('a', 'warning', 10, 12),
    span('a', 'pending', 0, 60),
    span('b', 'no_data', 0, 60),
  ];
  const shown = firingSpans(preview({ spans }));
  const minutes = shown.map(({ state, from, to }) => [state, (from - NOON) / 60_000, (to - NOON) / 60_000]);
  expect(minutes).toEqual([
    ['warning', 10, 12],
    ['critical', 0, 20],
    ['critical', 30, 60],
  ]);
});
