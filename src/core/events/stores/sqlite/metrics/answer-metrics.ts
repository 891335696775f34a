import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { isPercentile } from '../../../measures.ts';
import { BUCKET_MS, type MetricsQueries, type MetricsQuery, type MetricsRow } from '../../../metrics.ts';
import { withLabels } from '../labels/label-filter.ts';
import { queryLabels } from '../labels/query-labels.ts';
import { countEvents } from '../queries/count-events.ts';
import { queryUsers } from '../users/query-users.ts';
import { isEventDimension } from './dimensions.ts';
import { fromLabels, fromUsers } from './label-rows.ts';
import { areInLabelSums, type CallsQuery, isInRollups, isInUserDays } from './metrics-plan.ts';
import { type CallsPart, queryMetrics, queryTogether } from './query-metrics.ts';

/** Maximum number of calls to read individually if no sums support the query. */
const MAX_CALLS = 500_000;

/**
 * The query planner: keys and tags come from label sums, users, and one user, over whole days from user sums,
 * everything else from roll-ups or a scan. Queries over the same calls share a pass.
 * @throws AppError 400 for a key or tag with filters, and if too many calls would have to be read individually
 */
export function answerMetrics(reader: Reader, queries: MetricsQueries): Record<string, MetricsRow[]> {
  const answers: Record<string, MetricsRow[]> = {};
  const passes = new Passes();
  for (const [name, given] of Object.entries(queries)) {
    const query = {
      ...given,
      filters: withLabels(reader, { filters: given.filters ?? {}, calls: true }).filters,
    };
    if (query.groupBy?.some((dimension) => !isEventDimension(dimension)))
      answers[name] = answerByLabel(reader, query);
    else if (isOfUserDays(reader, query))
      answers[name] = fromUsers(
        query,
        queryUsers(reader, query.window, query.top ?? Number.POSITIVE_INFINITY),
      );
    else passes.add(name, toCallsQuery(reader, query));
  }
  return Object.assign(answers, passes.answer(reader));
}

function answerByLabel(reader: Reader, query: MetricsQuery): MetricsRow[] {
  const { groupBy: [dimension, ...more] = [], filters = {} } = query;
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined)
    throw badRequest(`${filter}: costs by key and tag cannot be filtered; leave it out`);
  if (dimension === undefined || isEventDimension(dimension) || more.length > 0 || !isByDay(query))
    throw new Error('keys and tags cannot be combined with other dimensions or hourly buckets');
  return fromLabels(query, queryLabels(reader, query.window, dimension));
}

/** Whether label and user sums support a query: only some measures, in total and by day. */
const isByDay = ({ measures, bucket, costsBy }: MetricsQuery): boolean =>
  bucket === undefined && costsBy !== 'hour' && areInLabelSums(measures);

function isOfUserDays(reader: Reader, query: MetricsQuery): boolean {
  const { groupBy = [], filters = {} } = query;
  const isAll = Object.values(filters).every((value) => value === undefined);
  return groupBy.join() === 'userId' && isAll && isByDay(query) && reader.projects.length === 1;
}

function toCallsQuery(reader: Reader, { groupBy = [], ...query }: MetricsQuery): CallsQuery {
  const calls = { ...query, groupBy: groupBy.filter(isEventDimension) };
  const { userId, sessionId } = query.filters ?? {};
  if (!isInRollups(calls) && userId === undefined && sessionId === undefined) refuseTooMany(reader, calls);
  return calls;
}

function refuseTooMany(reader: Reader, { filters = {}, groupBy = [], window }: CallsQuery): void {
  const calls = countEvents(reader, { filters: {}, calls: true }, window);
  if (calls <= MAX_CALLS) return;
  const [most, found] = [MAX_CALLS, calls].map((count) => count.toLocaleString('en-US'));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const what = groupBy.includes('userId') ? 'costs by user are told' : 'calls are counted';
  throw badRequest(
    isFiltered
      ? `start: with a filter ${what} for at most ${most} calls, not ${found}; choose less time or no filter`
      : `start: ${what} in such detail for at most ${most} calls, not ${found}; choose less time`,
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
    const { filters, window, ...part } = query;
    const about = JSON.stringify([filters, window, isInRollups(query), isInUserDays(query)]);
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
