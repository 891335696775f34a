import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { queryTotals } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { ROLLUP_SUMS } from '../../../../../../src/core/events/stores/sqlite/rollups/rollup.ts';
import { rawSum } from '../../../../../../src/core/events/stores/sqlite/rows/sums.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { randomEvents } from '../../../../../event-store/random-events.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const SPAN = 12 * DAY_MS;

let ledger: Ledger;

/** Two projects in the same file with events out of order, some batches twice. */
beforeAll(async () => {
  ledger = await openLedger(3);
  for (const project of [1, 2]) {
    const events = randomEvents(project, 3000, NOON - SPAN, NOON);
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

describe('queryMetrics', () => {
  test('a day is the sum of its hours and an hour that of its rows, after events came in any order', () => {
    const reader = ledger.reader(1, 2);
    const sums =
      'total(requests), total(cost_nano), total(latency_us), total(output_tokens), total(unpriced)';
    const days = reader.rows(`SELECT project, day, ${sums} FROM rollup_days GROUP BY 1, 2`);
    expect(reader.rows(`SELECT project, hour / 24, ${sums} FROM rollup_hours GROUP BY 1, 2`)).toEqual(days);
    expect(reader.rows(`SELECT project, slot / 288, ${sums} FROM rollup_slots GROUP BY 1, 2`)).toEqual(days);
  });
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
