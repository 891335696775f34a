import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { UserFigures } from '../../src/core/events/index.ts';
import type { EventFilters, Window } from '../../src/core/events/selection.ts';
import { ofProject, ofProjects, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { aWindow, SPAN, someDays, someFilters } from './support/arbitrary.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { pages } from './support/read-all.ts';
import { matches } from './support/recount.ts';
import { figuresOf, newestFirst } from './support/recount-all.ts';
import { send } from './support/send.ts';

const EVENTS = 400;
const SORTS = ['cost', 'requests', 'errors', 'errorRate', 'input', 'output', 'lastSeen'] as const;
/** What users are ordered by. */
const keyOf = (figures: UserFigures, sort: (typeof SORTS)[number]): number =>
  ({
    cost: figures.cost_nano,
    requests: figures.requests,
    errors: figures.errors,
    errorRate: figures.errors / Math.max(1, figures.requests),
    input: figures.input_tokens,
    output: figures.output_tokens,
    lastSeen: figures.last,
  })[sort];

const END = 8.64e15;

const selection = fc.record({
  filters: someFilters,
  calls: fc.boolean(),
  window: fc.oneof(aWindow, fc.constant({ from: 0, to: END })),
  limit: fc.integer({ min: 5, max: 100 }),
});

eachStore('filtered lists', {}, (world) => {
  let first: ProjectScope;
  let second: ProjectScope;
  const ofFirst = randomEvents(TEST_SEED, EVENTS, NOON - SPAN, NOON);
  const ofSecond = randomEvents(TEST_SEED + 1, EVENTS / 2, NOON - SPAN, NOON);
  beforeAll(async () => {
    [first, second] = [await world.newProject(), await world.newProject()];
    await send(world.open.store, first, ofFirst, createRandom(TEST_SEED));
    await send(world.open.store, second, ofSecond, createRandom(TEST_SEED));
  });

  type Asked = { readonly filters: EventFilters; readonly calls: boolean; readonly window: Window };
  const select = (events: readonly SentEvent[], { filters, calls, window }: Asked): SentEvent[] =>
    newestFirst(events.filter((event) => (!calls || event.is_call) && matches(event, filters, window)));

  async function expectEvents(asked: Asked & { readonly limit: number }): Promise<void> {
    for (const [events, projects] of [
      [ofFirst, [first]],
      [
        [...ofFirst, ...ofSecond],
        [first, second],
      ],
    ] as const) {
      const scope = ofProjects(projects);
      const expected = select(events, asked);
      const ids = await pages(async (cursor) => {
        const page = (await world.open.store.events(scope, { ...asked, cursor })).parse();
        expect(page.total).toBe(expected.length);
        expect(page.events.length).toBeLessThanOrEqual(asked.limit);
        return { rows: page.events.map(({ event_id }) => event_id), nextCursor: page.nextCursor };
      });
      expect(ids).toEqual(expected.map(({ event_id }) => event_id));
      const fields = ['event_id', 'timestamp'] as const;
      for (const [order, ordered] of [
        ['newest', expected],
        ['oldest', expected.toReversed()],
      ] as const)
        expect(await world.open.store.newest(scope, { ...asked, fields, order })).toEqual(
          ordered
            .slice(0, asked.limit)
            .map(({ event_id, ts }) => ({ event_id, timestamp: new Date(ts).toISOString() })),
        );
    }
  }

  async function expectTraces(asked: Asked & { readonly limit: number }): Promise<void> {
    const scope = ofProject(first);
    const ids = await pages(async (cursor) => {
      const { traces, nextCursor } = (await world.open.store.traces(scope, { ...asked, cursor })).parse();
      return { rows: traces.map(({ trace_id }) => trace_id), nextCursor };
    });
    const found = Map.groupBy(select(ofFirst, asked), ({ trace_id }) => trace_id);
    const firstOf = [...found].map(([id, own]) => ({ id, ts: own.at(-1)?.ts ?? 0 }));
    const expected = firstOf.sort((a, b) => b.ts - a.ts || (a.id < b.id ? 1 : -1));
    expect(ids).toEqual(expected.map(({ id }) => id));
  }

  async function expectSessions(asked: Asked & { readonly limit: number }): Promise<void> {
    const scope = ofProject(first);
    const ids = await pages(async (cursor) => {
      const { sessions, nextCursor } = (await world.open.store.sessions(scope, { ...asked, cursor })).parse();
      return { rows: sessions.map(({ session_id }) => session_id), nextCursor };
    });
    const expected = select(ofFirst, asked).flatMap(({ session_id }) => session_id ?? []);
    expect(ids).toEqual([...new Set(expected)]);
  }

  for (const [state, reach] of [
    ['as they came', async () => {}],
    ['settled', () => world.open.settle()],
  ] as const) {
    for (const [what, expectList] of [
      ['events', expectEvents],
      ['traces', expectTraces],
      ['sessions', expectSessions],
    ] as const) {
      test(`${what}: pages of any selection equal a recount: ${state}`, async () => {
        await reach();
        await fc.assert(fc.asyncProperty(selection, expectList), { numRuns: 15 * ROUNDS });
      });
    }

    test(`users: pages of any days, filters and order equal a recount: ${state}`, async () => {
      await reach();
      const question = fc.record({
        window: someDays,
        filters: fc.oneof(
          fc.constant<EventFilters>({}),
          someFilters.map(({ keyId: _, tag: __, userId: ___, sessionId: ____, ...rest }) => rest),
        ),
        search: fc.constantFrom('', 'user-', 'user-1', 'nobody'),
        sort: fc.constantFrom(...SORTS),
        desc: fc.boolean(),
        limit: fc.integer({ min: 1, max: 6 }),
      });
      const expectUsers = async (
        asked: typeof question extends fc.Arbitrary<infer Q> ? Q : never,
      ): Promise<void> => {
        const { filters, window, search, sort, desc } = asked;
        const byUser = Map.groupBy(
          select(ofFirst, { filters, window, calls: false }),
          ({ user_id }) => user_id ?? '',
        );
        const expected = [...byUser].filter(([id]) => id !== '' && id.startsWith(search));
        const users = await pages(async (cursor) => {
          const page = await world.open.store.users(ofProject(first), { ...asked, cursor });
          expect(page.total).toBe(expected.length);
          return { rows: page.users, nextCursor: page.nextCursor };
        });
        const figures = new Map(users.map((user) => [user.userId, user.figures]));
        expect(figures).toEqual(new Map(expected.map(([id, own]) => [id, figuresOf(own)])));
        const keys = users.map(({ figures: own }) => keyOf(own, sort));
        expect(keys).toEqual(keys.toSorted((a, b) => (desc ? b - a : a - b)));
        const firsts = Map.groupBy(ofFirst, ({ user_id }) => user_id ?? '');
        for (const { userId, firstSeen } of users)
          expect(firstSeen).toBe(Math.min(...(firsts.get(userId) ?? []).map(({ ts }) => ts)));
      };
      await fc.assert(fc.asyncProperty(question, expectUsers), { numRuns: 15 * ROUNDS });
    });
  }

  test('a trace by its id adds up to what the list says of it', async () => {
    const asked = { filters: {}, calls: false, window: { from: 0, to: END }, cursor: null, limit: 50 };
    const { traces } = (await world.open.store.traces(ofProject(first), asked)).parse();
    expect(traces.length).toBeGreaterThan(10);
    for (const line of traces)
      expect(await world.open.store.traceLine(ofProject(first), line.trace_id)).toEqual(line);
  });

  test('a text is found in the spans of a trace that have it, in either case of letters', async () => {
    const scope = ofProject(first);
    const traces = Map.groupBy(ofFirst, ({ trace_id }) => trace_id);
    for (const text of ['ERROR', 'gpt', 'tool', 'nowhere'])
      for (const [traceId, spans] of [...traces].slice(0, 40)) {
        const expected = spans.filter((event) =>
          [
            'name',
            'operation',
            'kind',
            'model',
            'provider',
            'agent',
            'tool',
            'status',
            'error_code',
            'error_message',
            'input',
            'output',
          ].some((field) =>
            (JSON.stringify(event[field as keyof SentEvent]) ?? '')
              .toLowerCase()
              .includes(text.toLowerCase()),
          ),
        );
        const found = (await world.open.store.searchTrace(scope, { traceId, text }))?.parse();
        expect(found).toEqual({
          event_ids: newestFirst(expected)
            .map(({ event_id }) => event_id)
            .reverse(),
          truncated: false,
        });
      }
  });

  test('a user can be limited to an environment', async () => {
    const environment = 'staging';
    await fc.assert(
      fc.asyncProperty(someDays, fc.constantFrom('user-1', 'user-2'), async (window, userId) => {
        const scope = ofProject(first);
        const found = await world.open.store.user(scope, { userId, window, environment });
        const own = ofFirst.filter((event) => event.user_id === userId);
        const asked = own.filter((event) => matches(event, { environment }, window));
        expect([found?.first, found?.last]).toEqual([figuresOf(own).first, figuresOf(own).last]);
        expect(found?.figures.events).toBe(asked.length);
        if (asked.length > 0) expect(found?.figures).toEqual(figuresOf(asked));
      }),
      { numRuns: 10 * ROUNDS },
    );
  });

  test('unknown ids give null', async () => {
    const { store } = world.open;
    const scope = ofProject(first);
    const page = { filters: {}, calls: false, cursor: null, limit: 5 };
    expect(await store.event(scope, { id: crypto.randomUUID(), ts: null })).toBeNull();
    expect(await store.trace(scope, 'unheard-of')).toBeNull();
    expect(await store.waterfall(scope, 'unheard-of')).toBeNull();
    expect(await store.traceLine(scope, 'unheard-of')).toBeNull();
    expect(await store.searchTrace(scope, { traceId: 'unheard-of', text: 'a' })).toBeNull();
    expect(await store.session(scope, 'unheard-of')).toBeNull();
    expect(await store.sessionEvents(scope, { ...page, sessionId: 'unheard-of' })).toBeNull();
    expect(await store.user(scope, { userId: 'unheard-of', window: { from: 0, to: END } })).toBeNull();
  });
});
