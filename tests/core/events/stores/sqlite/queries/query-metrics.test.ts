import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import {
  isPercentile,
  type Measure,
  PERCENTILES,
  SUM_MEASURES,
} from '../../../../../../src/core/events/measures.ts';
import { BUCKET_MS, type Bucket, type EventDimension } from '../../../../../../src/core/events/metrics.ts';
import type { EventFilters, Window } from '../../../../../../src/core/events/selection.ts';
import {
  queryMetrics,
  queryTogether,
  queryTotals,
} from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { DIMENSIONS } from '../../../../../../src/core/events/stores/sqlite/rollups/dimensions.ts';
import { ROLLUP_SUMS } from '../../../../../../src/core/events/stores/sqlite/rollups/rollup.ts';
import { rawSum } from '../../../../../../src/core/events/stores/sqlite/rows/sums.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { type Ledger, makeEvent, NOON, openLedger } from '../../../ledger.ts';
import { MODELS, randomEvents } from '../../../random-events.ts';
import { recount } from '../../../recount.ts';

const SPAN = 12 * DAY_MS;
const MEASURES = [...Object.keys(SUM_MEASURES), ...Object.keys(PERCENTILES)] as Measure[];

let ledger: Ledger;
const stored = new Map<number, PricedEvent[]>();

/** Two projects in the same file; late, out of order, some batches twice, some events with a third. */
beforeAll(async () => {
  ledger = await openLedger(3);
  for (const project of [1, 2]) {
    const events = randomEvents(project, 3000, NOON - SPAN, NOON);
    stored.set(project, events);
    const batches = Array.from({ length: 30 }, (_, i) => events.slice(i * 100, i * 100 + 100));
    await Promise.all(batches.map((batch) => ledger.record(project, batch)));
    expect(await ledger.record(project, events.slice(0, 500))).toEqual({
      stored: 0,
      duplicates: 500,
      results: [],
    });
  }
});
afterAll(() => ledger.close());

const instant = fc.oneof(
  fc.integer({ min: NOON - SPAN - DAY_MS, max: NOON + DAY_MS }),
  fc.integer({ min: -13 * 24, max: 24 }).map((hours) => NOON + hours * HOUR_MS),
);
const window: fc.Arbitrary<Window> = fc
  .tuple(instant, instant)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<EventFilters> = fc.record({
  model: maybe(MODELS.map(([, model]) => model)),
  provider: maybe(['openai', 'azure', 'nobody']),
  environment: maybe(['production', 'staging']),
  status: fc.option(
    fc.oneof(fc.constantFrom(...EVENT_STATUSES), fc.uniqueArray(fc.constantFrom(...EVENT_STATUSES))),
    { nil: undefined, freq: 2 },
  ),
  kind: maybe(EVENT_KINDS.slice(0, 3)),
  userId: fc.option(fc.constantFrom('user-1', 'user-2'), { nil: undefined, freq: 1 }),
});
const groupBy = fc.uniqueArray(fc.constantFrom(...(Object.keys(DIMENSIONS) as EventDimension[])), {
  maxLength: 2,
});
const bucket = maybe<Bucket>(['hour', 'day']);

/** Sums of doubles depend on their order. */
function expectClose(name: Measure, actual: number, expected: number): void {
  const tolerance = isPercentile(name) ? 0 : 1e-9 * Math.max(1, Math.abs(expected));
  if (Math.abs(actual - expected) > tolerance) throw new Error(`${name}: ${actual}, recounted ${expected}`);
}

function expectRecount(
  events: readonly PricedEvent[],
  rows: readonly Record<string, unknown>[],
  query: { filters: EventFilters; window: Window; groupBy: EventDimension[]; bucket: Bucket | undefined },
): void {
  const bucketMs = query.bucket === undefined ? null : BUCKET_MS[query.bucket];
  const expected = recount(events, { ...query, bucketMs });
  const keyOf = (row: Record<string, unknown>): string =>
    JSON.stringify([row.time, ...query.groupBy.map((name) => row[name])]);
  expect(rows.map(keyOf).sort()).toEqual([...expected.keys()].sort());
  for (const row of rows) {
    const wanted = expected.get(keyOf(row));
    for (const name of MEASURES) expectClose(name, Number(row[name]), wanted?.[name] ?? Number.NaN);
  }
}

describe('queryMetrics', () => {
  test('equals a recount of the events for any window, filters, groups and buckets', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), window, filters, groupBy, bucket, (project, w, f, g, b) => {
        const query = { filters: f, window: w, groupBy: g, bucket: b };
        const rows = queryMetrics(ledger.reader(project), {
          ...query,
          measures: MEASURES,
          ...(b === undefined ? {} : { bucket: b }),
        } as never);
        expectRecount(stored.get(project) ?? [], rows, query);
      }),
      { numRuns: 400 },
    );
  });

  test('over several projects equals a recount of them together', () => {
    fc.assert(
      fc.property(window, filters, groupBy, bucket, (w, f, g, b) => {
        const query = { filters: f, window: w, groupBy: g, bucket: b };
        const rows = queryMetrics(ledger.reader(1, 2, 3), {
          ...query,
          measures: MEASURES,
          ...(b === undefined ? {} : { bucket: b }),
        } as never);
        expectRecount([...stored.values()].flat(), rows, query);
      }),
      { numRuns: 60 },
    );
  });

  test('adjoining windows add up to the whole', () => {
    fc.assert(
      fc.property(instant, instant, instant, (a, b, c) => {
        const [from = a, middle = b, to = c] = [a, b, c].sort((x, y) => x - y);
        const requests = (w: Window): number =>
          queryTotals(ledger.reader(1), { measures: ['requests'], window: w }).requests;
        expect(requests({ from, to: middle }) + requests({ from: middle, to })).toBe(requests({ from, to }));
      }),
      { numRuns: 200 },
    );
  });

  test('of an empty project is one row of zeros without groups, and none with', () => {
    const whole = { from: 0, to: NOON };
    const row = queryTotals(ledger.reader(3), { measures: MEASURES, window: whole });
    expect(MEASURES.map((name) => row[name])).toEqual(MEASURES.map(() => 0));
    expect(queryMetrics(ledger.reader(3), { measures: ['cost'], window: whole, bucket: 'day' })).toEqual([]);
    expect(queryMetrics(ledger.reader(3), { measures: ['cost'], window: whole, groupBy: ['model'] })).toEqual(
      [],
    );
  });

  test('of a window that ends before it begins is nothing', () => {
    const row = queryTotals(ledger.reader(1), {
      measures: ['requests'],
      window: { from: NOON, to: NOON - 5 },
    });
    expect(row.requests).toBe(0);
  });

  test('a day is the sum of its hours and an hour that of its rows, after events came in any order', () => {
    const reader = ledger.reader(1, 2);
    const sums =
      'total(requests), total(cost_nano), total(latency_us), total(output_tokens), total(unpriced)';
    const days = reader.rows(`SELECT project, day, ${sums} FROM rollup_days GROUP BY 1, 2`);
    expect(reader.rows(`SELECT project, hour / 24, ${sums} FROM rollup_hours GROUP BY 1, 2`)).toEqual(days);
    expect(reader.rows(`SELECT project, slot / 288, ${sums} FROM rollup_slots GROUP BY 1, 2`)).toEqual(days);
  });
});

test('several questions in one pass are answered as each alone', () => {
  const window = { from: NOON - SPAN + 1234, to: NOON - 98_765 };
  const filters = { status: ['success', 'error'] } as const;
  const reader = ledger.reader(1, 2);
  const queries = {
    totals: { measures: ['requests', 'cost', 'latencyAvg', 'cacheRate'] },
    days: { measures: ['errors', 'cost'], bucket: 'day' },
    models: { measures: ['cost', 'unpriced'], groupBy: ['model'] },
    both: { measures: ['requests'], groupBy: ['status', 'provider'], bucket: 'day' },
  } as const;
  const together = queryTogether(reader, { filters, window }, queries);
  for (const [name, query] of Object.entries(queries)) {
    const alone: unknown = queryMetrics(reader, { ...query, filters, window });
    expect(together[name as keyof typeof queries] as unknown).toEqual(alone);
  }
});

describe('what the roll-ups add', () => {
  test('is what SQL adds over the rows, for any fractions of milliseconds', async () => {
    const own = await openLedger();
    const ms = fc.oneof(
      fc.double({ min: 0, max: 1e10, noNaN: true }),
      fc.double({ min: 0, max: 3, noNaN: true }),
    );
    const odd = [0.0004999999999999999, 0.0005, 2.0005, 1e10, 0];
    const pairs = [...fc.sample(fc.tuple(ms, ms), 2000), ...odd.map((one) => [one, one / 3] as const)];
    await own.record(
      1,
      pairs.map(([latency_ms, ttft_ms]) =>
        makeEvent({ latency_ms, ttft_ms, stream: true, buckets: { ...makeEvent().buckets, output: 3 } }),
      ),
    );
    const sums = ROLLUP_SUMS;
    const raw = own.reader(1).rows(`SELECT ${sums.map((name) => rawSum(name)).join(', ')} FROM events`);
    for (const table of ['rollup_slots', 'rollup_hours', 'rollup_days']) {
      const rolled = sums.map((name) => `total(${name})`).join(', ');
      expect(own.reader(1).rows(`SELECT ${rolled} FROM ${table}`)).toEqual(raw);
    }
    await own.close();
  });
});

describe('percentiles', () => {
  test('over more calls than are read one by one are within 1 % of the nearest rank', async () => {
    const big = await openLedger();
    const latencies: number[] = [];
    for (let batch = 0; batch < 21; batch++) {
      const events = Array.from({ length: 5000 }, (_, i) => {
        const latency_ms = Math.exp(2 + ((batch * 5000 + i * 7919) % 100_003) / 20_000);
        latencies.push(latency_ms);
        return makeEvent({ ts: NOON - 40 * HOUR_MS + batch * 2 * HOUR_MS + i, latency_ms });
      });
      await big.record(1, events);
    }
    const row = queryTotals(big.reader(1), {
      measures: ['latencyP50', 'latencyP90', 'latencyP99', 'latencyCount'],
      // Cuts off the first row and the last: the edges are hours less these.
      window: { from: NOON - 40 * HOUR_MS + 1, to: NOON + 4999 },
    });
    expect(row.latencyCount).toBe(104_998);
    latencies.shift();
    latencies.pop();
    const sorted = latencies.sort((a, b) => a - b);
    for (const [p, value] of [
      [0.5, row.latencyP50],
      [0.9, row.latencyP90],
      [0.99, row.latencyP99],
    ] as const) {
      const exact = sorted[Math.ceil(p * sorted.length) - 1] ?? 0;
      expect(Math.abs(value / exact - 1)).toBeLessThan(0.01);
    }
    await big.close();
  }, 60_000);

  test('come from the sketches where the rows are gone', async () => {
    const ledger = await openLedger();
    await ledger.record(
      1,
      [10, 20, 30].map((latency_ms) => makeEvent({ latency_ms })),
    );
    await ledger.sql('DELETE FROM events');
    const measures = ['latencyP50', 'requests', 'cost'] as const;
    const row = queryTotals(ledger.reader(1), {
      measures,
      window: { from: NOON - HOUR_MS, to: NOON + HOUR_MS },
    });
    expect(row.requests).toBe(3);
    expect(row.cost).toBeCloseTo(0.003);
    expect(Math.abs(row.latencyP50 / 20 - 1)).toBeLessThan(0.01);
    await ledger.close();
  });
});

describe('scope', () => {
  test('a reader of one project sees nothing of another, even by SQL without a filter', () => {
    const reader = ledger.reader(1);
    for (const table of ['events', 'rollup_hours', 'rollup_days']) {
      expect(reader.rows(`SELECT DISTINCT project FROM ${table}`)).toEqual([[1]]);
      expect(reader.rows(`SELECT count(*) FROM ${table} WHERE project = 2`)).toEqual([[0]]);
    }
  });
});
