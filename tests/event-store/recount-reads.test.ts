import { beforeAll, expect, test } from 'bun:test';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents } from './support/random-events.ts';
import { readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { send } from './support/send.ts';

const EVENTS = 400;

eachStore('all reads of a project', { served: true }, (world) => {
  const events = randomEvents(TEST_SEED, EVENTS * ROUNDS, NOON - 5 * DAY_MS, NOON);
  const expected = recountAll(events);
  let project: ProjectScope;
  beforeAll(async () => {
    project = await world.newProject();
  });

  test('an empty project has no data', async () => {
    expect(await readAll(world.open.store, project)).toEqual(recountAll([]));
  });

  test('every read equals a recount: before and after sealing, and after a restart', async () => {
    await send(world.open.store, project, events, createRandom(TEST_SEED));
    expect(await readAll(world.open.store, project)).toEqual(expected);
    await world.open.settle();
    expect(await readAll(world.open.store, project)).toEqual(expected);
    await world.reopen();
    expect(await readAll(world.open.store, project)).toEqual(expected);
  });

  test('every read equals a recount of sealed and unsealed events together', async () => {
    const random = createRandom(TEST_SEED + 1);
    const mixed = await world.newProject();
    const { early = [], late = [] } = Object.groupBy(events, () => (random() < 0.5 ? 'early' : 'late'));
    await send(world.open.store, mixed, early, random);
    await world.open.settle();
    await send(world.open.store, mixed, [...late, ...early.slice(0, 20)], random);
    expect(await readAll(world.open.store, mixed)).toEqual(expected);
  });
});
