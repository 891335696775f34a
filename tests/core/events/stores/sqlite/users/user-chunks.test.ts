import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventFilters } from '../../../../../../src/core/events/selection.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { queryMetrics } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { listSessions } from '../../../../../../src/core/events/stores/sqlite/sessions/list-sessions.ts';
import { getSession } from '../../../../../../src/core/events/stores/sqlite/sessions/session-line.ts';
import { readUserDays } from '../../../../../../src/core/events/stores/sqlite/users/get-user.ts';
import { listUsers } from '../../../../../../src/core/events/stores/sqlite/users/list-users.ts';
import type { Reader } from '../../../../../../src/db/reader.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { NOON } from '../../../../../event-store/make-event.ts';
import { randomEvents } from '../../../../../event-store/random-events.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
  await ledger.record(1, randomEvents(1, 200, NOON - DAY_MS, NOON));
});
afterAll(() => ledger.close());

/** A reader that notes how each of its statements is looked up. */
function watched(reader: Reader): { reader: Reader; plans: string[] } {
  const plans: string[] = [];
  const rows: Reader['rows'] = (sql, args) => {
    // The oldest row is the first of the project's: the search ends there.
    const isOldest = sql.startsWith('SELECT min(ts)');
    for (const row of reader.rows(`EXPLAIN QUERY PLAN ${sql}`, args))
      if (!isOldest) plans.push(String(row[3]));
    return reader.rows(sql, args);
  };
  return { reader: { ...reader, rows }, plans };
}

/** The whole project, once for each chunk. */
const WHOLE_PROJECT = 'SEARCH main.events USING PRIMARY KEY (project=?)';

const filters: EventFilters[] = [
  { userId: 'user-1' },
  { userId: 'user-1', kind: 'llm' },
  { userId: 'user-1', status: 'error' },
  { userId: 'user-1', model: 'gpt-4o', environment: 'production' },
];
test.each(filters)('of %j only rows of the user are read', (filters) => {
  const { reader, plans } = watched(ledger.reader(1));
  const window = { from: NOON - 30 * DAY_MS, to: NOON };
  listEvents(reader, { filters, calls: true, window, cursor: null, limit: 10 });
  queryMetrics(reader, { measures: ['cost', 'latencyP50'], groupBy: ['model'], filters, window });
  expect(plans.join('\n')).toContain('events_user');
  expect(plans).not.toContain(WHOLE_PROJECT);
});

test('of a session only rows at its times are read, and those of unsealed chunks by an index', () => {
  const { reader, plans } = watched(ledger.reader(1));
  const window = { from: NOON - 30 * DAY_MS, to: NOON };
  const filters = { userId: 'user-1', sessionId: 'session-1' };
  listEvents(reader, { filters, calls: true, window, cursor: null, limit: 10 });
  queryMetrics(reader, { measures: ['cost', 'latencyP50'], groupBy: ['model'], filters, window });
  listSessions(reader, { filters, calls: false, window, cursor: null, limit: 10 });
  getSession(reader, 'session-1');
  expect(plans.join('\n')).toContain('events_trace (project=? AND chunk=?)');
  expect(plans).not.toContain(WHOLE_PROJECT);
});

test('of users only rows of unsealed chunks are read, by an index', () => {
  const { reader, plans } = watched(ledger.reader(1));
  const window = { from: NOON - 30 * DAY_MS, to: NOON };
  listUsers(reader, { window, filters: {}, search: '', sort: 'cost', cursor: null, limit: 10 });
  readUserDays(reader, 'user-1');
  expect(plans.join('\n')).toContain('events_user (project=? AND chunk=? AND user_id=?)');
  expect(plans).not.toContain(WHOLE_PROJECT);
});
