import { expect, test } from 'bun:test';
import { ofProject } from '../../src/core/tenancy/index.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent } from './support/make-event.ts';
import { record } from './support/send.ts';

eachStore('the health of a store', { served: true }, (world) => {
  test('health resolves, and an idle store has room and nothing to seal', async () => {
    await world.open.store.health();
    expect(world.open.store.hasRoom()).toBe(true);
    expect(world.open.store.unsealed()).toBe(0);
  });

  test('an intact store has no damage, and gives nothing up', async () => {
    const project = await world.newProject();
    await record(world.open.store, project, [makeEvent()]);
    await world.open.settle();
    const { signal } = new AbortController();
    const checked = await world.open.store.checkStored(project, signal);
    expect([checked.segments + checked.batches, checked.restored]).toEqual([1, 0]);
    expect(await world.open.store.readStored(project, signal)).toEqual({
      segments: checked.segments,
      batches: checked.batches,
      damaged: [],
    });
    expect(await world.open.store.damage(ofProject(project))).toEqual([]);
    expect(await world.open.store.giveUp(project, { kind: 'segment', no: 1 }, [])).toBe(false);
    expect(await world.open.store.giveUp(project, { kind: 'batch', no: 1 }, [])).toBe(false);
  });

  test('a store has room again when all batches are stored', async () => {
    const project = await world.newProject();
    const batch = Array.from({ length: 5_000 }, () => makeEvent());
    const sending = [record(world.open.store, project, batch), record(world.open.store, project, batch)];
    await Promise.all(sending);
    expect(world.open.store.hasRoom()).toBe(true);
  });
});
