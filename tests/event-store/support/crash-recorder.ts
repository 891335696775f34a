// Records batches into the store of a folder until it is killed, several at once, and writes the number of each
// that was acknowledged: `bun crash-recorder.ts STORE FOLDER SEED RUN`.
import { accepted } from './accepted.ts';
import { BATCHES, batchOf, projectOf } from './crash-batches.ts';
import { storeNamed } from './each-store.ts';
import { record } from './send.ts';

const [name = '', folder = '', seed = '', run = ''] = process.argv.slice(2);
const { store, effects, project, settle } = await storeNamed(name).open(folder);
const scope = await project(projectOf(Number(run)));
/** Batches between two times that the store settles. */
const SETTLES = 15;
let next = 0;
const work = async (): Promise<void> => {
  for (let place = next++; place < BATCHES; place = next++) {
    const events = batchOf(Number(seed), Number(run), place);
    await accepted(() => record(store, scope, events, { effects: [effects.note(`${run} ${place}`)] }));
    process.stdout.write(`${place}\n`);
    // It may be killed while it settles, too.
    if (place % SETTLES === 0) await accepted(settle);
  }
};
await Promise.all([work(), work(), work(), work()]);
// Keeps the process alive until it is killed.
setInterval(() => {}, 1_000);
