import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_STATUSES, type SpanNode } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import type { EventFilters, Window } from '../../../../../../src/core/events/selection.ts';
import { getTrace } from '../../../../../../src/core/events/stores/sqlite/traces/get-trace.ts';
import { listTraces } from '../../../../../../src/core/events/stores/sqlite/traces/list-traces.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, makeEvent, NOON, openLedger } from '../../../ledger.ts';
import { MODELS, randomEvents } from '../../../random-events.ts';
import { matches } from '../../../recount.ts';

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

/** The trace ids that a list should give, in order. */
function expectedIds(filters: EventFilters, calls: boolean, window: Window): string[] {
  const matching = events.filter((event) => (!calls || event.is_call) && matches(event, filters, window));
  return [...Map.groupBy(matching, ({ trace_id }) => trace_id)]
    .map(([id, spans]) => ({ id, ts: Math.min(...spans.map(({ ts }) => ts)) }))
    .sort((a, b) => b.ts - a.ts || (a.id > b.id ? -1 : 1))
    .map(({ id }) => id);
}

const maybe = <T>(...values: T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<EventFilters> = fc.record({
  model: maybe<string>(...MODELS.map(([, model]) => model)),
  environment: maybe('staging'),
  status: maybe(...EVENT_STATUSES),
  userId: fc.option(fc.constant('user-1'), { nil: undefined, freq: 1 }),
});
const bound = fc.integer({ min: NOON - SPAN - HOUR_MS, max: NOON + DAY_MS });
const window = fc.oneof(
  fc.constant(ALL),
  fc.tuple(bound, bound).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
);

describe('listTraces', () => {
  test('pages hold each trace with a matching event once, by its first matching event', () => {
    fc.assert(
      fc.property(filters, fc.boolean(), window, fc.integer({ min: 3, max: 60 }), (f, calls, w, limit) => {
        const ids: string[] = [];
        let cursor: string | null = null;
        do {
          const page = listTraces(ledger.reader(1), { filters: f, calls, window: w, cursor, limit });
          ids.push(...page.traces.map(({ trace_id }) => trace_id));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(ids).toEqual(expectedIds(f, calls, w));
      }),
      { numRuns: 80 },
    );
  });

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

  test('a line has the sums of the whole trace, as the trace itself says', () => {
    const query = { filters: {}, calls: false, window: ALL, cursor: null, limit: 200 };
    for (const { name, user_id, session_id, ...summary } of listTraces(ledger.reader(1), query).traces) {
      const { truncated, ...trace } = getTrace(ledger.reader(1), summary.trace_id)?.trace ?? {};
      expect<unknown>(summary).toEqual(trace);
    }
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

  test('refuses a cursor that it did not give', () => {
    const query = { filters: {}, calls: false, window: ALL, cursor: 'nonsense', limit: 5 };
    expect(() => listTraces(ledger.reader(1), query)).toThrow('cursor: is not one');
  });
});

describe('getTrace', () => {
  const flatten = (nodes: readonly SpanNode[]): SpanNode[] =>
    nodes.flatMap((node) => [node, ...flatten(node.children)]);

  test('gives all spans with their sums; money and tokens are of the calls only', () => {
    for (const [id, spans] of Map.groupBy(events, ({ trace_id }) => trace_id)) {
      const reply = getTrace(ledger.reader(1), id);
      const calls = spans.filter(({ is_call }) => is_call);
      const nodes = flatten(reply?.spans ?? []);
      expect(nodes.map(({ event_id }) => event_id).sort()).toEqual(
        spans.map(({ event_id }) => event_id).sort(),
      );
      expect(reply?.trace.spans).toBe(spans.length);
      expect(reply?.trace.llm_calls).toBe(calls.length);
      expect(reply?.trace.unpriced).toBe(
        calls.filter(({ cost_status }) => cost_status === 'unpriced').length,
      );
      const nano = calls.reduce((sum, { cost_nano }) => sum + (cost_nano ?? 0), 0);
      expect(reply?.trace.cost_usd).toBe(nano / 1e9);
      const output = calls.reduce((sum, { buckets }) => sum + buckets.output + buckets.reasoning, 0);
      expect(reply?.trace.output_tokens).toBe(output);
      const end = Math.max(...spans.map(({ ts, latency_ms }) => ts + (latency_ms ?? 0)));
      const start = Math.min(...spans.map(({ ts }) => ts));
      expect(reply?.trace.duration_ms).toBeCloseTo(end - start, 2);
    }
  });

  test('is null for a trace of another project and for none', () => {
    const [event] = events;
    expect(getTrace(ledger.reader(2), event?.trace_id ?? '')).toBeNull();
    expect(getTrace(ledger.reader(3), event?.trace_id ?? '')).toBeNull();
    expect(getTrace(ledger.reader(1), 'unheard-of')).toBeNull();
  });

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
