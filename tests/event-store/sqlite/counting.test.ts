import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openFolder } from '../../helpers/folder.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';
import { countedIn } from '../support/counted-in.ts';
import { type OpenStore, ROUNDS } from '../support/harness.ts';
import { makeForest } from '../support/make-forest.ts';
import { record, shuffled } from '../support/send.ts';
import { sqlite } from '../support/sqlite.ts';
import { storedCalls } from './stored-calls.ts';

const FORESTS = 12;

describe('the flags of calls in chunks', () => {
  const folder = openFolder();
  let open: OpenStore;
  beforeAll(async () => {
    open = await sqlite.open(folder.path('.'));
  });
  afterAll(async () => {
    await open.close();
    folder.remove();
  });

  for (let place = 0; place < FORESTS * ROUNDS; place++) {
    test(`are those of a recount after batches in any order, refused ones, sealing and restarts: ${place}`, async () => {
      const random = createRandom(TEST_SEED + place);
      const forest = makeForest(random);
      const project = await open.project(`forest ${place}`);
      const rest = shuffled([...forest, ...forest.filter(() => random() < 0.2)], random);
      while (rest.length > 0) {
        const batch = rest.splice(0, 1 + Math.floor(random() * 6));
        if (random() < 0.3) {
          const effects = [open.effects.refuse()];
          const refused = record(open.store, project, batch, { spans: true, effects });
          await expect(refused).rejects.toMatchObject({ status: 409 });
        }
        await record(open.store, project, batch, { spans: true });
        if (random() < 0.2) await open.settle();
        if (random() < 0.2) {
          await open.close();
          open = await sqlite.open(folder.path('.'));
        }
      }
      const expected = countedIn(forest).map(({ event_id }) => event_id);
      expect(storedCalls(folder.path('.'), project.no).sort()).toEqual(expected.sort());
    });
  }
});
