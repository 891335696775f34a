import { expect, test } from 'bun:test';
import { START } from '../../src/core/events/index.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { loseSums } from './support/clickhouse-sums.ts';
import { eachStore } from './support/each-store.ts';
import { NOON } from './support/make-event.ts';
import type { SentEvent } from './support/random-events.ts';
import { randomEvents } from './support/random-events.ts';
import { inOrder, SUMS } from './support/read-all.ts';
import { recount } from './support/recount.ts';
import { CALLS, change, RATES, repriced, unpricedEvents } from './support/reprice.ts';
import { send } from './support/send.ts';

const NO_SIGNAL = new AbortController().signal;
const WINDOW = { from: NOON - 30 * DAY_MS, to: NOON + DAY_MS };
const GROUP_BY = ['model', 'status', 'errorCode'] as const;

eachStore('sums of days', {}, (world) => {
  async function read(project: ProjectScope) {
    const query = { measures: SUMS, groupBy: GROUP_BY, window: WINDOW, bucket: 'day' } as const;
    const { rows } = await world.open.store.metrics(ofProject(project), { rows: query });
    return rows;
  }

  async function expectSums(project: ProjectScope, events: readonly SentEvent[]): Promise<void> {
    const asked = { filters: {}, window: WINDOW, groupBy: GROUP_BY };
    const expected = [...recount(events, { ...asked, bucketMs: DAY_MS })].map(([key, all]) => {
      const [time, model, status, errorCode] = JSON.parse(key);
      const own = Object.fromEntries(SUMS.map((name) => [name, Number(all[name].toPrecision(12))]));
      return { time, model, status, errorCode, ...own };
    });
    const rows = (await read(project)).map((row) => ({
      ...row,
      ...Object.fromEntries(SUMS.map((name) => [name, Number(row[name].toPrecision(12))])),
    }));
    expect(inOrder<object>(rows)).toEqual(inOrder<object>(expected));
  }

  /** Before and after the days are summed. */
  async function expectAlways(project: ProjectScope, events: readonly SentEvent[]): Promise<void> {
    await expectSums(project, events);
    await world.open.settle();
    await expectSums(project, events);
  }

  test('are those of a recount after duplicates, late events, new prices and back, erasure and retention', async () => {
    const project = await world.newProject();
    const random = createRandom(TEST_SEED);
    const { store } = world.open;
    // Of other models than the one that is re-priced.
    const others = (seed: number, days: number): SentEvent[] =>
      randomEvents(seed, 60, NOON - days * DAY_MS, NOON).filter(({ model }) => model !== 'gpt-4o');
    const early = [...unpricedEvents(TEST_SEED, 60), ...others(TEST_SEED + 1, 5)];
    await send(store, project, early, random);
    await expectAlways(project, early);
    const late = others(TEST_SEED + 2, 8);
    const all = [...early, ...late];
    await send(store, project, [...late, ...early.slice(0, 40)], random);
    await expectAlways(project, all);
    await world.open.setPrice(project, 'gpt-4o', RATES);
    const { pricesVersion } = await store.previewReprice(project, CALLS, {
      cursor: START,
      pricesVersion: null,
    });
    await change(world, project, { kind: 'reprice', id: 'r1', calls: CALLS, pricesVersion });
    await expectAlways(project, repriced(all));
    await change(world, project, { kind: 'restore', id: 'r1' });
    await expectAlways(project, all);
    const user = { userId: 'user-1', name: 'erased user 1' };
    await store.eraseUser(project, user, { signal: NO_SIGNAL, cursor: 0, effects: [] });
    const left = all.filter(({ user_id }) => user_id !== 'user-1');
    await expectAlways(project, left);
    await store.deleteBefore(project, NOON - 3 * DAY_MS, { signal: NO_SIGNAL });
    await expectAlways(project, left);
    await world.reopen();
    await expectAlways(project, left);
  });

  if (world.kind.name === 'clickhouse')
    test('a figure of whole days is read from them', async () => {
      const project = await world.newProject();
      const events = randomEvents(TEST_SEED + 3, 60, NOON - 3 * DAY_MS, NOON);
      await send(world.open.store, project, events, createRandom(TEST_SEED));
      await world.open.settle();
      const before = await read(project);
      const today = before.filter(({ time }) => (time ?? 0) > NOON - DAY_MS);
      await loseSums(world.folder, project.no);
      expect(before.length).toBeGreaterThan(today.length);
      expect(await read(project)).toEqual(today);
    });
});
