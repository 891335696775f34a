import { expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import { toChart } from '../../../src/dashboard/shell/metrics/to-chart.ts';
import { beforeText } from '../../../src/dashboard/ui/charts/bucket-text.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../src/lib/time.ts';

const YEAR = new Date().getUTCFullYear();

/** What each day of the first three of June is said to be compared with, if the period ends after so many hours. */
function textsOf(hours: number): (string | null)[] {
  const from = Date.parse(`${YEAR}-06-01T00:00:00Z`);
  const length = hours * HOUR_MS;
  const steps = [0, 1, 2].map((day) => ({
    start: formatInstant(from + day * DAY_MS),
    end: formatInstant(from + (day + 1) * DAY_MS),
  }));
  const reply = {
    start: formatInstant(from),
    previous: { start: formatInstant(from - length), end: formatInstant(from - 1) },
    steps,
    bucket: '1d',
    measures: [{ name: 'cost', unit: 'usd' }],
    total: { series: { cost: [1, 2, 3] }, previous: { series: { cost: [1, 2, 3] } } },
  } as unknown as MetricsReply;
  return toChart(reply, { shape: 'bars' }).points.map((point) => beforeText(point, '1d', 'UTC'));
}

test('whole days are compared with whole days, which are named', () => {
  expect(textsOf(72)).toEqual(['29 May', '30 May', '31 May']);
});

test('in a period that lasts, what a day is compared with begins and ends within days: both ends are named', () => {
  expect(textsOf(49)).toEqual([
    '29 May, 23:00 – 30 May, 23:00',
    '30 May, 23:00 – 31 May, 23:00',
    '31 May, 23:00 – 1 Jun, 00:00',
  ]);
});
