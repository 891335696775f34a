import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { SpanNode } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { getTrace } from '../../../../../../src/core/events/stores/sqlite/traces/get-trace.ts';
import { listTraces } from '../../../../../../src/core/events/stores/sqlite/traces/list-traces.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { randomEvents } from '../../../../../event-store/random-events.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const ALL = { from: 0, to: 8.64e15 };
const SPAN = 4 * DAY_MS;

/** Traces of one to nine spans over up to twenty hours; ids are hex, or words. */
function randomTraces(seed: number, count: number): PricedEvent[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const hex = Math.floor(random() * 1e12)
      .toString(16)
      .padStart(32, '0');
    const trace_id = i % 3 === 0 ? `trace ${seed} ${i}` : hex;
    const start = NOON - random() * SPAN;
    const length = random() < 0.5 ? 1000 : 20 * HOUR_MS;
    const spans = randomEvents(seed + i, 1 + Math.floor(random() * 9), start, start + length);
    return spans.map((span) => ({ ...span, trace_id }));
  }).flat();
}

let ledger: Ledger;
const events = randomTraces(100, 150);
beforeAll(async () => {
  ledger = await openLedger(3);
  await ledger.record(1, events);
  await ledger.record(2, randomTraces(900, 40));
});
afterAll(() => ledger.close());

describe('listTraces', () => {
  test('a busy hour is listed in stretches, and so is a busy millisecond', async () => {
    const own = await openLedger();
    const random = createRandom(7);
    const busy = Array.from({ length: 9_000 }, (_, i) =>
      makeEvent({
        ts: i % 3 === 0 ? NOON : NOON + Math.floor(random() * 60_000),
        trace_id: `t-${String(Math.floor(random() * 300)).padStart(3, '0')}`,
      }),
    );
    await own.record(1, busy);
    const firstOf = new Map<string, number>();
    for (const { trace_id, ts } of busy)
      firstOf.set(trace_id, Math.min(ts, firstOf.get(trace_id) ?? Number.POSITIVE_INFINITY));
    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = listTraces(own.reader(1), { filters: {}, calls: false, window: ALL, cursor, limit: 40 });
      ids.push(...page.traces.map(({ trace_id }) => trace_id));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    const expected = [...firstOf].sort(([a, x], [b, y]) => y - x || (a > b ? -1 : 1)).map(([id]) => id);
    expect(ids).toEqual(expected);
    await own.close();
  });

  test('names a trace after its root, and takes user and session from there or from any span', async () => {
    const own = await openLedger();
    await own.record(1, [
      makeEvent({ trace_id: 't', ts: NOON, parent_span_id: 'elsewhere', name: 'child', user_id: 'ada' }),
      makeEvent({ trace_id: 't', ts: NOON + 1, name: 'root', session_id: 's1' }),
      makeEvent({ trace_id: 'u', ts: NOON - 1, parent_span_id: 'elsewhere', operation: 'embed' }),
    ]);
    const query = { filters: {}, calls: false, window: ALL, cursor: null, limit: 5 };
    const lines = listTraces(own.reader(1), query).traces;
    expect(lines.map(({ name, user_id, session_id }) => [name, user_id, session_id])).toEqual([
      ['root', 'ada', 's1'],
      ['embed', null, null],
    ]);
    await own.close();
  });
});

describe('getTrace', () => {
  const _flatten = (nodes: readonly SpanNode[]): SpanNode[] =>
    nodes.flatMap((node) => [node, ..._flatten(node.children)]);

  test('nests 30,000 spans and keeps a chain of them', async () => {
    const own = await openLedger();
    for (let start = 0; start < 30_000; start += 5000) {
      const spans = Array.from({ length: 5000 }, (_, i) => {
        const place = start + i;
        const parent_span_id = place === 0 ? null : `span-${place - 1}`;
        return makeEvent({
          trace_id: 'long',
          kind: 'span',
          ts: NOON + place,
          span_id: `span-${place}`,
          parent_span_id,
        });
      });
      await own.record(1, spans);
    }
    const reply = getTrace(own.reader(1), 'long');
    expect(reply?.trace).toMatchObject({ spans: 30_000, llm_calls: 0, truncated: false });
    const text = JSON.stringify(reply);
    expect(text.split('"span_id"')).toHaveLength(30_001);
    await own.close();
  }, 30_000);

  test('finds the rows by the index of traces, chunk by chunk', () => {
    const reader = ledger.reader(1);
    const plans: string[] = [];
    const rows: typeof reader.rows = (sql, args) => {
      for (const row of reader.rows(`EXPLAIN QUERY PLAN ${sql}`, args)) plans.push(String(row[3]));
      return reader.rows(sql, args);
    };
    expect(getTrace({ ...reader, rows }, events[0]?.trace_id ?? '')).not.toBeNull();
    const plan = plans.join('\n');
    expect(plan).toContain('COVERING INDEX events_trace (project=? AND chunk=? AND trace_id=?)');
    expect(plan).toContain('main.events USING PRIMARY KEY (project=? AND ts=? AND event_id=?)');
    expect(plan).not.toContain('SCAN main.');
  });
});
