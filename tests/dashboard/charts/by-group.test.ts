import { expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import { byGroup } from '../../../src/dashboard/shell/metrics/by-group.ts';
import { toChart } from '../../../src/dashboard/shell/metrics/to-chart.ts';
import { MOST_COLOURS, REST_COLOUR } from '../../../src/dashboard/ui/charts/colours.ts';

const group = (name: string, calls: number) => ({
  key: { model: name },
  values: { requests: calls },
  series: { requests: [calls, 1] },
});

/** Groups of calls by model, and `left` models that the reply sums up. */
const replyOf = (groups: number, left: number) =>
  ({
    start: '2026-11-22T00:00:00.000Z',
    steps: [
      { start: '2026-11-22T00:00:00.000Z', end: '2026-11-23T00:00:00.000Z' },
      { start: '2026-11-23T00:00:00.000Z', end: '2026-11-24T00:00:00.000Z' },
    ],
    bucket: '1d',
    measures: [{ name: 'requests', unit: 'calls' }],
    groupBy: ['model'],
    groups: Array.from({ length: groups }, (_, place) => group(`m${place}`, 100 - place)),
    others: left === 0 ? null : { ...group('', 7), groups: left },
    total: group('', 0),
  }) as unknown as MetricsReply;

test('bars of more groups than there are colours are drawn as others, and add up to the same', () => {
  for (const [groups, left] of [
    [5, 0],
    [MOST_COLOURS, 0],
    [MOST_COLOURS, 3],
    [30, 0],
    [50, 9],
  ] as const) {
    const { series, points } = toChart(replyOf(groups, left), { shape: 'bars', drawer: byGroup, most: 51 });
    const isMore = groups + (left === 0 ? 0 : 1) > MOST_COLOURS;
    expect(series.length).toBe(isMore ? MOST_COLOURS : groups + (left === 0 ? 0 : 1));
    const colours = series.map(({ color }) => color);
    expect(new Set(colours).size).toBe(colours.length);
    if (isMore)
      expect(series.at(-1)).toMatchObject({
        label: `${groups - (MOST_COLOURS - 1) + left} others`,
        color: REST_COLOUR,
      });
    const sum = series.reduce((all, { name }) => all + Number(points[0]?.[name]), 0);
    const expected = Array.from({ length: groups }, (_, place) => 100 - place);
    expect(sum).toBe(expected.reduce((all, calls) => all + calls, left === 0 ? 0 : 7));
  }
});

test('of lines all are drawn, those beyond the colours with dashes', () => {
  const { series } = toChart(replyOf(20, 0), { shape: 'lines', drawer: byGroup, most: 51 });
  expect(series.length).toBe(20);
  expect(new Set(series.map(({ color, dash }) => `${color} ${dash}`)).size).toBe(20);
});
