import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import type { PageQuery } from '../../../../../../src/core/events/read-queries.ts';
import type { EventFilters } from '../../../../../../src/core/events/selection.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { encodeCursor } from '../../../../../../src/core/events/stores/sqlite/rows/cursor.ts';
import type { Reader } from '../../../../../../src/db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, makeEvent, NOON, openLedger } from '../../../ledger.ts';
import { MODELS, randomEvents } from '../../../random-events.ts';
import { matches } from '../../../recount.ts';

const ALL = { from: 0, to: 8.64e15 };
const SPAN = 5 * DAY_MS;

let ledger: Ledger;
const events = randomEvents(7, 2000, NOON - SPAN, NOON);
const others = randomEvents(8, 500, NOON - SPAN, NOON);
beforeAll(async () => {
  ledger = await openLedger(2);
  await ledger.record(1, events);
  await ledger.record(2, others);
});
afterAll(() => ledger.close());

const inOrder = (list: readonly PricedEvent[]): string[] =>
  list.toSorted((a, b) => b.ts - a.ts || (a.event_id > b.event_id ? -1 : 1)).map(({ event_id }) => event_id);

/** The ids of all pages, and the `total` of each. */
function readAll(reader: Reader, query: Omit<PageQuery, 'cursor'>): { ids: string[]; totals: number[] } {
  const ids: string[] = [];
  const totals: number[] = [];
  let cursor: string | null = null;
  do {
    const page = listEvents(reader, { ...query, cursor });
    expect(page.events.length).toBeLessThanOrEqual(query.limit);
    ids.push(...page.events.map(({ event_id }) => event_id));
    totals.push(page.total);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { ids, totals };
}

const maybe = <T>(...values: T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<EventFilters> = fc.record({
  model: maybe<string>(...MODELS.map(([, model]) => model), 'unheard-of'),
  provider: maybe('openai', 'azure'),
  environment: maybe('production', 'staging'),
  status: maybe(...EVENT_STATUSES),
  kind: maybe(...EVENT_KINDS),
  userId: fc.option(fc.constantFrom('user-1', 'user-2'), { nil: undefined, freq: 1 }),
});
const bound = fc.integer({ min: NOON - SPAN - HOUR_MS, max: NOON + HOUR_MS });
const window = fc.oneof(
  fc.constant(ALL),
  fc.tuple(bound, bound).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
);

describe('listEvents', () => {
  test('pages hold each matching event once, newest first, and say how many there are', () => {
    fc.assert(
      fc.property(filters, window, fc.boolean(), fc.integer({ min: 20, max: 200 }), (f, w, calls, limit) => {
        const expected = events.filter((event) => (!calls || event.is_call) && matches(event, f, w));
        const { ids, totals } = readAll(ledger.reader(1), { filters: f, calls, window: w, limit });
        expect(ids).toEqual(inOrder(expected));
        expect(new Set(totals)).toEqual(new Set([expected.length]));
      }),
      { numRuns: 200 },
    );
  });

  test('over two projects merges them in order', () => {
    const { ids } = readAll(ledger.reader(1, 2), { filters: {}, calls: false, window: ALL, limit: 150 });
    expect(ids).toEqual(inOrder([...events, ...others]));
  });

  test('many events of one millisecond are told apart by their ids', async () => {
    const own = await openLedger();
    const same = Array.from({ length: 25 }, () => makeEvent());
    await own.record(1, same);
    const { ids } = readAll(own.reader(1), { filters: {}, calls: true, window: ALL, limit: 4 });
    expect(ids).toEqual(inOrder(same));
    await own.close();
  });

  test('skips and repeats nobody while events arrive between pages', async () => {
    const own = await openLedger();
    const random = createRandom(3);
    const before = randomEvents(11, 600, NOON - SPAN, NOON);
    await own.record(1, before);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = listEvents(own.reader(1), { filters: {}, calls: false, window: ALL, cursor, limit: 37 });
      seen.push(...page.events.map(({ event_id }) => event_id));
      cursor = page.nextCursor;
      const late = NOON - random() * SPAN;
      await own.record(1, [
        ...randomEvents(seen.length, 10, NOON, NOON + DAY_MS),
        ...randomEvents(seen.length + 1, 5, late, late + HOUR_MS),
      ]);
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    const ids = new Set(seen);
    expect(before.filter(({ event_id }) => !ids.has(event_id))).toEqual([]);
    await own.close();
  });

  test('total leaves out what retention deleted, though the roll-ups still count it', async () => {
    const own = await openLedger();
    const list = randomEvents(5, 400, NOON - SPAN, NOON);
    await own.record(1, list);
    const cutoff = NOON - 2 * DAY_MS - 1234;
    await own.sql(`INSERT INTO rows_from (project, ts) VALUES (1, ${cutoff})`);
    await own.sql(`DELETE FROM events WHERE ts < ${cutoff}`);
    const kept = list.filter(({ ts, is_call }) => ts >= cutoff && is_call);
    const { total } = listEvents(own.reader(1), {
      filters: {},
      calls: true,
      window: ALL,
      cursor: null,
      limit: 1,
    });
    expect(total).toBe(kept.length);
    await own.close();
  });

  test('of an empty project is an empty last page', async () => {
    const own = await openLedger();
    const query = { filters: {}, calls: true, window: ALL, cursor: null, limit: 50 };
    expect(listEvents(own.reader(1), query)).toEqual({ events: [], nextCursor: null, total: 0 });
    await own.close();
  });

  test('refuses a cursor that it did not give', () => {
    const forged = [
      'x',
      '%%%',
      'AAAA',
      Buffer.from('[1]').toString('base64url'),
      Buffer.from('["a","b"]').toString('base64url'),
      Buffer.from('[1e300,"b"]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
      encodeCursor({ ts: NOON, id: 'not-an-event' }),
    ];
    for (const cursor of forged) {
      const query = { filters: {}, calls: true, window: ALL, cursor, limit: 50 };
      expect(() => listEvents(ledger.reader(1), query)).toThrow('cursor: is not one that this endpoint gave');
    }
  });

  test('reads pages by the key, without sorting', () => {
    const plan = ledger
      .reader(1)
      .all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT detail FROM events WHERE project = ? AND ts >= ? AND ts < ? AND is_call = 1
           AND (ts, event_id) < (?, ?) ORDER BY ts DESC, event_id DESC LIMIT ?`,
        [1, 0, NOON, NOON, new Uint8Array(16), 51],
      )
      .map(({ detail }) => detail)
      .join('\n');
    expect(plan).toContain('SEARCH main.events USING PRIMARY KEY (project=? AND ts>?');
    expect(plan).not.toContain('TEMP B-TREE');
  });
});
