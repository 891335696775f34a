import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PageQuery } from '../../../../../../src/core/events/index.ts';
import type { SessionLine } from '../../../../../../src/core/events/read-queries.ts';
import { listSessions } from '../../../../../../src/core/events/stores/sqlite/sessions/list-sessions.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const WORLDS = 5;
const ALL = { from: 0, to: 1e15 };
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger(WORLDS + 2);
});
afterAll(() => ledger.close());

function listAll(project: number, given: Partial<PageQuery>, limit: number): SessionLine[] {
  const lines: SessionLine[] = [];
  const query = { window: ALL, filters: {}, calls: false, limit, ...given };
  for (let cursor: string | null = null; ; ) {
    const page = listSessions(ledger.reader(project), { ...query, cursor });
    lines.push(...page.sessions);
    cursor = page.nextCursor;
    if (cursor === null) return lines;
  }
}

describe('the sessions of a project', () => {
  test('one session of very many events is a page that ends before it is full', async () => {
    const project = WORLDS + 2;
    const busy = Array.from({ length: 12_000 }, (_, i) => makeEvent({ ts: NOON + i, session_id: 'busy' }));
    await ledger.record(project, [makeEvent({ ts: NOON - 1, session_id: 'calm' }), ...busy]);
    const first = listSessions(ledger.reader(project), {
      filters: {},
      calls: false,
      window: ALL,
      cursor: null,
      limit: 2,
    });
    expect(first.sessions.map(({ session_id }) => session_id)).toEqual(['busy']);
    const ids = listAll(project, {}, 2).map(({ session_id }) => session_id);
    expect(ids).toEqual(['busy', 'calm']);
  });
});
