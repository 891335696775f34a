import type {
  StoredEvent,
  TraceLine,
  TraceReply,
  WaterfallReply,
} from '../../../src/core/events/contract.ts';
import type { Ledger } from '../../../src/core/events/ledger.ts';
import { isPercentile, type Measure, PERCENTILES, SUM_MEASURES } from '../../../src/core/events/measures.ts';
import type { LabelDimension } from '../../../src/core/events/metrics.ts';
import type {
  FoundEvent,
  FoundUser,
  Session,
  SessionLine,
  StoredSpan,
  TagLine,
  UnpricedModels,
  UserList,
} from '../../../src/core/events/read-queries.ts';
import type { EventStore } from '../../../src/core/events/store.ts';
import { type EventScope, ofProject, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { NOON } from './make-event.ts';

/** Whole days around all events of the suite. */
export const ALL = { from: NOON - 12 * HOUR_MS - 12 * DAY_MS, to: NOON + 12 * HOUR_MS + 3 * DAY_MS };
export const ALL_MEASURES = [...Object.keys(SUM_MEASURES), ...Object.keys(PERCENTILES)] as Measure[];
/** The measures of calls. */
export const MEASURES = ALL_MEASURES.filter((name) => !name.startsWith('guardrail'));
export const SUMS = MEASURES.filter((name) => !isPercentile(name));
/** What is known by key, tag and user over whole days. */
export const LABEL_MEASURES = [
  'requests',
  'errors',
  'cost',
  'unpriced',
  'inputTokens',
  'cacheReadTokens',
  'outputTokens',
] as const satisfies readonly Measure[];
export const LABEL_DIMENSIONS = [
  'keyId',
  'tag:team',
  'tag:tier',
] as const satisfies readonly LabelDimension[];

type Row = Readonly<Record<string, unknown>>;

/** All that the reads of a store tell of one project. Rows whose order is not defined are sorted. */
export type Everything = {
  readonly totals: Row;
  readonly byDay: readonly Row[];
  readonly byHour: readonly Row[];
  readonly byModel: readonly Row[];
  /** By user and by each label, with what they cost each day. */
  readonly byLabel: Readonly<Record<string, readonly Row[]>>;
  readonly total: number;
  /** Newest first. */
  readonly events: readonly StoredEvent[];
  readonly found: readonly (FoundEvent | null)[];
  readonly traces: readonly Omit<TraceLine, 'user_id' | 'session_id'>[];
  readonly trees: readonly (TraceReply | null)[];
  readonly waterfalls: readonly (WaterfallReply | null)[];
  readonly sessions: readonly Omit<SessionLine, 'user_id'>[];
  readonly openSessions: readonly (OpenSession | null)[];
  readonly conversations: readonly string[][];
  readonly users: UserList['users'];
  readonly eachUser: readonly (FoundUser | null)[];
  readonly span: StoredSpan;
  readonly tags: readonly TagLine[];
  readonly unpriced: UnpricedModels;
  readonly accounts: readonly Row[];
  /** The accounts by tags. */
  readonly tagged: readonly Row[];
  readonly models: Ledger['models'];
};

/** Traces that start together have no order of their own: they are sorted. */
type OpenSession = {
  readonly truncated: boolean;
  readonly isByStart: boolean;
  readonly traces: readonly Row[];
};

const inOrderOfStart = (traces: Session['traces']): Omit<OpenSession, 'truncated'> => {
  const starts = traces.map(({ start }) => start);
  return {
    isByStart: starts.toSorted().join() === starts.join(),
    traces: inOrder(traces.map(({ trace_id, start }) => ({ trace_id, start }))),
  };
};

/** Without the trees: they show rings of parents, which the recount of trees does not know. */
export const withoutTrees = ({ trees: _, waterfalls: __, traces: ___, ...rest }: Everything) => rest;

export async function readAll(store: EventStore, project: ProjectScope): Promise<Everything> {
  const scope = ofProject(project);
  const answers = await store.metrics(scope, {
    totals: { measures: MEASURES, window: ALL },
    byDay: { measures: SUMS, window: ALL, bucket: 'day' },
    byHour: { measures: SUMS, window: ALL, bucket: 'hour' },
    byModel: { measures: MEASURES, window: ALL, groupBy: ['provider', 'model'] },
    userId: { measures: LABEL_MEASURES, window: ALL, groupBy: ['userId'], costsBy: 'day' },
    keyId: { measures: LABEL_MEASURES, window: ALL, groupBy: ['keyId'], costsBy: 'day' },
    'tag:team': { measures: LABEL_MEASURES, window: ALL, groupBy: ['tag:team'], costsBy: 'day' },
    'tag:tier': { measures: LABEL_MEASURES, window: ALL, groupBy: ['tag:tier'], costsBy: 'day' },
  });
  const { totals, byDay, byHour, byModel, ...byLabel } = answers;
  const page = { filters: {}, calls: false, window: ALL, cursor: null, limit: 200 };
  const { total } = (await store.events(scope, { ...page, limit: 1 })).parse();
  const events = await pages(async (cursor) => {
    const { events: rows, nextCursor } = (await store.eventsAfter(scope, { ...page, cursor })).parse();
    return { rows, nextCursor };
  });
  return {
    totals: totals[0] ?? {},
    byDay,
    byHour,
    byModel: inOrder(byModel),
    byLabel: Object.fromEntries(Object.entries(byLabel).map(([name, rows]) => [name, inOrder<Row>(rows)])),
    total,
    events,
    found: await each(events, ({ event_id: id }) => store.event(scope, { id, ts: null })),
    ...(await readTraces(store, scope)),
    ...(await readSessions(store, scope)),
    ...(await readUsers(store, scope)),
    span: await store.span(scope),
    tags: (await store.tags(scope, { window: ALL, values: 100 })).map((tag) => ({
      ...tag,
      values: tag.values.toSorted(),
    })),
    ...(await readCosts(store, scope)),
  };
}

/** Reads that wait for an answer at the same time. A store may refuse more than a few dozen. */
const AT_ONCE = 8;

async function each<T, R>(values: readonly T[], read: (value: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (let i = 0; i < values.length; i += AT_ONCE)
    all.push(...(await Promise.all(values.slice(i, i + AT_ONCE).map(read))));
  return all;
}

/** All pages of a list. */
export async function pages<T>(
  read: (cursor: string | null) => Promise<{ rows: readonly T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: readonly T[]; nextCursor: string | null } = await read(cursor);
    all.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

/** Rows in an order of their own: by their fields. */
export const inOrder = <T extends object>(rows: readonly T[]): T[] =>
  rows
    .map((row) => ({ row, text: JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);

async function readTraces(store: EventStore, scope: EventScope) {
  const page = { filters: {}, calls: false, window: ALL, limit: 30 };
  const lines = await pages(async (cursor) => {
    const { traces, nextCursor } = (await store.traces(scope, { ...page, cursor })).parse();
    return { rows: traces, nextCursor };
  });
  const ids = lines.map(({ trace_id }) => trace_id);
  return {
    traces: lines.map(({ user_id: _, session_id: __, ...line }) => line),
    trees: await each(ids, async (id) => (await store.trace(scope, id))?.parse() ?? null),
    waterfalls: await each(ids, async (id) => (await store.waterfall(scope, id))?.parse() ?? null),
  };
}

async function readSessions(store: EventStore, scope: EventScope) {
  const page = { filters: {}, calls: false, limit: 30 };
  const lines = await pages(async (cursor) => {
    const { sessions, nextCursor } = (await store.sessions(scope, { ...page, window: ALL, cursor })).parse();
    return { rows: sessions, nextCursor };
  });
  const ids = lines.map(({ session_id }) => session_id);
  const conversation = (sessionId: string): Promise<string[]> =>
    pages(async (cursor) => {
      const reply = (await store.sessionEvents(scope, { ...page, sessionId, cursor }))?.parse();
      return {
        rows: reply?.events.map(({ event_id }) => event_id) ?? [],
        nextCursor: reply?.nextCursor ?? null,
      };
    });
  return {
    sessions: lines.map(({ user_id: _, ...line }) => line),
    openSessions: await each(ids, async (id) => {
      const found = (await store.session(scope, id))?.parse() ?? null;
      return found && { truncated: found.truncated, ...inOrderOfStart(found.traces) };
    }),
    conversations: await each(ids, conversation),
  };
}

async function readUsers(store: EventStore, scope: EventScope) {
  const query = { window: ALL, filters: {}, search: '', sort: 'cost', desc: true, limit: 3 } as const;
  const users = await pages(async (cursor) => {
    const { users: rows, nextCursor } = await store.users(scope, { ...query, cursor });
    return { rows, nextCursor };
  });
  const byId = users.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  return {
    users: byId,
    eachUser: await each(byId, ({ userId }) => store.user(scope, { userId, window: ALL })),
  };
}

async function readCosts(store: EventStore, scope: EventScope) {
  const { models, ...unpriced } = await store.unpriced(scope, { window: ALL, limit: 100 });
  const ledger = await store.ledger(scope, { window: ALL, environment: null });
  const tagged = await store.ledger(scope, { window: ALL, environment: null, byTags: true });
  const toAccounts = ({ accounts }: typeof ledger) =>
    inOrder(
      accounts.map(({ price, buckets, ...account }) => ({
        ...account,
        price: price?.applied ?? null,
        buckets: inOrder(buckets),
      })),
    );
  return {
    unpriced: { ...unpriced, models: inOrder(models) },
    accounts: toAccounts(ledger),
    tagged: toAccounts(tagged),
    models: inOrder(ledger.models),
  };
}
