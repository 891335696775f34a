import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { killEngine } from '../clickhouse/start.ts';
import { randomBelow, TEST_SEED } from '../helpers/random.ts';
import { accepted, patient } from './support/accepted.ts';
import { BATCHES, batchOf, projectOf } from './support/crash-batches.ts';
import { eachStore, type World } from './support/each-store.ts';
import { expectLinks } from './support/expect-links.ts';
import { ROUNDS } from './support/harness.ts';
import { readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { linksIn } from './support/recount-links.ts';
import { record } from './support/send.ts';

/** The long form is `CRASH_ROUNDS=50 bun test --timeout 600000 tests/event-store/crash.test.ts`. */
const RUNS = Number(process.env.CRASH_ROUNDS ?? 2 * ROUNDS);
/** Batches that are sent before each kill of an engine. */
const SENT = 8;
/** How long a recorder lives after its first acknowledgement, at most, in milliseconds. */
const MOST_MS = 300;

/** Records in a process of its own and kills it. Gives the batches that were acknowledged. */
async function recordUntilKilled({ kind, folder }: World, run: number, lifeMs: number): Promise<number[]> {
  const recorder = fileURLToPath(new URL('./support/crash-recorder.ts', import.meta.url));
  const child = Bun.spawn([process.execPath, recorder, kind.name, folder, String(TEST_SEED), String(run)], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const decoder = new TextDecoder();
  let text = '';
  let isKilled: Promise<unknown> | null = null;
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    // The moment of the end is what is random here.
    isKilled ??= Bun.sleep(lifeMs).then(() => child.kill('SIGKILL'));
  }
  await isKilled;
  expect(await child.exited).not.toBe(0);
  // A number that was cut off by the end of the process was not told.
  return text.split('\n').slice(0, -1).map(Number);
}

eachStore('a store that is killed while it records', { served: true }, (world) => {
  const random = randomBelow();

  test(
    'all acknowledged batches are there, none in part, none twice, and all sums match, also those of agents and their runs',
    async () => {
      let project = await world.open.project(projectOf(0));
      let stored: (readonly [run: number, place: number])[] = [];
      for (let run = 0; run < RUNS; run++) {
        if (projectOf(run) !== projectOf(run - 1)) {
          project = await world.open.project(projectOf(run));
          stored = [];
        }
        let acknowledged: readonly number[] = [];
        await world.reopen(async () => {
          acknowledged = await recordUntilKilled(world, run, random(MOST_MS));
        });
        expect(acknowledged.length).toBeGreaterThan(0);
        const notes = (await world.open.effects.notes()).map((json) => (JSON.parse(json) as [string])[0]);
        expect(new Set(notes).size).toBe(notes.length);
        const present = Array.from({ length: BATCHES }, (_, place) => place).filter((place) =>
          notes.includes(`${run} ${place}`),
        );
        expect(acknowledged.filter((place) => !present.includes(place))).toEqual([]);
        stored.push(...present.map((place) => [run, place] as const));
        const events = stored.flatMap(([of, place]) => batchOf(TEST_SEED, of, place));
        const store = patient(world.open.store);
        expect(await readAll(store, project)).toEqual(recountAll(events));
        await expectLinks(
          store,
          project,
          linksIn(events, () => true),
        );
      }
      for (const [run, place] of stored) {
        const receipt = await accepted(() =>
          record(world.open.store, project, batchOf(TEST_SEED, run, place)),
        );
        expect(receipt.stored).toBe(0);
      }
    },
    (world.kind.name === 'clickhouse' ? 120_000 : 30_000) * RUNS,
  );

  if (world.kind.name === 'clickhouse')
    test(
      'all batches are there once after the engine was killed: acknowledged ones, and those that were sent again',
      async () => {
        const project = await world.newProject();
        const { store } = world.open;
        for (let round = 0; round < RUNS; round++) {
          const numbers = Array.from({ length: SENT }, (_, place) => round * SENT + place);
          const sent = numbers.map((number) =>
            accepted(() => record(store, project, batchOf(TEST_SEED, 0, number))),
          );
          await Bun.sleep(random(MOST_MS));
          await killEngine();
          await Promise.all(sent);
          const all = Array.from({ length: (round + 1) * SENT }, (_, number) =>
            batchOf(TEST_SEED, 0, number),
          );
          expect(await readAll(store, project)).toEqual(recountAll(all.flat()));
        }
        for (let number = 0; number < RUNS * SENT; number++) {
          const receipt = await record(store, project, batchOf(TEST_SEED, 0, number));
          expect(receipt.stored).toBe(0);
        }
      },
      120_000 * RUNS,
    );
});
