import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import type { UsersQuery } from '../../../../../../src/core/events/index.ts';
import type { EventFilters, Window } from '../../../../../../src/core/events/selection.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { readUserDays } from '../../../../../../src/core/events/stores/sqlite/users/get-user.ts';
import { listUsers } from '../../../../../../src/core/events/stores/sqlite/users/list-users.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, makeEvent, NOON, openLedger } from '../../../ledger.ts';
import { randomEvents } from '../../../random-events.ts';
import { matches, measureAll } from '../../../recount.ts';

const DAY = 86_400_000;
const FIRST = Math.floor(NOON / DAY) * DAY;
const WORLDS = 6;
const SORTS = ['cost', 'requests', 'errors', 'lastSeen'] as const;
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger(WORLDS + 3);
});
afterAll(() => ledger.close());

type Line = {
  userId: string;
  requests: number;
  errors: number;
  cost: number;
  first: number;
  last: number;
  events: number;
};

/** What each user has in a window, counted event by event. */
function recount(events: readonly PricedEvent[], window: Window, filters: EventFilters = {}): Line[] {
  const inside = events.filter((event) => event.user_id !== null && matches(event, filters, window));
  return [...Map.groupBy(inside, ({ user_id }) => user_id ?? '')].map(([userId, own]) => {
    const { requests, errors, cost } = measureAll(own.filter(({ is_call }) => is_call));
    const times = own.map(({ ts }) => ts);
    return {
      userId,
      requests,
      errors,
      cost,
      first: Math.min(...times),
      last: Math.max(...times),
      events: own.length,
    };
  });
}

/** All pages of a list. */
function listAll(
  project: number,
  given: Partial<UsersQuery>,
  limit = 3,
): { lines: Line[]; totals: Set<number> } {
  const lines: Line[] = [];
  const totals = new Set<number>();
  const query = {
    window: { from: 0, to: 1e15 },
    filters: {},
    search: '',
    sort: 'cost',
    limit,
    ...given,
  } as const;
  for (let cursor: string | null = null; ; ) {
    const page = listUsers(ledger.reader(project), { ...query, cursor });
    totals.add(page.total);
    lines.push(
      ...page.users.map(({ userId, figures: { requests, errors, cost_nano, first, last, events } }) => ({
        userId,
        requests,
        errors,
        cost: cost_nano / 1e9,
        first,
        last,
        events,
      })),
    );
    cursor = page.nextCursor;
    if (cursor === null) return { lines, totals };
  }
}

const byId = (lines: readonly Line[]): Line[] => lines.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
const KEYS = { cost: 'cost', requests: 'requests', errors: 'errors', lastSeen: 'last' } as const;

describe('the users of a project', () => {
  test('have what a recount of their events has, whatever was sealed when, over restarts and repetitions', async () => {
    for (let project = 1; project <= WORLDS; project++) {
      const random = createRandom(project);
      const users = 1 + Math.floor(random() * 12);
      const events = randomEvents(project, 400, FIRST - 20 * DAY, FIRST + 20 * DAY).map((event) => ({
        ...event,
        user_id: random() < 0.2 ? null : `${random() < 0.5 ? 'a' : 'b'}/ü ${Math.floor(random() * users)}`,
      }));
      for (let at = 0; at < events.length; ) {
        const size = 1 + Math.floor(random() * 60);
        const batch = [...events.slice(at, at + size), ...events.slice(0, at).filter(() => random() < 0.05)];
        at += size;
        await ledger.record(project, batch);
        if (random() < 0.3) await ledger.seal(project);
        if (random() < 0.2) await ledger.reopen();
      }
      for (let round = 0; round < 8; round++) {
        const from = Math.floor(FIRST - random() * 25 * DAY);
        const window = { from, to: round === 0 ? 8.64e15 : Math.floor(from + random() * 30 * DAY) };
        const userId = events[Math.floor(random() * events.length)]?.user_id ?? 'nobody';
        for (const calls of [true, false]) {
          const query = { filters: { userId }, window, calls, cursor: null, limit: 1 };
          const { total } = listEvents(ledger.reader(project), query);
          const own = events.filter(
            (event) => matches(event, { userId }, window) && (event.is_call || !calls),
          );
          expect(total).toBe(own.length);
        }
      }
      for (const sort of SORTS) {
        const days = Math.floor(random() * 25);
        const window = { from: FIRST - days * DAY, to: FIRST + (1 + Math.floor(random() * 20)) * DAY };
        const filters = random() < 0.4 ? { environment: 'staging', status: 'error' as const } : {};
        const search = random() < 0.5 ? '' : 'a/ü';
        const { lines, totals } = listAll(project, { sort, window, filters, search });
        const expected = recount(events, window, filters).filter(({ userId }) => userId.startsWith(search));
        expect(byId(lines)).toEqual(
          byId(expected).map((line) => ({ ...line, cost: expect.closeTo(line.cost, 9) })),
        );
        expect([...totals]).toEqual([expected.length]);
        const keys = lines.map((line) => line[KEYS[sort]]);
        expect(keys).toEqual(keys.toSorted((a, b) => b - a));
      }
      for (const { userId, requests, first, last } of recount(events, { from: 0, to: 1e15 })) {
        const found = readUserDays(ledger.reader(project), userId);
        expect(found.reduce((sum, { figures }) => sum + figures.requests, 0)).toBe(requests);
        expect([found[0]?.figures.first, found.at(-1)?.figures.last]).toEqual([first, last]);
      }
    }
  }, 30_000);

  test('a chunk is sealed when it is full, and the next one after it', async () => {
    const project = WORLDS + 1;
    const random = createRandom(9);
    const events = Array.from({ length: 17_500 }, (_, i) =>
      makeEvent({
        ts: NOON + i,
        user_id: `user-${Math.floor(random() * 1_500)}`,
        session_id: `s-${i % 700}`,
      }),
    );
    for (let at = 0; at < events.length; at += 700) {
      await ledger.record(project, events.slice(at, at + 700));
      if (at === 4_900) await ledger.reopen();
    }
    expect(ledger.reader(project).rows('SELECT chunk FROM chunk_seals')).toEqual([[1]]);
    const { lines } = listAll(project, { sort: 'requests' }, 200);
    expect(byId(lines)).toEqual(
      byId(recount(events, { from: 0, to: 1e15 })).map((line) => ({
        ...line,
        cost: expect.closeTo(line.cost, 9),
      })),
    );
  });

  test('sums follow when a later span shows that a sealed call is a duplicate', async () => {
    const project = WORLDS + 2;
    const { spanEventId } = await import('../../../../../../src/core/events/index.ts');
    const trace = 'cd'.repeat(16);
    const span = (id: string, parent: string | null): PricedEvent =>
      makeEvent({
        event_id: spanEventId(trace, id),
        trace_id: trace,
        span_id: id,
        parent_span_id: parent,
        user_id: 'ada',
        buckets: { fresh: 7, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 },
      });
    const [outer, inner] = [span('1'.repeat(16), null), span('2'.repeat(16), '1'.repeat(16))];
    await ledger.record(project, [inner], { spans: true });
    await ledger.seal(project);
    await ledger.reopen();
    await ledger.record(project, [outer], { spans: true });
    const expected = {
      userId: 'ada',
      requests: 1,
      errors: 0,
      cost: 0.001,
      first: NOON,
      last: NOON,
      events: 2,
    };
    expect(listAll(project, {}).lines).toEqual([expected]);
    await ledger.seal(project);
    expect(listAll(project, {}).lines).toEqual([expected]);
  });

  test('refuses a cursor that it did not give', () => {
    const query = { window: { from: 0, to: 1e15 }, filters: {}, search: '', sort: 'cost', limit: 3 } as const;
    for (const cursor of ['abc', btoa('[1]'), btoa('[1,2,null]')]) {
      expect(() => listUsers(ledger.reader(1), { ...query, cursor })).toThrow('cursor');
    }
  });
});
