import { expect, test } from 'bun:test';
import type { ErasureOutcome } from '../../src/core/events/index.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG, ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { ALL, readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { send } from './support/send.ts';
import { untilDone } from './support/until-done.ts';

const ADA = 'ada@example.com';
const NAME = 'erased user 1';
const NO_SIGNAL = new AbortController().signal;

/** A third of the events are the user's, and some of the others name the user in a tag. */
const withAda = (events: readonly SentEvent[]): SentEvent[] =>
  events.map((event, place) => ({
    ...event,
    ...(place % 3 === 0 ? { user_id: ADA } : {}),
    ...(place % 5 === 0 ? { tags: { team: ADA } } : {}),
  }));
/** What has to be left. */
const withoutAda = (events: readonly SentEvent[]): SentEvent[] =>
  events
    .filter(({ user_id }) => user_id !== ADA)
    .map((event) => (event.tags?.team === ADA ? { ...event, tags: { ...event.tags, team: NAME } } : event));

eachStore('the erasure of a user', { served: IS_LONG }, (world) => {
  const random = randomBelow();
  const events = withAda(randomEvents(TEST_SEED, 500 * ROUNDS, NOON - 4 * DAY_MS, NOON));
  const user = { userId: ADA, name: NAME };

  async function expectErased(project: ProjectScope, sent: readonly SentEvent[]): Promise<void> {
    const everything = await readAll(world.open.store, project);
    expect(JSON.stringify(everything)).not.toContain(ADA);
    expect(everything).toEqual(recountAll(withoutAda(sent)));
    expect(await world.open.store.user(ofProject(project), { userId: ADA, window: ALL })).toBeNull();
  }

  for (const state of ['as they came', 'settled'] as const) {
    test(`no read shows the user, and other users keep everything: events ${state}`, async () => {
      const [project, other] = [await world.newProject(), await world.newProject()];
      for (const one of [project, other]) await send(world.open.store, one, events, createRandom(TEST_SEED));
      if (state === 'settled') await world.open.settle();
      await world.open.store.eraseUser(project, user, { signal: NO_SIGNAL, cursor: 0, effects: [] });
      await expectErased(project, events);
      expect(await readAll(world.open.store, other)).toEqual(recountAll(events));
      await world.open.settle();
      await world.reopen();
      await expectErased(project, events);
    });
  }

  test('an interrupted erasure resumes at its cursor during ingest, and effects receive each slice', async () => {
    const project = await world.newProject();
    await send(world.open.store, project, events, createRandom(TEST_SEED));
    const noted = (await world.open.effects.notes()).length;
    const outcomes = async (): Promise<ErasureOutcome[]> =>
      (await world.open.effects.notes())
        .slice(noted)
        .map((json) => (JSON.parse(json) as [string, ErasureOutcome])[1]);
    const late = randomEvents(TEST_SEED + 1, 150, NOON - 4 * DAY_MS, NOON);
    const sending = send(world.open.store, project, late, createRandom(TEST_SEED));
    const { store, effects } = world.open;
    await untilDone(random, async (signal) => {
      const cursor = (await outcomes()).at(-1)?.cursor ?? 0;
      const progress = await store.erasureProgress(project, cursor);
      expect(progress).toBeGreaterThanOrEqual(0);
      expect(progress).toBeLessThanOrEqual(1);
      await store.eraseUser(project, user, { signal, cursor, effects: [effects.note('erased')] });
    });
    await sending;
    const erased = (await outcomes()).reduce((sum, outcome) => sum + outcome.events, 0);
    expect(erased).toBe(events.filter(({ user_id }) => user_id === ADA).length);
    await world.reopen();
    await expectErased(project, [...events, ...late]);
  });

  test('erasing an unknown user changes nothing, and an erased user may return', async () => {
    const project = await world.newProject();
    await send(world.open.store, project, events, createRandom(TEST_SEED));
    const task = { signal: NO_SIGNAL, cursor: 0, effects: [] };
    await world.open.store.eraseUser(project, { userId: 'nobody', name: NAME }, task);
    expect(await readAll(world.open.store, project)).toEqual(recountAll(events));
    await world.open.store.eraseUser(project, user, task);
    const [back] = randomEvents(TEST_SEED + 2, 1, NOON - DAY_MS, NOON);
    if (back === undefined) throw new Error('no event');
    const again = { ...back, user_id: ADA };
    await send(world.open.store, project, [again], createRandom(TEST_SEED));
    expect(await readAll(world.open.store, project)).toEqual(recountAll([...withoutAda(events), again]));
  });
});
