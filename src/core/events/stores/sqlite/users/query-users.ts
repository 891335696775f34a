import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { UTC_DAYS } from '../../../../../lib/time-buckets.ts';
import type { Window } from '../../../selection.ts';
import type { LabelGroup, LabelSums, UserCosts } from '../labels/label-group.ts';
import { gapsOf, overGaps } from '../metrics/gaps.ts';
import { queryMetrics } from '../metrics/query-metrics.ts';
import { type Scan, type SumsPart, scansOf, splitByDays } from '../metrics/split-window.ts';
import { codesOfTime } from '../scan/codes.ts';
import { selectEvents } from '../scan/select-events.ts';
import { sumUsers } from '../scan/sum-users.ts';
import { LABEL_SUMS } from '../sums/rollup-sums.ts';
import { readSpan, readUserPages } from './read-user-pages.ts';
import { countNumbers, numbersOf } from './user-numbers.ts';
import { PAGE_USERS, U } from './user-page.ts';

/** User sums in the order of `LABEL_SUMS`, which have the same names. */
const PLACES = LABEL_SUMS.map((name) => U[name]);
const COST = LABEL_SUMS.indexOf('cost_nano');
const REQUESTS = LABEL_SUMS.indexOf('requests');

/**
 * Exact cost of a project's calls by user in any window: whole days from the user sums, at most half a day at
 * each end and unsealed calls from a scan. A day with deleted events counts as a whole.
 * @param most maximum number of users listed individually
 */
export function queryUsers(reader: Reader, asked: Window, most: number): UserCosts {
  const [project] = reader.projects;
  // Use one window for all calls and for users' calls; otherwise the difference would be attributed to calls without
  // a user.
  const window = project === undefined ? asked : overGaps(asked, DAY_MS, gapsOf(reader, project));
  const span = { first: Math.floor(window.from / DAY_MS), end: Math.ceil(window.to / DAY_MS) };
  const all = readAll(reader, window, span.first, span.end - span.first);
  if (project === undefined) return { users: [], others: { users: 0, group: all }, nobody: all };
  const parts = splitByDays(reader, project, window);
  const scanned = scansOf(reader, project, parts).flatMap(scanUsers);
  const users = numberUsers(reader, project, scanned);
  const sums = addUp(reader, project, parts.sums, users);
  const ranked = rank(sums, users.size);
  const top = ranked.slice(0, most);
  const { costs, allCosts } = byDay(reader, project, { parts: parts.sums, users, top, ...span });
  const names = namesOf(reader, project, users, top);
  const told = top.map(
    (no, place): LabelGroup => ({
      value: names.get(no) ?? '',
      sums: toSums(sums, no),
      costs: costs[place] as Float64Array,
    }),
  );
  const inAll = { sums: totalOf(ranked.map((no) => toSums(sums, no))), costs: allCosts };
  const inTold = { sums: totalOf(told.map((group) => group.sums)), costs: sumOfCosts(told, allCosts.length) };
  return {
    users: told,
    others: { users: ranked.length - top.length, group: { value: null, ...less(inAll, inTold) } },
    nobody: { value: null, ...less(all, inAll) },
  };
}

/** Sums of all calls of the window. */
function readAll(reader: Reader, window: Window, first: number, days: number): LabelGroup {
  const rows = queryMetrics(reader, { measures: MEASURES, window, bucket: 'day' });
  const costs = new Float64Array(Math.max(0, days));
  for (const { time, cost } of rows) costs[(time ?? 0) / DAY_MS - first] = Math.round(cost * 1e9);
  const total = (measure: (typeof MEASURES)[number]): number =>
    rows.reduce((sum, row) => sum + row[measure], 0);
  const sums = {
    requests: total('requests'),
    errors: total('errors'),
    cost_nano: costs.reduce((sum, cost) => sum + cost, 0),
    unpriced: total('unpriced'),
    input_tokens: total('inputTokens'),
    cache_read_tokens: total('cacheReadTokens'),
    output_tokens: total('outputTokens'),
  };
  return { value: null, sums, costs };
}

const MEASURES = [
  'requests',
  'errors',
  'cost',
  'unpriced',
  'inputTokens',
  'cacheReadTokens',
  'outputTokens',
] as const;

/** Sums of a user's calls on a day, from a scan; parts to subtract are negative. */
type UserRow = { readonly userId: string; readonly day: number; readonly sums: readonly number[] };

function scanUsers({ ref, window, sign }: Scan): UserRow[] {
  const selected = selectEvents(ref.open(), { filters: {}, calls: true }, window);
  if (selected === null) return [];
  return sumUsers(selected, [codesOfTime(selected.columns, UTC_DAYS)]).map(
    ({ userId, key: [day], sums }) => ({
      userId,
      day: Number(day),
      sums: PLACES.map((place) => sign * (sums[place] as number)),
    }),
  );
}

/** Users by number; users without a number get numbers after all others. */
type Numbered = {
  readonly size: number;
  readonly fresh: readonly (UserRow & { readonly no: number })[];
};

function numberUsers(reader: Reader, project: number, rows: readonly UserRow[]): Numbered {
  let size = countNumbers(reader, project);
  const numbers = numbersOf(
    reader,
    project,
    rows.map(({ userId }) => userId),
  );
  const fresh = rows.map((row) => {
    const no = numbers.get(row.userId) ?? size++;
    numbers.set(row.userId, no);
    return { ...row, no };
  });
  return { size, fresh };
}

/** The sums of all users, in the order of `LABEL_SUMS`, by their numbers. */
function addUp(
  reader: Reader,
  project: number,
  parts: readonly SumsPart[],
  { size, fresh }: Numbered,
): Float64Array[] {
  const sums = LABEL_SUMS.map(() => new Float64Array(size));
  for (const days of parts) {
    for (let page = 0; page * PAGE_USERS < size; page++) {
      for (const { slots, columns } of readUserPages(reader, project, page, days)) {
        const base = page * PAGE_USERS;
        for (const [place, own] of sums.entries()) {
          const values = Float64Array.from(columns[PLACES[place] as number] ?? []);
          for (let i = 0; i < values.length; i++) {
            const no = base + (slots[i] as number);
            own[no] = (own[no] as number) + (values[i] as number);
          }
        }
      }
    }
  }
  for (const { no, sums: added } of fresh) {
    for (const [place, own] of sums.entries()) own[no] = (own[no] ?? 0) + (added[place] ?? 0);
  }
  return sums;
}

/** Numbers of users with calls, most expensive first. */
function rank(sums: readonly Float64Array[], size: number): number[] {
  const of = (place: number, no: number): number => sums[place]?.[no] ?? 0;
  return Array.from({ length: size }, (_, no) => no)
    .filter((no) => of(REQUESTS, no) > 0)
    .sort((a, b) => of(COST, b) - of(COST, a) || of(REQUESTS, b) - of(REQUESTS, a) || a - b);
}

type Asked = {
  readonly parts: readonly SumsPart[];
  readonly users: Numbered;
  readonly top: readonly number[];
  readonly first: number;
  readonly end: number;
};

/** Costs by day, for each requested user and in total. */
function byDay(
  reader: Reader,
  project: number,
  { parts, users, top, first, end }: Asked,
): { costs: Float64Array[]; allCosts: Float64Array } {
  const places = new Int32Array(users.size).fill(-1);
  for (const [place, no] of top.entries()) places[no] = place;
  const costs = top.map(() => new Float64Array(end - first));
  const allCosts = new Float64Array(Math.max(0, end - first));
  const add = (no: number, day: number, cost: number): void => {
    allCosts[day - first] = (allCosts[day - first] ?? 0) + cost;
    const own = costs[places[no] ?? -1];
    if (own !== undefined) own[day - first] = (own[day - first] ?? 0) + cost;
  };
  for (const { from, to } of parts) {
    for (let page = 0; page * PAGE_USERS < users.size; page++) {
      for (const { day, slots, columns } of readSpan(reader, project, page, { span: 1, from, to })) {
        const values = Float64Array.from(columns[U.cost_nano] ?? []);
        for (let i = 0; i < values.length; i++)
          add(page * PAGE_USERS + (slots[i] as number), day, values[i] as number);
      }
    }
  }
  for (const { no, day, sums } of users.fresh) add(no, day, sums[COST] ?? 0);
  return { costs, allCosts };
}

function namesOf(
  reader: Reader,
  project: number,
  { fresh }: Numbered,
  top: readonly number[],
): Map<number, string> {
  const rows: SqlValue[][] = reader.rows(
    'SELECT no, user_id FROM event_users WHERE project = ? AND no IN (SELECT value FROM json_each(?))',
    [project, JSON.stringify(top)],
  );
  const names = new Map(fresh.map(({ no, userId }) => [no, userId]));
  for (const [no, userId] of rows) names.set(Number(no), String(userId));
  return names;
}

type Amounts = Omit<LabelGroup, 'value'>;

const toSums = (sums: readonly Float64Array[], no: number): LabelSums => sumsBy((_, i) => sums[i]?.[no] ?? 0);
const totalOf = (all: readonly LabelSums[]): LabelSums =>
  sumsBy((name) => all.reduce((sum, one) => sum + one[name], 0));
const sumsBy = (of: (name: keyof LabelSums, place: number) => number): LabelSums =>
  Object.fromEntries(LABEL_SUMS.map((name, place) => [name, of(name, place)])) as LabelSums;

function sumOfCosts(groups: readonly LabelGroup[], days: number): Float64Array {
  const costs = new Float64Array(days);
  for (const group of groups)
    for (let day = 0; day < days; day++) costs[day] = at(costs, day) + at(group.costs, day);
  return costs;
}

const at = (values: Float64Array, place: number): number => values[place] ?? 0;

const less = (whole: Amounts, part: Amounts): Amounts => ({
  sums: sumsBy((name) => whole.sums[name] - part.sums[name]),
  costs: whole.costs.map((cost, day) => cost - at(part.costs, day)),
});
