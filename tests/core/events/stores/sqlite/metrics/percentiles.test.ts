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
