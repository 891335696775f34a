import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../lib/time.ts';
import { type EventFilters, eventsOf, type Window } from '../events/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import type { RootCause } from './contract.ts';

/** Longer series have a step per day. */
const MOST_HOURS = 7 * 24;

/** A measure over time, from a day before the window or the start of the baseline to a few hours after the window. */
export async function readSeries(
  ctx: Ctx,
  scope: ProjectScope,
  {
    measure,
    window,
    baseline,
    filters,
  }: {
    readonly measure: RootCause['measure'];
    readonly window: Window;
    readonly baseline: Window;
    readonly filters: EventFilters;
  },
): Promise<RootCause['series']> {
  const end = Math.min(window.to + 6 * HOUR_MS, Math.max(ctx.now() + 1, window.to));
  const start = Math.min(window.from - DAY_MS, Math.max(baseline.from, window.from - 366 * DAY_MS));
  const bucket = end - start > MOST_HOURS * HOUR_MS ? 'day' : 'hour';
  const ms = bucket === 'day' ? DAY_MS : HOUR_MS;
  const from = Math.floor(start / ms) * ms;
  try {
    const query = { measures: [measure], bucket, window: { from, to: end }, filters } as const;
    const { series } = await eventsOf(ctx).metrics(ofProject(scope), { series: query });
    const values = new Map(series.map((row) => [row.time, row[measure]]));
    const points: RootCause['series']['points'] = [];
    const isCount = ['cost', 'requests', 'errors', 'timeouts', 'rateLimited'].includes(measure);
    for (let time = from; time < end; time += ms)
      points.push({ time: formatInstant(time), value: values.get(time) ?? (isCount ? 0 : null) });
    return { bucket, points };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { bucket, points: [] };
    throw error;
  }
}
