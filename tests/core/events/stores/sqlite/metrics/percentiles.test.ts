import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventFilters, Window } from '../../../../../../src/core/events/selection.ts';
import { EXACT_LIMIT } from '../../../../../../src/core/events/stores/sqlite/metrics/percentiles.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { type OpenLog, openLog } from '../open-log.ts';

const BATCHES = 21;
const BATCH = 5_000;
const START = NOON - 40 * HOUR_MS;

let log: OpenLog;
let project: ProjectScope;
/** In the order of time. */
const latencies: number[] = [];

beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
  for (let batch = 0; batch < BATCHES; batch++) {
    const calls = Array.from({ length: BATCH }, (_, i) => {
      const micros = Math.exp(9 + ((batch * BATCH + i * 7_919) % 100_003) / 20_000);
      const latency_ms = Math.round(micros) / 1000;
      latencies.push(latency_ms);
      return makeEvent({ ts: START + batch * 2 * HOUR_MS + i, session_id: 's', latency_ms });
    });
    await log.record(project, calls);
    // The newest fifth stays in the log.
    if (batch === 16) await log.seal(project);
  }
}, 60_000);
afterAll(() => log.close());

async function expectWithin(share: number, window: Window, filters: EventFilters = {}): Promise<void> {
  const measures = ['latencyP50', 'latencyP90', 'latencyP99', 'latencyCount', 'requests'] as const;
  const { rows } = await log.store.metrics(ofProject(project), { rows: { measures, window, filters } });
  const timeOf = (place: number): number => START + Math.floor(place / BATCH) * 2 * HOUR_MS + (place % BATCH);
  const sorted = latencies
    .filter((_, place) => timeOf(place) >= window.from && timeOf(place) < window.to)
    .sort((a, b) => a - b);
  const [row] = rows;
  expect(row).toMatchObject({ requests: sorted.length, latencyCount: sorted.length });
  for (const [p, value] of [
    [0.5, row?.latencyP50],
    [0.9, row?.latencyP90],
    [0.99, row?.latencyP99],
  ] as const) {
    const exact = sorted[Math.ceil(p * sorted.length) - 1] ?? 0;
    expect(Math.abs((value ?? 0) / exact - 1)).toBeLessThan(share);
  }
}

test('over more calls than are read one by one are within 1 % of the nearest rank', async () => {
  expect(BATCHES * BATCH).toBeGreaterThan(EXACT_LIMIT);
  // Cuts off the first call and the last, so that both ends are scanned.
  await expectWithin(0.01, { from: START + 1, to: NOON + BATCH - 1 });
});

test('of a session with as many calls are too, whatever the window', async () => {
  await expectWithin(0.01, { from: NOON - 36_500 * DAY_MS, to: NOON + DAY_MS }, { sessionId: 's' });
});

test('over fewer calls are exact', async () => {
  await expectWithin(1e-9, { from: START + 2 * HOUR_MS + 1_234, to: NOON + BATCH });
});

/** Latencies in the bins of a histogram, by search. */
const binned = (bounds: readonly number[], values: readonly number[]): number[] =>
  bounds
    .slice(0, -1)
    .map((low, bin) => values.filter((ms) => ms >= low && ms < (bounds[bin + 1] ?? 0)).length);

test('the histogram of more calls than are read one by one errs only near the bounds, and says so', async () => {
  const query = {
    measures: ['requests'],
    groupBy: [],
    filters: {},
    window: { from: START, to: NOON + DAY_MS },
    keep: { by: 'requests', direction: 'desc', limit: 1 },
    histogram: 'latency',
  } as const;
  const { histogram } = await log.store.groups(ofProject(project), query);
  const { bounds = [], counts = [], isExact } = histogram ?? {};
  expect(isExact).toBe(false);
  expect(counts.reduce((all, calls) => all + calls, 0)).toBe(latencies.length);
  for (const [bin, calls] of counts.entries()) {
    const [low = 0, high = 0] = bounds.slice(bin, bin + 2);
    const within = (from: number, to: number): number =>
      latencies.filter((ms) => ms >= from && ms < to).length;
    expect(calls).toBeGreaterThanOrEqual(within(low * 1.0101, high * 0.9899));
    expect(calls).toBeLessThanOrEqual(within(low * 0.9899, high * 1.0101));
  }
  // Days are told apart, and add up to the same.
  const daily = await log.store.groups(ofProject(project), { ...query, bucket: 'day' });
  expect(daily.histogram?.counts).toEqual(counts);
  expect(daily.histogram?.series?.length).toBe(daily.times.length - 1);
  expect(
    counts.map((_, bin) => daily.histogram?.series?.reduce((all, day) => all + (day[bin] ?? 0), 0)),
  ).toEqual([...counts]);
});

test('the histogram of fewer calls is exact, in total and by hour', async () => {
  const window = { from: START + 2 * HOUR_MS + 1_234, to: NOON + BATCH };
  const { histogram, times } = await log.store.groups(ofProject(project), {
    measures: ['requests'],
    groupBy: ['model'],
    filters: {},
    window,
    bucket: '1h',
    timeZone: 'Asia/Kolkata',
    keep: { by: 'requests', direction: 'desc', limit: 1 },
    histogram: 'latency',
  });
  const { bounds = [], counts = [], series = [], isExact } = histogram ?? {};
  expect(isExact).toBe(true);
  expect([...counts]).toEqual(binned(bounds, latencies.slice(BATCH + 1_234)));
  expect(series[0]).toEqual(binned(bounds, latencies.slice(BATCH + 1_234, 2 * BATCH)));
  expect(series.length).toBe(times.length - 1);
});
