import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { spanEventId } from '../../../../../../src/core/events/index.ts';
import { SUM_MEASURES, type SumMeasure } from '../../../../../../src/core/events/measures.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { queryTotals } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { toRow } from '../../../../../../src/core/events/stores/sqlite/rows/row.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { MODELS } from '../../../../../event-store/random-events.ts';
import { measureAll } from '../../../../../event-store/recount.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const FORESTS = 40;
const WAYS = 3;
const HOUR = 3_600_000;
const WINDOW = { from: NOON - 48 * HOUR, to: NOON + 48 * HOUR };
const MEASURES = Object.keys(SUM_MEASURES) as SumMeasure[];
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger(FORESTS * WAYS + 10);
});
afterAll(() => ledger.close());

type Random = () => number;
const int = (random: Random, max: number): number => Math.floor(random() * max);
const hexId = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => int(random, 16).toString(16)).join('');

const span = (trace: string, id: string, given: Partial<PricedEvent>): PricedEvent =>
  makeEvent({ event_id: spanEventId(trace, id), trace_id: trace, span_id: id, ...given });

/** Wrappers over SDK spans, agents that repeat sums, retries, rings, missing parents: some traces of them. */
function makeForest(random: Random): PricedEvent[] {
  return Array.from({ length: 1 + int(random, 3) }, () => {
    const trace = hexId(random, 32);
    const ids = Array.from({ length: 1 + int(random, 14) }, () => hexId(random, 16));
    return ids.map((id, place): PricedEvent => {
      const kind = (['llm', 'llm', 'llm', 'embedding', 'agent', 'span'] as const)[int(random, 6)] ?? 'llm';
      const is_call = kind === 'llm' || kind === 'embedding';
      // Mostly an earlier span; sometimes any, itself included, or one that never comes.
      const dice = random();
      const parent =
        dice < 0.75 ? ids[int(random, place)] : dice < 0.9 ? ids[int(random, ids.length)] : hexId(random, 16);
      const [provider, model] = MODELS[int(random, MODELS.length)] ?? MODELS[0];
      return span(trace, id, {
        ts: NOON + int(random, 30) * HOUR + int(random, 3),
        parent_span_id: place === 0 || parent === undefined ? null : parent,
        kind,
        provider: is_call ? provider : null,
        model: is_call ? model : null,
        status: random() < 0.8 ? 'success' : 'rate_limited',
        latency_ms: random() < 0.2 ? null : int(random, 500),
        buckets: {
          fresh: random() < 0.4 ? 0 : int(random, 900),
          cacheRead: 0,
          cacheWrite5m: 0,
          cacheWrite1h: 0,
          output: 0,
          reasoning: 0,
        },
        is_call,
        cost_nano: is_call && random() < 0.9 ? int(random, 1e7) : null,
        cost_status: is_call ? 'priced' : null,
      });
    });
  }).flat();
}

/** The rule over the whole forest, span by span, by walking up from each. */
function countedIn(forest: readonly PricedEvent[]): PricedEvent[] {
  const byId = new Map(forest.map((one) => [one.trace_id + one.span_id, one]));
  const parentOf = (one: PricedEvent): PricedEvent | undefined =>
    one.parent_span_id === null ? undefined : byId.get(one.trace_id + one.parent_span_id);
  /** The earliest of a ring has no parent. */
  const isCut = (one: PricedEvent): boolean => {
    const ring: PricedEvent[] = [one];
    for (let up = parentOf(one); up !== one; up = parentOf(up)) {
      if (up === undefined || ring.includes(up)) return false;
      ring.push(up);
    }
    const order = (a: PricedEvent, b: PricedEvent): number => a.ts - b.ts || (a.span_id < b.span_id ? -1 : 1);
    return ring.toSorted(order)[0] === one;
  };
  const above = (one: PricedEvent): PricedEvent[] => {
    const parent = isCut(one) ? undefined : parentOf(one);
    return parent === undefined ? [] : [parent, ...above(parent)];
  };
  const tells = ({ buckets, status }: PricedEvent): boolean => buckets.fresh > 0 || status !== 'success';
  const callsAbove = (one: PricedEvent): PricedEvent[] => above(one).filter(({ kind }) => kind === one.kind);
  const calls = forest.filter(({ is_call }) => is_call);
  return calls.filter((one) => {
    if (tells(one)) return !callsAbove(one).some(tells);
    const below = calls.filter((other) => callsAbove(other).includes(one));
    return callsAbove(one).length === 0 && !below.some(tells);
  });
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const drawn = values.map((value) => [random(), value] as const);
  return drawn.sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** Sends a forest in random batches in random order, some spans twice, with restarts in between. */
async function send(project: number, forest: readonly PricedEvent[], random: Random): Promise<void> {
  const rest = shuffled(random, [...forest, ...forest.filter(() => random() < 0.2)]);
  while (rest.length > 0) {
    await ledger.record(project, rest.splice(0, 1 + int(random, 6)), { spans: true });
    if (random() < 0.1) await ledger.reopen();
  }
}

const rollupsOf = (project: number): unknown[] =>
  (['hour', 'day'] as const).map((unit) =>
    ledger
      .reader(project)
      .all<Record<string, unknown>>(
        `SELECT *, hex(latency_sketch) AS latency_sketch FROM rollup_${unit}s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
      )
      .map(({ project: _, ...row }) => row),
  );

const callsOf = (project: number): string[] =>
  listEvents(ledger.reader(project), { filters: {}, calls: true, window: WINDOW, cursor: null, limit: 200 })
    .events.map(({ event_id }) => event_id)
    .sort();

describe('counting a call once across batches', () => {
  test('any order of spans, batches, repetitions and restarts gives the same result as a recount', async () => {
    let duplicates = 0;
    for (let number = 0; number < FORESTS; number++) {
      const random = createRandom(number);
      const forest = makeForest(random);
      const counted = countedIn(forest);
      duplicates += forest.filter(({ is_call }) => is_call).length - counted.length;
      const projects = Array.from({ length: WAYS }, (_, way) => number * WAYS + way + 1);
      for (const project of projects) {
        await send(project, forest, random);
        expect(callsOf(project)).toEqual(counted.map(({ event_id }) => event_id).sort());
        const totals = queryTotals(ledger.reader(project), { measures: MEASURES, window: WINDOW });
        const expected = measureAll(counted);
        for (const name of MEASURES) expect(totals[name]).toBeCloseTo(expected[name], 9);
        expect(ledger.reader(project).rows('SELECT count(*) FROM events')).toEqual([[forest.length]]);
      }
      const [first, ...others] = projects.map(rollupsOf);
      for (const other of others) expect(other).toEqual(first as unknown[]);
    }
    expect(duplicates).toBeGreaterThan(FORESTS);
  }, 60_000);

  const project = FORESTS * WAYS + 1;
  const trace = 'ab'.repeat(16);
  const outer = span(trace, '1'.repeat(16), { buckets: tokens(9) });
  const inner = span(trace, '2'.repeat(16), {
    parent_span_id: outer.span_id,
    buckets: tokens(9),
    ts: NOON + 5,
  });

  test('a wrapper replaces a span that arrived tens of thousands of events earlier, after a restart', async () => {
    await ledger.record(project, [inner], { spans: true });
    expect(callsOf(project)).toEqual([inner.event_id]);
    for (let batch = 0; batch < 5; batch++) {
      const others = Array.from({ length: 4_000 }, () => makeEvent({ ts: NOON - HOUR }));
      await ledger.record(project, others, { spans: batch === 3 });
    }
    await ledger.reopen();
    await ledger.record(project, [outer], { spans: true });
    const wanted = {
      filters: {},
      calls: true,
      window: { from: NOON, to: NOON + HOUR },
      cursor: null,
      limit: 9,
    };
    const page = listEvents(ledger.reader(project), wanted);
    expect(page.events.map(({ event_id }) => event_id)).toEqual([outer.event_id]);
    expect(page.total).toBe(1);
    const all = listEvents(ledger.reader(project), { ...wanted, calls: false });
    expect(all.events.map(({ counted, cost_usd }) => [counted, cost_usd])).toEqual([
      [false, null],
      [true, 0.001],
    ]);
  });

  test('native events are not compared, with each other or with spans', async () => {
    await ledger.record(project + 1, [inner, { ...outer, event_id: crypto.randomUUID() }]);
    expect(callsOf(project + 1)).toHaveLength(2);
    const third = span(trace, '3'.repeat(16), { parent_span_id: outer.span_id, buckets: tokens(1) });
    await ledger.record(project + 1, [third], { spans: true });
    expect(callsOf(project + 1)).toHaveLength(3);
  });

  test('a refused batch changes nothing', async () => {
    await ledger.record(project + 2, [inner], { spans: true });
    const row = (event: PricedEvent): unknown[] => toRow(project + 2, event, { ...event, price: null });
    const broken = row({ ...outer, span_id: '4'.repeat(16), event_id: crypto.randomUUID() }).with(2, null);
    await expect(ledger.recordRows(project + 2, [row(outer), broken])).rejects.toThrow();
    expect(callsOf(project + 2)).toEqual([inner.event_id]);
    await ledger.record(project + 2, [outer], { spans: true });
    expect(callsOf(project + 2)).toEqual([outer.event_id]);
  });

  test('spans of another project are never related', async () => {
    await ledger.record(project + 3, [inner], { spans: true });
    await ledger.record(project + 4, [outer], { spans: true });
    expect([callsOf(project + 3), callsOf(project + 4)]).toEqual([[inner.event_id], [outer.event_id]]);
  });
});

function tokens(fresh: number): PricedEvent['buckets'] {
  return { fresh, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
}
