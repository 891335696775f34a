import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import type { PageQuery } from '../../../../../../src/core/events/index.ts';
import type { SessionLine } from '../../../../../../src/core/events/read-queries.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { queryTotals } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { listSessions } from '../../../../../../src/core/events/stores/sqlite/sessions/list-sessions.ts';
import { getSession } from '../../../../../../src/core/events/stores/sqlite/sessions/session-line.ts';
import { listTraces } from '../../../../../../src/core/events/stores/sqlite/traces/list-traces.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, makeEvent, NOON, openLedger } from '../../../ledger.ts';
import { randomEvents } from '../../../random-events.ts';
import { matches, measureAll } from '../../../recount.ts';

const HOUR = 3_600_000;
const WORLDS = 5;
const ALL = { from: 0, to: 1e15 };
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger(WORLDS + 2);
});
afterAll(() => ledger.close());

/** Events of some sessions over four days, sealed and restarted at random. */
async function fill(project: number): Promise<PricedEvent[]> {
  const random = createRandom(project);
  const sessions = 3 + Math.floor(random() * 30);
  const events = randomEvents(100 + project, 300, NOON - 48 * HOUR, NOON + 48 * HOUR).map((event) => ({
    ...event,
    session_id: random() < 0.2 ? null : `chat/${Math.floor(random() * sessions)} ✓`,
  }));
  for (let at = 0; at < events.length; ) {
    const size = 1 + Math.floor(random() * 50);
    await ledger.record(project, events.slice(at, at + size));
    at += size;
    if (random() < 0.4) await ledger.seal(project);
    if (random() < 0.2) await ledger.reopen();
  }
  return events;
}

function expectLine(line: SessionLine | undefined, own: readonly PricedEvent[]): void {
  const calls = measureAll(own.filter(({ is_call }) => is_call));
  const times = own.map(({ ts }) => ts);
  expect(line).toMatchObject({
    start: new Date(Math.min(...times)).toISOString(),
    spans: own.length,
    llm_calls: calls.requests,
    cost_usd: expect.closeTo(calls.cost, 9),
    unpriced: calls.unpriced,
    input_tokens: calls.inputTokens,
    output_tokens: calls.outputTokens,
    traces: new Set(own.map(({ trace_id }) => trace_id)).size,
  });
}

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
  test('are listed once each by their last matching event, with the sums of all their events', async () => {
    for (let project = 1; project <= WORLDS; project++) {
      const events = await fill(project);
      const bySession = Map.groupBy(events, ({ session_id }) => session_id ?? '');
      bySession.delete('');
      const queries = [
        { window: ALL, filters: {} },
        { window: { from: NOON - 7 * HOUR, to: NOON + 11 * HOUR }, filters: {} },
        { window: ALL, filters: { environment: 'staging', model: 'gpt-4o' } },
        { window: ALL, filters: { userId: 'user-2' } },
        { window: ALL, filters: { sessionId: 'chat/1 ✓' } },
      ];
      for (const { window, filters } of queries) {
        const last = (own: readonly PricedEvent[]): number =>
          Math.max(...own.filter((event) => matches(event, filters, window)).map(({ ts }) => ts));
        const expected = [...bySession]
          .filter(([, own]) => own.some((event) => matches(event, filters, window)))
          .sort(([, a], [, b]) => last(b) - last(a));
        for (const limit of [4, 50]) {
          const lines = listAll(project, { window, filters }, limit);
          expect(lines.map(({ session_id }) => session_id)).toEqual(expected.map(([id]) => id));
          for (const [i, [, own]] of expected.entries()) expectLine(lines[i], own);
        }
      }
      for (const [id, own] of bySession) {
        const found = getSession(ledger.reader(project), id);
        expectLine(found?.session, own);
        const starts = found?.traces.map(({ start }) => start) ?? [];
        expect(starts).toEqual(starts.toSorted());
        expect(found?.traces.map(({ trace_id }) => trace_id).sort()).toEqual(
          [...new Set(own.map(({ trace_id }) => trace_id))].sort(),
        );
      }
      expect(getSession(ledger.reader(project), 'nobody')).toBeNull();
    }
  }, 60_000);

  test('events, metrics and traces of one session are those of a recount', async () => {
    const project = WORLDS + 1;
    const events = await fill(project);
    const reader = ledger.reader(project);
    for (const window of [ALL, { from: NOON - 20 * HOUR, to: NOON + 20 * HOUR }]) {
      for (const filters of [{ sessionId: 'chat/2 ✓' }, { sessionId: 'chat/1 ✓', userId: 'user-1' }]) {
        const own = events.filter((event) => matches(event, filters, window));
        const pages: string[] = [];
        for (let cursor: string | null = null; ; ) {
          const page = listEvents(reader, { filters, calls: false, window, cursor, limit: 2 });
          expect(page.total).toBe(own.length);
          pages.push(...page.events.map(({ event_id }) => event_id));
          cursor = page.nextCursor;
          if (cursor === null) break;
        }
        expect(pages).toEqual(
          own
            .toSorted((a, b) => b.ts - a.ts || (a.event_id < b.event_id ? 1 : -1))
            .map(({ event_id }) => event_id),
        );
        const expected = measureAll(own.filter(({ is_call }) => is_call));
        const found = queryTotals(reader, { measures: ['requests', 'cost', 'latencyP90'], filters, window });
        expect(found.requests).toBe(expected.requests);
        expect(found.cost).toBeCloseTo(expected.cost, 9);
        expect(found.latencyP90).toBeCloseTo(expected.latencyP90, 6);
        const traces = listTraces(reader, { filters, calls: false, window, cursor: null, limit: 200 });
        expect(
          traces.traces.map(({ trace_id }) => trace_id).every((id) => own.some((one) => one.trace_id === id)),
        ).toBe(true);
        expect(new Set(traces.traces.map(({ trace_id }) => trace_id)).size).toBe(
          new Set(own.map(({ trace_id }) => trace_id)).size,
        );
      }
    }
  });

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
