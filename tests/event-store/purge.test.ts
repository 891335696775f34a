import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents } from './support/random-events.ts';
import { readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { send } from './support/send.ts';
import { untilDone } from './support/until-done.ts';

const NO_SIGNAL = new AbortController().signal;

eachStore('the purge of a project', {}, (world) => {
  const random = randomBelow();
  const events = randomEvents(TEST_SEED, 400 * ROUNDS, NOON - 4 * DAY_MS, NOON);

  for (const state of ['as they came', 'settled'] as const) {
    test(`no read shows anything after interrupted purges during ingest of another project: events ${state}`, async () => {
      const [project, other] = [await world.newProject(), await world.newProject()];
      await send(world.open.store, project, events, createRandom(TEST_SEED));
      if (state === 'settled') await world.open.settle();
      const { store } = world.open;
      const sending = send(store, other, events, createRandom(TEST_SEED));
      let deleted = 0;
      const onProgress = (rows: number): void => {
        deleted = rows;
      };
      await untilDone(random, (signal) => store.purge(project, { signal, onProgress }));
      await sending;
      expect(deleted).toBeGreaterThanOrEqual(0);
      await world.reopen();
      expect(await readAll(world.open.store, project)).toEqual(recountAll([]));
      expect(await readAll(world.open.store, other)).toEqual(recountAll(events));
      const again = await world.open.store.purge(project, { signal: NO_SIGNAL });
      expect(Object.values(again).every((rows) => rows === 0)).toBe(true);
    });
  }
});
