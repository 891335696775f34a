import { beforeAll, expect, test } from 'bun:test';
import type { EventSums } from '../../src/core/events/contract.ts';
import {
  EVENT_SORTS,
  type EventSort,
  LINE_SORTS,
  type LineSort,
} from '../../src/core/events/order/contract.ts';
import type { EventStore } from '../../src/core/events/store.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { ALL, pages } from './support/read-all.ts';
import { inputOf, outputOf } from './support/recount.ts';
import { newestFirst } from './support/recount-all.ts';
import { sumsOf } from './support/recount-traces.ts';
import { record, send } from './support/send.ts';

type Page = { readonly rows: readonly string[]; readonly nextCursor: string | null };
type List = {
  read(store: EventStore, project: ProjectScope, cursor: string | null, limit: number): Promise<Page>;
  /** What the list has of events, in its order. */
  expected(events: readonly SentEvent[]): string[];
};

const SELECTION = { filters: {}, calls: false, window: ALL };
const idsOf = (events: readonly { readonly event_id: string }[]): string[] =>
  events.map(({ event_id }) => event_id);

const LISTS: Record<string, List> = {
  events: {
    async read(store, project, cursor, limit) {
      const page = (await store.events(ofProject(project), { ...SELECTION, cursor, limit })).parse();
      return { rows: idsOf(page.events), nextCursor: page.nextCursor };
    },
    expected: (events) => idsOf(newestFirst(events)),
  },
  eventsAfter: {
    async read(store, project, cursor, limit) {
      const page = (await store.eventsAfter(ofProject(project), { ...SELECTION, cursor, limit })).parse();
      return { rows: idsOf(page.events), nextCursor: page.nextCursor };
    },
    expected: (events) => idsOf(newestFirst(events)),
  },
  'events of a user': {
    async read(store, project, cursor, limit) {
      const query = { ...SELECTION, filters: { userId: 'user-1' }, cursor, limit };
      const page = (await store.eventsAfter(ofProject(project), query)).parse();
      return { rows: idsOf(page.events), nextCursor: page.nextCursor };
    },
    expected: (events) => idsOf(newestFirst(events).filter(({ user_id }) => user_id === 'user-1')),
  },
  sessionEvents: {
    async read(store, project, cursor, limit) {
      const query = { filters: {}, calls: false, sessionId: 'session-1', cursor, limit };
      const page = (await store.sessionEvents(ofProject(project), query))?.parse();
      return { rows: idsOf(page?.events ?? []), nextCursor: page?.nextCursor ?? null };
    },
    expected: (events) =>
      idsOf(newestFirst(events).filter(({ session_id }) => session_id === 'session-1')).toReversed(),
  },
  traces: {
    async read(store, project, cursor, limit) {
      const page = (await store.traces(ofProject(project), { ...SELECTION, cursor, limit })).parse();
      return { rows: page.traces.map(({ trace_id }) => trace_id), nextCursor: page.nextCursor };
    },
    expected: (events) =>
      [
        ...new Set(
          newestFirst(events)
            .toReversed()
            .map(({ trace_id }) => trace_id),
        ),
      ].toReversed(),
  },
  sessions: {
    async read(store, project, cursor, limit) {
      const page = (await store.sessions(ofProject(project), { ...SELECTION, cursor, limit })).parse();
      return { rows: page.sessions.map(({ session_id }) => session_id), nextCursor: page.nextCursor };
    },
    expected: (events) => [...new Set(newestFirst(events).flatMap(({ session_id }) => session_id ?? []))],
  },
  users: {
    async read(store, project, cursor, limit) {
      const query = {
        window: ALL,
        filters: {},
        search: '',
        sort: 'lastSeen',
        desc: true,
        cursor,
        limit,
      } as const;
      const page = await store.users(ofProject(project), query);
      return { rows: page.users.map(({ userId }) => userId), nextCursor: page.nextCursor };
    },
    expected: (events) => [...new Set(newestFirst(events).flatMap(({ user_id }) => user_id ?? []))],
  },
};
/** What lists are ordered by, as a recount of the stored events gives it; NaN for none. */
const EVENT_KEYS: Readonly<Record<Exclude<EventSort, 'time'>, (event: SentEvent) => number>> = {
  cost: ({ is_call, cost_nano }) => (is_call && cost_nano !== null ? cost_nano / 1e9 : Number.NaN),
  latency: ({ latency_ms }) => latency_ms ?? Number.NaN,
  ttft: ({ ttft_ms }) => ttft_ms ?? Number.NaN,
  input: inputOf,
  output: outputOf,
  cached: ({ buckets }) => buckets.cacheRead,
  reasoning: ({ buckets }) => buckets.reasoning,
  tokens: (event) => inputOf(event) + outputOf(event),
};
const LINE_KEYS: Readonly<Record<Exclude<LineSort, 'time'>, keyof EventSums>> = {
  cost: 'cost_usd',
  duration: 'duration_ms',
  spans: 'spans',
  calls: 'llm_calls',
  errors: 'errors',
  tokens: 'input_tokens',
};

/** Rows by a key, those without one last; equal ones stay in their order. */
const byKey = <T>(rows: readonly T[], key: (row: T) => number, desc: boolean): T[] =>
  rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return desc ? y - x : x - y;
  });

const eventsBy = (by: EventSort, desc: boolean): List => ({
  async read(store, project, cursor, limit) {
    const query = { ...SELECTION, order: { by, desc }, cursor, limit };
    const page = (await store.eventsAfter(ofProject(project), query)).parse();
    return { rows: idsOf(page.events), nextCursor: page.nextCursor };
  },
  expected: (events) =>
    by === 'time'
      ? idsOf(newestFirst(events)).toReversed()
      : idsOf(byKey(newestFirst(events), EVENT_KEYS[by], desc)),
});

/** Lines in the order of their sums; those of one sum by the time of their first or last event. */
function linesBy(
  by: Exclude<LineSort, 'time'>,
  desc: boolean,
  idOf: (event: SentEvent) => string | null,
  time: 'first' | 'last',
): List['expected'] {
  return (events) => {
    const named = events.flatMap((event) => ({ id: idOf(event), event })).filter(({ id }) => id !== null);
    const lines = [...Map.groupBy(named, ({ id }) => id ?? '')].map(([id, own]) => {
      const sums = sumsOf(own.map(({ event }) => event));
      const times = own.map(({ event }) => event.ts);
      const key = sums[LINE_KEYS[by]] as number;
      return {
        id,
        key: by === 'tokens' ? key + sums.output_tokens : key,
        ts: time === 'first' ? Math.min(...times) : Math.max(...times),
      };
    });
    return byKey(
      lines.sort((a, b) => b.ts - a.ts),
      ({ key }) => key,
      desc,
    ).map(({ id }) => id);
  };
}

for (const by of EVENT_SORTS)
  for (const desc of by === 'time' ? [false] : [true, false])
    LISTS[`events by ${by} ${desc ? 'descending' : 'ascending'}`] = eventsBy(by, desc);

for (const by of LINE_SORTS)
  for (const desc of [true, false]) {
    if (by === 'time') continue;
    const order = { by, desc };
    LISTS[`traces by ${by} ${desc ? 'descending' : 'ascending'}`] = {
      async read(store, project, cursor, limit) {
        const page = (await store.traces(ofProject(project), { ...SELECTION, order, cursor, limit })).parse();
        return { rows: page.traces.map(({ trace_id }) => trace_id), nextCursor: page.nextCursor };
      },
      expected: linesBy(by, desc, ({ trace_id }) => trace_id, 'first'),
    };
    LISTS[`sessions by ${by} ${desc ? 'descending' : 'ascending'}`] = {
      async read(store, project, cursor, limit) {
        const page = (
          await store.sessions(ofProject(project), { ...SELECTION, order, cursor, limit })
        ).parse();
        return { rows: page.sessions.map(({ session_id }) => session_id), nextCursor: page.nextCursor };
      },
      expected: linesBy(by, desc, ({ session_id }) => session_id, 'last'),
    };
  }

/** Lists in which a row that is there keeps its place, whatever arrives. */
const STEADY = [
  'events',
  'eventsAfter',
  'events of a user',
  'sessionEvents',
  'traces',
  ...Object.keys(LISTS).filter((name) => name.startsWith('events by ')),
];

/** Every row at a moment of its own: of those that share one, lists of names have no order. */
const apart = (events: readonly SentEvent[]): SentEvent[] =>
  events.map((event, place) => ({ ...event, ts: Math.floor(event.ts / 10_000) * 10_000 + place }));

eachStore('paging', { served: true }, (world) => {
  const events = apart(randomEvents(TEST_SEED, 300, NOON - 3 * DAY_MS, NOON));
  let still: ProjectScope;
  beforeAll(async () => {
    still = await world.newProject();
    await send(world.open.store, still, events, createRandom(TEST_SEED));
  });

  test('users: a cursor of another order is refused with 400', async () => {
    const read = (sort: 'cost' | 'requests', desc: boolean, cursor: string | null) =>
      world.open.store.users(ofProject(still), {
        ...{ window: ALL, filters: {}, search: '', limit: 1 },
        ...{ sort, desc, cursor },
      });
    const { nextCursor } = await read('cost', true, null);
    expect((await read('cost', true, nextCursor)).users).toHaveLength(1);
    for (const [sort, desc] of [
      ['requests', true],
      ['cost', false],
    ] as const)
      await expect(read(sort, desc, nextCursor)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('cursor: was not returned by this endpoint in this order'),
      });
  });

  for (const [name, list] of Object.entries(LISTS)) {
    test(`${name}: pages of any size hold each row once and in order`, async () => {
      for (const limit of [1, 7, 200]) {
        const rows = await pages(async (cursor) => {
          const page = await list.read(world.open.store, still, cursor, limit);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          return page;
        });
        expect(rows).toEqual(list.expected(events));
      }
    });

    test(`${name}: a forged cursor is refused with 400`, async () => {
      const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const forged = [
        'x',
        '%%%',
        'AAAA',
        json([1]),
        json(['a', 'b']),
        json([1e300, 'b']),
        json([NOON]),
        json({}),
        json(null),
      ];
      for (const cursor of forged)
        await expect(list.read(world.open.store, still, cursor, 5)).rejects.toMatchObject({ status: 400 });
    });
  }

  for (const name of STEADY) {
    test(`${name}: no row is skipped or repeated while events arrive`, async () => {
      const list = LISTS[name];
      if (list === undefined) throw new Error(`no list ${name}`);
      const project = await world.newProject();
      await send(world.open.store, project, events, createRandom(TEST_SEED));
      const arriving = randomEvents(TEST_SEED + 1, 400, NOON - 4 * DAY_MS, NOON + DAY_MS);
      const sending = send(world.open.store, project, arriving, createRandom(TEST_SEED));
      const rows = await pages((cursor) => list.read(world.open.store, project, cursor, 11));
      await sending;
      const seen = new Set(rows);
      const before = list.expected(events);
      // A trace that is still arriving may move down the list, when an earlier span of it comes last.
      const settled = name === 'traces' ? rows.filter((row) => before.includes(row)) : rows;
      expect(new Set(settled).size).toBe(settled.length);
      expect(before.filter((row) => !seen.has(row))).toEqual([]);
      const places = new Map(rows.map((row, place) => [row, place]));
      const order = before.map((row) => places.get(row) ?? -1);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });
  }

  test('events of the same millisecond are ordered by id', async () => {
    const project = await world.newProject();
    const same = Array.from({ length: 25 }, () => ({
      ...makeEvent({ session_id: 'session-1', user_id: 'user-1' }),
      key_id: null,
    }));
    await record(world.open.store, project, same);
    for (const name of ['events', 'eventsAfter', 'events of a user', 'sessionEvents']) {
      const rows = await pages(
        (cursor) => LISTS[name]?.read(world.open.store, project, cursor, 4) ?? Promise.reject(),
      );
      expect(rows).toEqual(LISTS[name]?.expected(same) ?? []);
    }
  });
});
