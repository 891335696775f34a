import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { DEFAULT_PRESET, PRESETS, type RangePreset } from '../../../lib/ranges/presets.ts';
import { TIME_BINS } from '../../../lib/ranges/time-bins.ts';
import { DAY_MS, formatInstant, MINUTE_MS } from '../../../lib/time.ts';
import { autoBucket, BUCKET_LENGTHS, type BucketName } from '../../../lib/time-buckets.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { eventsOf } from '../events-of.ts';
import { parseFilter } from '../filter/contract.ts';
import type { Measure } from '../measures.ts';
import type { AskedFigures, GroupFigures, GroupsAnswer } from '../metrics.ts';
import { metricsWindow, windowBefore } from '../query-window.ts';
import type { Window } from '../selection.ts';
import {
  type EventMeasure,
  type EventsDocument,
  isRunMeasure,
  METRIC_MEASURES,
  type MetricMeasure,
  type MetricsReply,
  RUN_MEASURES,
} from './contract.ts';
import { leftOut } from './left-out.ts';
import { toHistogram, toMatrix } from './to-reply.ts';
import { countsAfter, unpricedCalls, unpricedSeries } from './unpriced-calls.ts';

const MAX_WINDOW_MS = 100 * 366 * DAY_MS;
const MAX_STEPS = 1_500;
/** Numbers of the series of a reply. They are written on the serving thread, in some 30 ms. */
const MAX_VALUES = 100_000;

/**
 * Answers a metrics document of calls; `runDocument` of core/scores answers those of scores too. All figures are of one snapshot of each period.
 * @param now epoch milliseconds
 * @throws AppError 400 for a reply that would be too large, or a query that would read too much
 */
export async function runMetrics(
  ctx: Ctx,
  scope: EventScope,
  document: EventsDocument,
  now: number,
): Promise<MetricsReply> {
  const window = windowOf(document, now);
  const bucket = bucketOf(document, window);
  const query = queryOf(document, window, bucket);
  const found = await query.read(ctx, scope);
  const shape: Shape = { measures: document.measures, window, now, times: found.times };
  const before = document.compare === undefined ? null : await query.readBefore(ctx, scope, found);
  const inPrevious = before && previousShape(shape, before);
  const compared = (own: GroupFigures, previous: GroupFigures | null | undefined) => ({
    ...figuresOf(own, shape),
    ...(inPrevious === null || previous == null ? {} : { previous: figuresOf(previous, inPrevious) }),
  });
  const others = found.others;
  return {
    start: formatInstant(window.from),
    end: formatInstant(window.to - 1),
    timeZone: document.timeZone,
    measures: document.measures.map((name) => ({ name, unit: unitOf(name) })),
    groupBy: document.groupBy,
    bucket,
    steps: stepsOf(shape),
    total: {
      ...compared(found.total, before?.total),
      ...unpricedSeries(document.measures, found.total.series),
    },
    groups: found.groups.map((group, place) => ({
      key: Object.fromEntries(document.groupBy.map((name, i) => [name, group.key[i] ?? null])),
      ...compared(group, before?.groups[place]),
    })),
    ...(found.histogram && { histogram: toHistogram(found.histogram) }),
    ...(found.matrix && { matrix: toMatrix(found.matrix, (values) => figuresOf({ values }, shape)) }),
    others: others && { groups: others.groups, ...compared(others, before?.others) },
    ...(inPrevious === null
      ? {}
      : {
          previous: {
            start: formatInstant(inPrevious.window.from),
            end: formatInstant(inPrevious.window.to - 1),
          },
        }),
    ...(await leftOut(ctx, scope, window, query.asked(before !== null))),
  };
}

/** The window that a document names. @throws AppError 400 for more than a hundred years */
function windowOf({ range, start, end, timeZone }: EventsDocument, now: number): Window {
  if (range === undefined && (start ?? end) !== undefined) {
    const window = metricsWindow({ start, end }, now);
    if (window.to - window.from > MAX_WINDOW_MS)
      throw badRequest('start: must not be more than 100 years before end');
    return window;
  }
  const preset: RangePreset = PRESETS[range ?? DEFAULT_PRESET];
  return { from: preset.from(now, timeZone), to: (preset.to?.(now, timeZone) ?? now) + 1 };
}

/** The bucket of the series; null without series. @throws AppError 400 for too many steps or values */
function bucketOf(
  { bucket, measures, groupBy, limit, histogram, compare }: EventsDocument,
  window: Window,
): BucketName | null {
  if (bucket === undefined) return null;
  const chosen = bucket === 'auto' ? autoBucket(window) : bucket;
  const steps = Math.ceil((window.to - window.from) / BUCKET_LENGTHS[chosen]);
  if (steps > MAX_STEPS)
    throw badRequest(
      `bucket: ${chosen} divides the window into ${steps.toLocaleString('en-US')} steps, more than ${MAX_STEPS.toLocaleString('en-US')}; choose a longer bucket or a shorter window`,
    );
  const groups = groupBy.length === 0 ? 1 : limit + 2;
  const counts = histogram === undefined ? 0 : TIME_BINS;
  const periods = compare === undefined ? 1 : 2;
  if ((groups * measures.length * periods + counts) * steps > MAX_VALUES)
    throw badRequest(
      `limit: ${limit} groups with ${measures.length} measures in ${steps} steps${periods === 2 ? ' of two periods' : ''} are more than ${MAX_VALUES.toLocaleString('en-US')} values; choose fewer groups or measures, or a longer bucket`,
    );
  return chosen;
}

const unitOf = (name: EventMeasure) => (isRunMeasure(name) ? RUN_MEASURES[name] : METRIC_MEASURES[name]).unit;

/** How a document is read, and the same groups in the window just before, in steps as far from its start. */
type Reading = {
  read(ctx: Ctx, scope: EventScope): Promise<GroupsAnswer>;
  readBefore(ctx: Ctx, scope: EventScope, found: GroupsAnswer): Promise<GroupsAnswer>;
  /** @param both also of the window before */
  asked(both: boolean): AskedFigures;
};

/** @throws AppError 400 for measures of calls and of runs together */
function queryOf(document: EventsDocument, window: Window, bucket: BucketName | null): Reading {
  const { measures, groupBy, filter, timeZone, orderBy, limit, histogram, matrix } = document;
  const [first] = measures;
  if (first === undefined) throw new Error('a document names a measure');
  const where = parseFilter(filter);
  const about = {
    groupBy,
    filters: where.length === 0 ? {} : { where },
    window,
    timeZone,
    ...(bucket === null ? {} : { bucket }),
  };
  const earlier = { ...about, window: windowBefore(window), behind: window.to - window.from };
  const keysOf = ({ groups }: GroupsAnswer) => ({ keys: groups.map(({ key }) => key) });
  const order = { by: orderBy?.measure ?? first, direction: orderBy?.direction ?? 'desc', limit } as const;
  const ofRuns = measures.filter(isRunMeasure);
  if (ofRuns.length === 0 && !isRunMeasure(order.by)) {
    const read = [...(measures as readonly MetricMeasure[]), ...countsAfter(measures)];
    const calls = { ...about, measures: read.map(storedMeasure) };
    const keep = { ...order, by: storedMeasure(order.by) };
    const extras = { ...(histogram && { histogram }), ...(matrix !== undefined && { matrix }) };
    return {
      read: (ctx, scope) => eventsOf(ctx).groups(scope, { ...calls, keep, ...extras }),
      readBefore: (ctx, scope, found) =>
        eventsOf(ctx).groups(scope, { ...calls, ...earlier, keep: keysOf(found) }),
      asked: (both) => ({
        groups: [{ ...calls, ...extras }, ...(both ? [{ ...calls, ...earlier }] : [])],
      }),
    };
  }
  const { by } = order;
  if (ofRuns.length < measures.length || !isRunMeasure(by))
    throw badRequest('measures: ask for measures of runs and of calls in a query each');
  if (histogram !== undefined || matrix !== undefined)
    throw badRequest('histogram and matrix are of calls; ask for runs without them');
  const runs = { ...about, measures: ofRuns };
  return {
    read: (ctx, scope) => eventsOf(ctx).runs(scope, { ...runs, keep: { ...order, by } }),
    readBefore: (ctx, scope, found) =>
      eventsOf(ctx).runs(scope, { ...runs, ...earlier, keep: keysOf(found) }),
    asked: (both) => ({ runs: [runs, ...(both ? [earlier] : [])] }),
  };
}

/** Throughput is computed from the number of calls. */
const storedMeasure = (name: MetricMeasure): Measure => (name === 'throughput' ? 'requests' : name);

/** What the values of a period are about. */
type Shape = {
  readonly measures: readonly EventMeasure[];
  readonly window: Window;
  readonly now: number;
  readonly times: readonly number[];
};

const previousShape = (shape: Shape, { times }: GroupsAnswer): Shape => ({
  ...shape,
  window: windowBefore(shape.window),
  times,
});

function figuresOf({ values, series }: GroupFigures, shape: Shape) {
  const { measures, window } = shape;
  const byName = <T>(of: (name: EventMeasure, place: number) => T): Record<string, T> =>
    Object.fromEntries(measures.map((name, place) => [name, of(name, place)]));
  return {
    values: byName((name, place) => valueOver(name, values[place] ?? null, shape, window)),
    ...unpricedCalls(measures, values),
    ...(series === undefined
      ? {}
      : {
          series: byName((name, place) =>
            (series[place] ?? []).map((value, step) => valueOver(name, value, shape, spanOf(shape, step))),
          ),
        }),
  };
}

/** The part of a step that lies in the window. */
const spanOf = ({ times, window }: Shape, step: number): Window => ({
  from: Math.max(window.from, times[step] ?? 0),
  to: Math.min(window.to, times[step + 1] ?? 0),
});

/** A value over a time, of which only what has passed counts for the throughput. */
function valueOver(
  name: EventMeasure,
  value: number | null,
  { now }: Shape,
  { from, to }: Window,
): number | null {
  if (name !== 'throughput' || value === null) return value;
  const minutes = (Math.min(to, now + 1) - from) / MINUTE_MS;
  return minutes <= 0 ? null : value / minutes;
}

const stepsOf = ({ times, window, now }: Shape): MetricsReply['steps'] =>
  times.slice(0, -1).map((start, step) => {
    const end = times[step + 1] ?? start;
    return {
      start: formatInstant(start),
      end: formatInstant(end),
      partial: start < window.from || end > Math.min(window.to, now + 1),
    };
  });
