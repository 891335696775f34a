import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { encodeCursor } from '../../../../../../src/core/events/stores/sqlite/rows/cursor.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { NOON } from '../../../../../event-store/make-event.ts';
import { randomEvents } from '../../../../../event-store/random-events.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const ALL = { from: 0, to: 8.64e15 };
const SPAN = 5 * DAY_MS;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
  await ledger.record(1, randomEvents(7, 2000, NOON - SPAN, NOON));
});
afterAll(() => ledger.close());

describe('listEvents', () => {
  test('total excludes rows that retention deleted, although the roll-ups still count them', async () => {
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

  test('refuses a cursor that it did not return', () => {
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
      expect(() => listEvents(ledger.reader(1), query)).toThrow('cursor: was not returned by this endpoint');
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
