import type { Ctx } from '../../../context.ts';
import type { Sensitivity } from '../../../core/alerts/index.ts';
import { deletedCalls, eventsOf, type Window } from '../../../core/events/index.ts';
import { METRIC_MEASURES } from '../../../core/events/query/contract.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import {
  ANOMALY_DIMENSIONS,
  ANOMALY_MEASURES,
  type AnomaliesReply,
  type Anomaly,
  type AnomalyDimension,
  type AnomalyMeasure,
} from './contract.ts';
import { type FoundAll, type FoundHours, findAnomaliesWork } from './find-work.ts';
import type { HourSeries } from './surprise.ts';

export type AnomaliesInput = {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly sensitivity: Sensitivity;
  readonly now: number;
};

const DEFAULT_DAYS = 7;
const MOST_DAYS = 31;
const BASELINE_MS = 28 * DAY_MS;
/** Groups of a dimension that are looked at: those with most calls. */
const MOST_GROUPS = 10;

/** Hours of a window that differ from what is usual then. @throws AppError 400 for a window over 31 days */
export async function listAnomalies(
  ctx: Ctx,
  scope: EventScope,
  { start, end, sensitivity, now }: AnomaliesInput,
): Promise<AnomaliesReply> {
  const to = Math.floor(Math.min(end ?? now, now) / HOUR_MS) * HOUR_MS;
  const from = Math.floor((start ?? to - DEFAULT_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  if (to - from > MOST_DAYS * DAY_MS)
    throw badRequest(`start: must not be more than ${MOST_DAYS} days before end`);
  const reads =
    to <= from
      ? []
      : await Promise.all(ANOMALY_DIMENSIONS.map((one) => readSeries(ctx, scope, one, { from, to })));
  const lines = reads.flatMap((read) => read ?? []);
  const { found, isLearning } = await find(ctx, {
    series: lines.map(({ series }) => series),
    first: BASELINE_MS / HOUR_MS,
    sensitivity,
  });
  return {
    start: formatInstant(from),
    end: formatInstant(Math.max(from, to)),
    anomalies: found.flatMap((one) => {
      const line = lines[one.series];
      return line === undefined ? [] : [toAnomaly(one, line, from - BASELINE_MS)];
    }),
    learning: isLearning,
    skipped: ANOMALY_DIMENSIONS.filter((_, place) => reads[place] === null),
    // Hours of users and agents are read call by call.
    ...(await deletedCalls(ctx, scope, { runs: [{ window: { from: from - BASELINE_MS, to } }] })),
  };
}

async function find(ctx: Ctx, input: Parameters<typeof findAnomaliesWork.run>[0]): Promise<FoundAll> {
  const running = ctx.workers.start(findAnomaliesWork, input);
  try {
    return (await running.next()) ?? { found: [], isLearning: true };
  } finally {
    running.stop();
  }
}

type Line = {
  readonly dimension: AnomalyDimension;
  readonly value: string | null;
  readonly series: HourSeries;
};

/** Series of the groups of a dimension; null if too many calls would have to be read. */
async function readSeries(
  ctx: Ctx,
  scope: EventScope,
  dimension: AnomalyDimension,
  { from, to }: Window,
): Promise<Line[] | null> {
  try {
    const { groups, total } = await eventsOf(ctx).groups(scope, {
      measures: ANOMALY_MEASURES,
      groupBy: dimension === 'all' ? [] : [dimension],
      filters: {},
      window: { from: from - BASELINE_MS, to },
      bucket: '1h',
      keep: { by: 'requests', direction: 'desc', limit: MOST_GROUPS },
    });
    const lineOf = (
      value: string | null,
      series: readonly (readonly (number | null)[])[] | undefined,
    ): Line => ({
      dimension,
      value,
      series: Object.fromEntries(
        ANOMALY_MEASURES.map((name, place) => [name, series?.[place] ?? []]),
      ) as Record<AnomalyMeasure, readonly (number | null)[]>,
    });
    if (dimension === 'all') return [lineOf(null, total.series)];
    // Calls without a user or an agent are no group of people.
    return groups.flatMap(({ key: [value], series }) => (value == null ? [] : [lineOf(value, series)]));
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return null;
    throw error;
  }
}

const FIELDS = { model: 'model', userId: 'user', agent: 'agent' } as const;

function toAnomaly(found: FoundHours, { dimension, value }: Line, origin: number): Anomaly {
  const { measure, severity, peak, usual, threshold, deviations, calls } = found;
  const [start, end] = [origin + found.from * HOUR_MS, origin + found.to * HOUR_MS];
  const filter = dimension === 'all' || value === null ? '' : termOf(FIELDS[dimension], value);
  return {
    id: idOf({ measure, start, end, filter }),
    measure,
    unit: METRIC_MEASURES[measure].unit,
    dimension,
    value,
    filter,
    severity,
    start: formatInstant(start),
    end: formatInstant(end),
    peakAt: formatInstant(origin + found.peakAt * HOUR_MS),
    peak,
    usual,
    threshold,
    deviations: Number(deviations.toFixed(1)),
    calls,
  };
}

/** What an id of an anomaly says: nothing of it is stored. */
export type AnomalySubject = {
  readonly measure: AnomalyMeasure;
  readonly start: number;
  readonly end: number;
  readonly filter: string;
};

const idOf = ({ measure, start, end, filter }: AnomalySubject): string =>
  Buffer.from(JSON.stringify([measure, start / HOUR_MS, end / HOUR_MS, filter])).toString('base64url');
