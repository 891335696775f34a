import { beforeAll, expect, test } from 'bun:test';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './each-store.ts';
import { ROUNDS } from './harness.ts';
import { NOON } from './make-event.ts';
import { randomEvents } from './random-events.ts';
import { readAll } from './read-all.ts';
import { recountAll } from './recount-all.ts';
import { send } from './send.ts';

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
});
