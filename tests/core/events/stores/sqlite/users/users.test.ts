import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import type { UsersQuery } from '../../../../../../src/core/events/index.ts';
import type { EventFilters, Window } from '../../../../../../src/core/events/selection.ts';
import { listUsers } from '../../../../../../src/core/events/stores/sqlite/users/list-users.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { matches, measureAll } from '../../../../../event-store/recount.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const WORLDS = 6;
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

describe('the users of a project', () => {
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
});
