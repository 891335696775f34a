import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import { isPercentile, PERCENTILES } from '../../../measures.ts';
import {
  BUCKET_MS,
  type GroupsAnswer,
  type GroupsQuery,
  type LabelDimension,
  type MetricsQueries,
  type MetricsQuery,
  type MetricsRow,
} from '../../../metrics.ts';
import { isEventDimension } from '../../shared/metrics/dimensions.ts';
import type { CallsPass } from '../../shared/metrics/groups-source.ts';
import { queryGroups } from '../../shared/metrics/query-groups.ts';
import { withLabels } from '../labels/label-filter.ts';
import { queryLabels } from '../labels/query-labels.ts';
import { countEvents } from '../queries/count-events.ts';
import { queryUsers } from '../users/query-users.ts';
import { readHistogram } from './histogram.ts';
import { fromLabels, fromUsers } from './label-rows.ts';
import {
  areInLabelSums,
  type CallsQuery,
  isDividedFinely,
  isInRollups,
  isInUserDays,
  isUtcDay,
  type Plan,
  planQuery,
} from './metrics-plan.ts';
import { readPercentiles } from './percentiles.ts';
import { type CallsPart, queryMetrics, queryTogether } from './query-metrics.ts';
import { readGroups } from './read-groups.ts';

/**
 * Maximum number of calls to read individually if no sums support the query: two seconds of a reader process, at 0.1 µs
 * per call.
 */
const MAX_CALLS = 20_000_000;

/**
 * The query planner: keys and tags without filters come from label sums, users, and one user, over whole days from user
 * sums, everything else from roll-ups or a scan. Queries over the same calls share a pass.
 * @throws AppError 400 if too many calls would have to be read individually
 */
export function answerMetrics(reader: Reader, queries: MetricsQueries): Record<string, MetricsRow[]> {
  const answers: Record<string, MetricsRow[]> = {};
  const passes = new Passes();
  for (const [name, given] of Object.entries(queries)) {
    const query = lookedUp(reader, given);
    const label = labelDimensionOf(query);
    if (label !== null) answers[name] = fromLabels(query, queryLabels(reader, query.window, label));
    else if (isOfUserDays(reader, query))
      answers[name] = fromUsers(
        query,
        queryUsers(reader, query.window, query.top ?? Number.POSITIVE_INFINITY),
      );
    else passes.add(name, toCallsQuery(reader, query));
  }
  return Object.assign(answers, passes.answer(reader));
}

/** Answers a query by groups. @throws AppError 400 if too many calls would have to be read, or for too many groups */
export function answerGroups(reader: Reader, given: GroupsQuery): GroupsAnswer {
  const { filters } = withLabels(reader, { filters: given.filters, calls: true });
  const query = { ...given, filters };
  toCallsQuery(reader, query);
  const { bucket: _, ...whole } = query;
  const source = {
    whole: () => passOf(reader, planQuery(reader, whole)),
    byBucket: () => passOf(reader, planQuery(reader, query)),
  };
  return queryGroups(source, query);
}

/** What figures are made of where single calls are gone. */
export type Sources = {
  /** The time that a sum is about, in milliseconds: an hour or a day; null without sums. */
  readonly sums: number | null;
  /** Whether some figures need the events. */
  readonly needsEvents: boolean;
};

/** The sources of a query of `answerMetrics`. */
export function sourcesOf(reader: Reader, given: MetricsQuery): Sources {
  const query = lookedUp(reader, given);
  if (labelDimensionOf(query) !== null) return { sums: HOUR_MS, needsEvents: false };
  if (isOfUserDays(reader, query)) return { sums: DAY_MS, needsEvents: false };
  return sourcesOfCalls(query);
}

/** The sources of a query of `answerGroups`. */
export const sourcesOfGroups = (reader: Reader, given: CallsQuery): Sources =>
  sourcesOfCalls(lookedUp(reader, given));

function sourcesOfCalls(query: CallsQuery): Sources {
  if (isInUserDays(query)) return { sums: DAY_MS, needsEvents: false };
  const isRead = readsCalls(query);
  return { sums: isRead ? null : HOUR_MS, needsEvents: isRead || isDividedFinely(query) };
}

const lookedUp = <Q extends CallsQuery>(reader: Reader, query: Q): Q => ({
  ...query,
  filters: withLabels(reader, { filters: query.filters ?? {}, calls: true }).filters,
});

const passOf = (reader: Reader, plan: Plan): CallsPass => ({
  division: plan.division,
  groups: (sums, target) => readGroups(reader, plan, sums, target),
  quantiles: (measures, countOf, targets) => readPercentiles(reader, plan, measures, countOf, targets),
  histogram: (of, buckets) => readHistogram(reader, plan, of, buckets),
});

/** The key or tag by which label sums support a query; null for queries that need other sums or a scan. */
function labelDimensionOf(query: MetricsQuery): LabelDimension | null {
  const [dimension, ...more] = query.groupBy ?? [];
  if (dimension === undefined || isEventDimension(dimension) || more.length > 0) return null;
  return isUnfiltered(query) && isByDay(query) ? dimension : null;
}

const isUnfiltered = ({ filters = {} }: MetricsQuery): boolean =>
  Object.values(filters).every((value) => value === undefined);

/** Whether label and user sums support a query: only some measures, in total and by day. */
const isByDay = ({ measures, bucket, costsBy = 'day', timeZone }: MetricsQuery): boolean =>
  bucket === undefined && isUtcDay(timeZone)(costsBy) && areInLabelSums(measures);

const isOfUserDays = (reader: Reader, query: MetricsQuery): boolean =>
  query.groupBy?.join() === 'userId' && isUnfiltered(query) && isByDay(query) && reader.projects.length === 1;

function toCallsQuery(reader: Reader, query: CallsQuery): CallsQuery {
  const { userId, sessionId } = query.filters ?? {};
  if (readsCalls(query) && userId === undefined && sessionId === undefined) refuseTooMany(reader, query);
  return query;
}

/** Whether all calls of the window are read. */
const readsCalls = (query: CallsQuery): boolean =>
  !isInRollups(query) ||
  query.histogram === 'ttft' ||
  query.measures.some((name) => isPercentile(name) && PERCENTILES[name].time === 'ttft');

function refuseTooMany(reader: Reader, { filters = {}, groupBy = [], window }: CallsQuery): void {
  const calls = countEvents(reader, { filters: {}, calls: true }, window);
  if (calls <= MAX_CALLS) return;
  const [most, found] = [MAX_CALLS, calls].map((count) => count.toLocaleString('en-US'));
  const why = isUnfiltered({ filters, measures: [], window })
    ? `by ${groupBy.join(' and ')}`
    : 'with this filter';
  throw badRequest(
    `start: figures ${why} are read call by call, for at most ${most} calls, not ${found}; choose a shorter window`,
  );
}

/** Key of queries that share a pass: same calls, same source, same bucket length. */
type Pass = {
  readonly about: string;
  readonly query: CallsQuery;
  ms: number | null;
  readonly parts: Record<string, CallsPart>;
};

class Passes {
  readonly #passes: Pass[] = [];
  readonly #alone: [name: string, query: CallsQuery][] = [];

  add(name: string, query: CallsQuery): void {
    if (query.measures.some(isPercentile)) {
      this.#alone.push([name, query]);
      return;
    }
    const { filters, window, timeZone, ...part } = query;
    const about = JSON.stringify([filters, window, timeZone, isInRollups(query), isInUserDays(query)]);
    const bucket = query.bucket ?? query.costsBy;
    const ms = bucket === undefined ? null : BUCKET_MS[bucket];
    const pass = this.#passes.find(
      (one) => one.about === about && (one.ms === null || ms === null || one.ms === ms),
    );
    if (pass === undefined) this.#passes.push({ about, query, ms, parts: { [name]: part } });
    else {
      pass.parts[name] = part;
      pass.ms ??= ms;
    }
  }

  answer(reader: Reader): Record<string, MetricsRow[]> {
    const answers: Record<string, MetricsRow[]> = {};
    for (const [name, query] of this.#alone) answers[name] = queryMetrics(reader, query);
    for (const { query, parts } of this.#passes) Object.assign(answers, queryTogether(reader, query, parts));
    return answers;
  }
}
