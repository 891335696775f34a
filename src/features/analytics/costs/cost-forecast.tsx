import type { ChartPoint } from '../../../dashboard/ui/charts/chart-data.ts';
import type { Zone } from '../../../dashboard/ui/format.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import { startOfDay } from '../../../lib/time-zone.ts';
import type { CostsReply } from '../contract.ts';

/** What today and the days after it will still cost, by UTC day. */
export type Expected = NonNullable<CostsReply['monthEnd']>['days'];

export const EXPECTED = 'expected';

/**
 * Days with what they are expected to cost yet, as `EXPECTED`: those of the chart, and as many ahead as half of those, so
 * that what happened stays the larger part. The forecast is by UTC day; a day of another zone has its share of each.
 * @param points days of the zone
 * @param now epoch milliseconds
 */
export function withForecast(
  points: readonly ChartPoint[],
  expected: Expected,
  { zone, now }: { readonly zone: Zone; readonly now: number },
): ChartPoint[] {
  const first = points.at(-1);
  if (first === undefined || expected.length === 0) return [...points];
  const spans = expected.map(({ date, cost }) => {
    const start = Date.parse(`${date}T00:00:00.000Z`);
    return { from: Math.max(start, now), to: start + DAY_MS, cost };
  });
  const costOf = (from: number, to: number): number =>
    spans.reduce((sum, span) => {
      const shared = Math.min(to, span.to) - Math.max(from, span.from);
      return shared <= 0 || span.to <= span.from ? sum : sum + (span.cost * shared) / (span.to - span.from);
    }, 0);
  const most = 1 + Math.ceil(points.length / 2);
  const last = spans.at(-1)?.to ?? now;
  const ahead: ChartPoint[] = [];
  for (let days = 1; days < most; days++) {
    const start = startOfDay(Date.parse(first.time), zone, days);
    if (start >= last) break;
    const end = startOfDay(start, zone, 1);
    ahead.push({
      time: formatInstant(start),
      end: formatInstant(end),
      [EXPECTED]: costOf(start, end),
    });
  }
  const withOwn = points.map((point) => {
    const start = Date.parse(point.time);
    const cost = costOf(start, startOfDay(start, zone, 1));
    return cost === 0 ? point : { ...point, [EXPECTED]: cost };
  });
  return [...withOwn, ...ahead];
}
