import { expect, test } from 'bun:test';
import { ofProject } from '../../src/core/tenancy/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG } from './support/harness.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { randomEvents } from './support/random-events.ts';
import { pages, readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { inBatches, record, send, shuffled } from './support/send.ts';

const EVENTS = 200;
/** How many ids the store has to know of an event that comes with another time: those of the last minutes. */
const RECENT = 5_000;
const ALWAYS = { from: 0, to: 8.64e15 };

eachStore('idempotency', { served: IS_LONG }, (world) => {
  const random = randomBelow();
  const events = randomEvents(TEST_SEED, EVENTS, NOON - 3 * DAY_MS, NOON).map((event) => ({
    ...event,
    key_id: null,
  }));

  test('a repeated event is a duplicate in any batch, after sealing and after a restart', async () => {
    const project = await world.newProject();
    const batches = inBatches(events, 40);
    for (const batch of batches)
      expect(await record(world.open.store, project, batch)).toEqual({
        stored: batch.length,
        duplicates: 0,
        results: [],
      });
    const expected = recountAll(events);
    const again = async (): Promise<void> => {
      for (const batch of inBatches(shuffled(events, createRandom(TEST_SEED)), 1 + random(90))) {
        const receipt = await record(world.open.store, project, batch);
        expect(receipt).toEqual({ stored: 0, duplicates: batch.length, results: [] });
      }
    };
    await again();
    await world.open.settle();
    await again();
    await world.reopen();
    await again();
    expect(await readAll(world.open.store, project)).toEqual(expected);
  });

  test('concurrent copies of a batch are stored once', async () => {
    const project = await world.newProject();
    const batches = inBatches(events, 25).flatMap((batch) => [batch, batch, batch]);
    const receipts = await Promise.all(batches.map((batch) => record(world.open.store, project, batch)));
    const stored = receipts.reduce((sum, receipt) => sum + receipt.stored, 0);
    const duplicates = receipts.reduce((sum, receipt) => sum + receipt.duplicates, 0);
    expect([stored, duplicates]).toEqual([EVENTS, 2 * EVENTS]);
    expect(await readAll(world.open.store, project)).toEqual(recountAll(events));
  });

  test('an event that a batch repeats is stored once', async () => {
    const project = await world.newProject();
    const few = events.slice(0, 20);
    const receipt = await record(world.open.store, project, [...few, ...few.toReversed(), ...few]);
    expect(receipt).toMatchObject({ stored: 20, duplicates: 40 });
    expect(await readAll(world.open.store, project)).toEqual(recountAll(few));
  });

  test('the same event may exist in two projects', async () => {
    const [one, other] = [await world.newProject(), await world.newProject('Globex')];
    for (const project of [one, other])
      await send(world.open.store, project, events, createRandom(TEST_SEED));
    for (const project of [one, other])
      expect(await readAll(world.open.store, project)).toEqual(recountAll(events));
  });

  test('a recent event with a new timestamp is a duplicate', async () => {
    const project = await world.newProject();
    await record(world.open.store, project, events);
    const others = Array.from({ length: RECENT }, (_, i) => makeEvent({ ts: NOON - i }));
    for (const batch of inBatches(others, 1_000)) await record(world.open.store, project, batch);
    const later = events.map((event) => ({ ...event, ts: event.ts + 1 + random(5 * MINUTE_MS) }));
    expect(await record(world.open.store, project, later)).toMatchObject({ stored: 0, duplicates: EVENTS });
  });

  test('an event without a timestamp keeps the time of its first receipt', async () => {
    const project = await world.newProject();
    const undated = events.slice(0, 30).map((event) => ({ ...event, dated: false }));
    const attempt = (delay: number) => undated.map((event) => ({ ...event, ts: event.ts + delay }));
    await record(world.open.store, project, attempt(0));
    expect(await record(world.open.store, project, attempt(MINUTE_MS))).toMatchObject({
      stored: 0,
      duplicates: 30,
    });
    await world.reopen();
    await world.open.settle();
    expect(await record(world.open.store, project, attempt(20 * DAY_MS))).toMatchObject({ stored: 0 });
    expect(await readAll(world.open.store, project)).toEqual(recountAll(undated));
    const scope = ofProject(project);
    const times = await pages(async (cursor) => {
      const page = { filters: {}, calls: false, window: ALWAYS, cursor, limit: 7 };
      const { events: rows, nextCursor } = (await world.open.store.eventsAfter(scope, page)).parse();
      return {
        rows: rows.map(({ event_id, timestamp }) => [event_id, Date.parse(timestamp)] as const),
        nextCursor,
      };
    });
    expect(new Map(times)).toEqual(new Map(undated.map(({ event_id, ts }) => [event_id, ts])));
  });
});
