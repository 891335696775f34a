import { expect, test } from 'bun:test';
import { eachStore } from './support/each-store.ts';
import { makeEvent } from './support/make-event.ts';
import { record } from './support/send.ts';

eachStore('the health of a store', { served: true }, (world) => {
  test('health resolves, and an idle store has room', async () => {
    await world.open.store.health();
    expect(world.open.store.hasRoom()).toBe(true);
  });

  test('a store has room again when all batches are stored', async () => {
    const project = await world.newProject();
    const batch = Array.from({ length: 5_000 }, () => makeEvent());
    const sending = [record(world.open.store, project, batch), record(world.open.store, project, batch)];
    await Promise.all(sending);
    expect(world.open.store.hasRoom()).toBe(true);
  });
});
