import { afterAll, beforeAll, expect, test } from 'bun:test';
import { queryTotals } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { EXACT_LIMIT } from '../../../../../../src/core/events/stores/sqlite/rollups/percentiles.ts';
import { EVENT_COLUMNS } from '../../../../../../src/core/events/stores/sqlite/rows/row.ts';
import type { Reader } from '../../../../../../src/db/reader.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
  await ledger.record(1, [makeEvent({ session_id: 's', ts: NOON, latency_ms: 0 })]);
  const changed = { ts: 'ts + i', event_id: 'randomblob(16)', latency_ms: 'i' };
  const values = EVENT_COLUMNS.map((name) => (name in changed ? changed[name as 'ts'] : name));
  await ledger.sql(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EXACT_LIMIT})
    INSERT INTO events (${EVENT_COLUMNS.join(', ')}) SELECT ${values.join(', ')} FROM events CROSS JOIN n`);
});
afterAll(() => ledger.close());

test('for a session with many calls, only hours with calls are read, whatever the window', () => {
  const reader = ledger.reader(1);
  let statements = 0;
  const rows: Reader['rows'] = (sql, args) => {
    statements++;
    return reader.rows(sql, args);
  };
  const window = { from: NOON - 36_500 * DAY_MS, to: NOON + DAY_MS };
  const query = { measures: ['latencyP50', 'requests'] as const, filters: { sessionId: 's' }, window };
  const { latencyP50, requests } = queryTotals({ ...reader, rows }, query);
  expect(requests).toBe(EXACT_LIMIT + 1);
  expect(Math.abs(latencyP50 - EXACT_LIMIT / 2) / (EXACT_LIMIT / 2)).toBeLessThan(0.01);
  expect(statements).toBeLessThan(20);
});
