import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../lib/scores/score-measures.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../lib/time.ts';
import { type EventFilters, eventsOf, type Window } from '../events/index.ts';
import { readScoreSeries, SCORE_SUMS, toConditions } from '../scores/index.ts';
import { ofProject, ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { RootCause } from './contract.ts';
import type { CallMeasure } from './measures.ts';

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
    const steps = { bucket, ms, from, to: end } as const;
    const values = isScoreMeasure(measure)
      ? await valuesOfScores(ctx, scope, { measure, steps, filters })
      : await valuesOfCalls(ctx, scope, { measure, steps, filters });
    const points: RootCause['series']['points'] = [];
    const isCount =
      measure.startsWith('scoreCount:') ||
      ['cost', 'requests', 'errors', 'timeouts', 'rateLimited'].includes(measure);
    for (let time = from; time < end; time += ms)
      points.push({ time: formatInstant(time), value: values.get(time) ?? (isCount ? 0 : null) });
    return { bucket, points };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { bucket, points: [] };
    throw error;
  }
}

type Steps = {
  readonly bucket: 'hour' | 'day';
  readonly ms: number;
  readonly from: number;
  readonly to: number;
};
type Asked<M> = { readonly measure: M; readonly steps: Steps; readonly filters: EventFilters };

/** Values by the start of their step. */
async function valuesOfCalls(
  ctx: Ctx,
  scope: ProjectScope,
  { measure, steps: { bucket, from, to }, filters }: Asked<CallMeasure>,
): Promise<Map<number, number | null>> {
  const query = { measures: [measure], bucket, window: { from, to }, filters } as const;
  const { series } = await eventsOf(ctx).metrics(ofProject(scope), { series: query });
  return new Map(series.flatMap((row) => (row.time === null ? [] : [[row.time, row[measure]]])));
}

async function valuesOfScores(
  ctx: Ctx,
  scope: ProjectScope,
  { measure, steps: { ms, from, to }, filters }: Asked<ScoreMeasure>,
): Promise<Map<number, number | null>> {
  const { name, category, isCount } = parseScoreMeasure(measure);
  const shapes = [{ name, category, where: toConditions(filters), groupBy: null }];
  const ranges = [{ from, to, step: ms, shapes: [0] }];
  const parts = (await ctx.db.read(readScoreSeries, ofProjects([scope]), { shapes, ranges })).parse();
  const cells = parts.flatMap((part) => part.cells);
  const values = new Map<number, number>();
  for (let i = 0; i < cells.length; i += 2 + SCORE_SUMS) {
    const [step = 0, , count = 0, sum = 0] = cells.slice(i, i + 2 + SCORE_SUMS);
    values.set(step * ms, isCount ? (category === null ? count : sum) : sum / count);
  }
  return values;
}
