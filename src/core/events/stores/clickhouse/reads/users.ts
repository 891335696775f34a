import type {
  FoundUser,
  UserDay,
  UserFigures,
  UserList,
  UserQuery,
  UserSort,
  UsersQuery,
} from '../../../read-queries.ts';
import { decodePlace, encodePlace, orderName } from '../../shared/order/rank.ts';
import type { Engine } from '../engine/engine.ts';
import { float, int, ints, nothing, raw, type Sql, sql, text, texts } from '../engine/sql.ts';
import { FAILED, INPUT, inWindow, OUTPUT, selected, UNPRICED } from './conditions.ts';

type Projects = readonly number[];

type FiguresRow = {
  readonly events: number;
  readonly requests: number;
  readonly errors: number;
  readonly unpriced: number;
  readonly cost: number;
  readonly input_sum: number;
  readonly output_sum: number;
  readonly cache_sum: number;
  readonly first: number;
  readonly last: number;
};

const FIGURES = sql`count() AS events, countIf(is_call) AS requests, countIf(is_call AND ${FAILED}) AS errors,
  countIf(is_call AND ${UNPRICED}) AS unpriced, ifNull(sumIf(cost_nano, is_call), 0) AS cost,
  sumIf(${INPUT}, is_call) AS input_sum, sumIf(${OUTPUT}, is_call) AS output_sum,
  sumIf(bucket_cache_read, is_call) AS cache_sum, min(ts) AS first, max(ts) AS last`;

const toFigures = (row: FiguresRow): UserFigures => ({
  events: row.events,
  requests: row.requests,
  errors: row.errors,
  unpriced: row.unpriced,
  cost_nano: row.cost,
  input_tokens: row.input_sum,
  output_tokens: row.output_sum,
  cache_read_tokens: row.cache_sum,
  first: row.first,
  last: row.last,
});

const SORTS: Readonly<Record<UserSort, Sql>> = {
  cost: raw('cost'),
  requests: raw('requests'),
  errors: raw('errors'),
  errorRate: raw('errors / greatest(1, requests)'),
  input: raw('input_sum'),
  output: raw('output_sum'),
  lastSeen: raw('last'),
};

/** The users of a project with the sums of their events. */
export async function listUsers(engine: Engine, projects: Projects, query: UsersQuery): Promise<UserList> {
  const { window, filters, search, sort, desc, cursor, limit } = query;
  const [project] = projects;
  if (project === undefined) return { users: [], nextCursor: null, total: 0 };
  const order = orderName({ by: sort, desc });
  const after = cursor === null ? null : decodePlace(order, cursor, (id) => id !== '');
  const found = sql`SELECT assumeNotNull(user_id) AS user, ${FIGURES}, toFloat64(${SORTS[sort]}) AS key FROM events FINAL
    WHERE ${inWindow([project], window)} AND ${selected({ filters, calls: false })} AND ifNull(user_id, '') != ''
    ${search === '' ? nothing : sql`AND startsWith(assumeNotNull(user_id), ${text(search)})`} GROUP BY user`;
  const comes = raw(desc ? '<' : '>');
  const past =
    after === null
      ? nothing
      : sql`WHERE key ${comes} ${float(after.key)} OR (key = ${float(after.key)} AND
          (last < ${int(after.ts)} OR (last = ${int(after.ts)} AND user > ${text(after.id)})))`;
  const [rows, [counted]] = await Promise.all([
    engine.read<FiguresRow & { user: string; key: number }>(
      projects,
      sql`SELECT * FROM (${found}) ${past} ORDER BY key ${raw(desc ? 'DESC' : 'ASC')}, last DESC, user LIMIT ${int(limit + 1)}`,
    ),
    engine.read<{ users: number }>(projects, sql`SELECT count() AS users FROM (${found})`),
  ]);
  const shown = rows.slice(0, limit);
  const firsts = await firstSeen(
    engine,
    project,
    shown.map(({ user }) => user),
  );
  const last = shown.at(-1);
  return {
    users: shown.map((row) => ({
      userId: row.user,
      figures: toFigures(row),
      firstSeen: Math.min(row.first, firsts.get(row.user) ?? row.first),
    })),
    nextCursor:
      rows.length > limit && last !== undefined
        ? encodePlace(order, { key: last.key, ts: last.last, id: last.user })
        : null,
    total: counted?.users ?? 0,
  };
}

/** The first event of each user over all time. */
async function firstSeen(
  engine: Engine,
  project: number,
  users: readonly string[],
): Promise<Map<string, number>> {
  if (users.length === 0) return new Map();
  const rows = await engine.read<{ user: string; first: number }>(
    [project],
    sql`SELECT assumeNotNull(user_id) AS user, min(ts) AS first FROM events
      WHERE project IN ${ints([project])} AND user_id IN ${texts(users)} GROUP BY user`,
  );
  return new Map(rows.map(({ user, first }) => [user, first]));
}

/** One user by day; null if unknown. */
export async function getUser(
  engine: Engine,
  projects: Projects,
  query: UserQuery,
): Promise<FoundUser | null> {
  const { userId, window, environment } = query;
  const [project] = projects;
  if (project === undefined) return null;
  const of = sql`project IN ${ints([project])} AND user_id = ${text(userId)}`;
  const [[all], days] = await Promise.all([
    engine.read<{ first: number; last: number; events: number }>(
      projects,
      sql`SELECT min(ts) AS first, max(ts) AS last, count() AS events FROM events WHERE ${of}`,
    ),
    engine.read<FiguresRow & { day: number }>(
      projects,
      sql`SELECT intDiv(ts, 86400000) AS day, ${FIGURES} FROM events FINAL
        WHERE ${of} AND ${inWindow([project], window)} AND ${selected({ filters: { environment }, calls: false })}
        GROUP BY day ORDER BY day`,
    ),
  ]);
  if (all === undefined || all.events === 0) return null;
  const found = days.map((row): UserDay => ({ day: row.day, figures: toFigures(row) }));
  return {
    first: all.first,
    last: all.last,
    figures: sumOf(found.map(({ figures }) => figures)),
    days: found,
  };
}

function sumOf(figures: readonly UserFigures[]): UserFigures {
  const sum = (name: keyof UserFigures): number => figures.reduce((all, one) => all + one[name], 0);
  return {
    events: sum('events'),
    requests: sum('requests'),
    errors: sum('errors'),
    unpriced: sum('unpriced'),
    cost_nano: sum('cost_nano'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    first: figures.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY),
    last: figures.reduce((most, { last }) => Math.max(most, last), Number.NEGATIVE_INFINITY),
  };
}
