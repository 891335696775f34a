import { expect, test } from 'bun:test';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { countedOnce } from './support/counted-in.ts';
import { eachStore } from './support/each-store.ts';
import { type OpenStore, ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { makeForest } from './support/make-forest.ts';
import { randomEvents } from './support/random-events.ts';
import { readAll, withoutTrees } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { inBatches, record, send, shuffled } from './support/send.ts';

const EVENTS = 600;
const FORESTS = 8;
const SPANS_AT_ONCE = 5;

/** Settles again and again until some work is done. */
async function settleDuring({ settle }: OpenStore, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  while (!isDone) await settle();
  await end;
}

eachStore('a store that settles', { served: true }, (world) => {
  test.each(Array.from({ length: ROUNDS }, (_, place) => place))(
    'changes no figure while batches come and spans change what counts: %d',
    async (place) => {
      const random = createRandom(TEST_SEED + place);
      const { open } = world;
      const project = await world.newProject();
      const native = randomEvents(TEST_SEED + place, EVENTS, NOON - 2 * DAY_MS, NOON);
      const spans = Array.from({ length: FORESTS }, () => makeForest(random)).flat();
      const sendSpans = async (to: ProjectScope): Promise<void> => {
        for (const batch of inBatches(shuffled(spans, random), SPANS_AT_ONCE))
          await record(open.store, to, batch, { spans: true });
      };
      await settleDuring(
        open,
        Promise.all([send(open.store, project, native, createRandom(TEST_SEED)), sendSpans(project)]),
      );
      const expected = withoutTrees(recountAll([...native, ...countedOnce(spans)]));
      expect(withoutTrees(await readAll(open.store, project))).toEqual(expected);
      await open.settle();
      expect(withoutTrees(await readAll(open.store, project))).toEqual(expected);
      await world.reopen();
      expect((await record(world.open.store, project, native.slice(0, 50))).stored).toBe(0);
      expect(withoutTrees(await readAll(world.open.store, project))).toEqual(expected);
    },
    300_000,
  );
});
