import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ROLLUP_SUMS } from '../../../../../../src/core/events/stores/sqlite/sums/rollup-sums.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { randomEvents } from '../../../../../event-store/support/random-events.ts';
import { ALL } from '../../../../../event-store/support/read-all.ts';
import { send } from '../../../../../event-store/support/send.ts';
import { createRandom, TEST_SEED } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const NO_SIGNAL = new AbortController().signal;
const rolled = ROLLUP_SUMS.map((name) => `total(${name})`).join(', ');

/** The sums of each day, from the table of hours or of days. */
const daysOf = (projects: readonly ProjectScope[], table: string, day: string): unknown[][] =>
  log
    .reader(...projects)
    .rows(`SELECT project, ${day} AS day, ${rolled} FROM ${table} GROUP BY 1, 2 ORDER BY 1, 2`);

test('a day is the sum of its hours after events came in any order, some twice, and some were deleted', async () => {
  const projects = [await log.newProject(), await log.newProject()];
  for (const [place, project] of projects.entries()) {
    const seed = TEST_SEED + place;
    const events = randomEvents(seed, 1_500, NOON - 8 * DAY_MS, NOON);
    await send(log.store, project, events.slice(0, 900), createRandom(seed));
    await log.seal(project);
    await send(log.store, project, events.slice(600), createRandom(seed));
    await log.seal(project);
    const user = { userId: 'user-1', name: 'erased' };
    await log.store.eraseUser(project, user, { signal: NO_SIGNAL, cursor: 0, effects: [] });
    await log.store.deleteBefore(project, NOON - 3 * DAY_MS, { signal: NO_SIGNAL });
  }
  const days = daysOf(projects, 'rollup_days', 'day');
  expect(days.length).toBeGreaterThan(15);
  expect(daysOf(projects, 'rollup_hours', 'hour / 24')).toEqual(days);
});

test('sums of sealed events are those of a scan, for any fractions of milliseconds', async () => {
  const project = await log.newProject();
  const ms = fc.oneof(
    fc.double({ min: 0, max: 1e10, noNaN: true }),
    fc.double({ min: 0, max: 3, noNaN: true }),
  );
  const odd = [0.0004999999999999999, 0.0005, 2.0005, 1e10, 0];
  const pairs = [...fc.sample(fc.tuple(ms, ms), 2_000), ...odd.map((one) => [one, one / 3] as const)];
  const calls = pairs.map(([latency_ms, ttft_ms]) =>
    makeEvent({ latency_ms, ttft_ms, stream: true, buckets: { ...makeEvent().buckets, output: 3 } }),
  );
  await log.record(project, calls);
  const read = () =>
    log.store.metrics(ofProject(project), {
      all: { measures: ['latencyAvg', 'ttftAvg', 'tokensPerSec', 'latencyCount', 'cost'], window: ALL },
    });
  const scanned = await read();
  await log.seal(project);
  expect(await read()).toEqual(scanned);
  const micros = (latency: number): number => Math.floor(latency * 1000 + 0.5);
  const latencySum = pairs.reduce((sum, [latency]) => sum + micros(latency), 0);
  const reader = log.reader(project);
  for (const table of ['rollup_hours', 'rollup_days'])
    expect(reader.rows(`SELECT total(latency_us), total(requests) FROM ${table}`)).toEqual([
      [latencySum, pairs.length],
    ]);
});
