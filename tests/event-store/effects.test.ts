import { expect, test } from 'bun:test';
import { START } from '../../src/core/events/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { randomEvents } from './support/random-events.ts';
import { readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { record, send } from './support/send.ts';

const REFUSED = { status: 409, message: 'refused by an effect' };

eachStore('effects', { served: true }, (world) => {
  const events = randomEvents(TEST_SEED, 90, NOON - 2 * DAY_MS, NOON);
  const before = events.slice(0, 50);
  const after = events.slice(50).map((event) => ({ ...event, key_id: null }));

  test('effects receive the outcome, run in order and return their results', async () => {
    const project = await world.newProject();
    const { store, effects } = world.open;
    await record(store, project, after.slice(0, 10));
    const noted = (await effects.notes()).length;
    const calls = ['a', 'b', 'c'].map((text) => effects.note(text));
    const receipt = await record(store, project, after.slice(0, 25), { effects: calls });
    expect(receipt).toEqual({ stored: 15, duplicates: 10, results: ['a', 'b', 'c'] });
    const dropped = Array.from({ length: 10 }, (_, place) => place);
    const outcome = { stored: 15, duplicates: 10, bytes: expect.any(Number), dropped };
    expect((await effects.notes()).slice(noted).map((note) => JSON.parse(note))).toEqual(
      ['a', 'b', 'c'].map((text) => [text, outcome]),
    );
  });

  test('effects run for a batch of duplicates', async () => {
    const project = await world.newProject();
    const { store, effects } = world.open;
    await record(store, project, after);
    const receipt = await record(store, project, after, { effects: [effects.note('again')] });
    expect(receipt).toEqual({ stored: 0, duplicates: after.length, results: ['again'] });
  });

  test('an effect that throws refuses the whole batch: no event, sum or effect is stored, and other batches are', async () => {
    const project = await world.newProject();
    await send(world.open.store, project, before, createRandom(TEST_SEED));
    const expected = recountAll(before);
    const notes = await world.open.effects.notes();
    const { store, effects } = world.open;
    const refused = [effects.note('before'), effects.refuse(), effects.note('after')];
    const spans = makeEvent({ trace_id: 'ab'.repeat(16), span_id: 'cd'.repeat(8) });
    const attempts = await Promise.allSettled([
      record(store, project, after, { effects: refused }),
      record(store, project, after.slice(0, 3), { effects: [effects.refuse()] }),
      record(store, project, [spans], { effects: [effects.refuse()], spans: true }),
      record(store, project, before.slice(0, 5)),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
    for (const attempt of attempts)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject(REFUSED);
    expect(await world.open.effects.notes()).toEqual(notes);
    expect(await readAll(world.open.store, project)).toEqual(expected);
    await world.open.settle();
    await world.reopen();
    expect(await readAll(world.open.store, project)).toEqual(expected);
    // What was refused is no duplicate when it comes again.
    const receipt = await record(world.open.store, project, after);
    expect(receipt).toMatchObject({ stored: after.length, duplicates: 0 });
    expect(await readAll(world.open.store, project)).toEqual(recountAll([...before, ...after]));
  });

  test('an effect that throws refuses the slice of a change', async () => {
    const project = await world.newProject('Globex');
    await send(world.open.store, project, before, createRandom(TEST_SEED));
    await world.open.setPrice(project, 'gpt-4o', { input: 100, output: 100 });
    const { store, effects } = world.open;
    const calls = { from: 0, to: 8.64e15, unpricedOnly: false, clientCosts: true };
    const { pricesVersion } = await store.previewReprice(project, calls, {
      cursor: START,
      pricesVersion: null,
    });
    const change = { kind: 'reprice', id: 'refused', calls, pricesVersion } as const;
    const slice = store.change(project, change, { cursor: START, rows: 10 }, [
      effects.note('x'),
      effects.refuse(),
    ]);
    await expect(slice).rejects.toMatchObject(REFUSED);
    expect(await readAll(store, project)).toEqual(recountAll(before));
  });
});
