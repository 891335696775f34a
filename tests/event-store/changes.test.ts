import { expect, test } from 'bun:test';
import type { EventChange } from '../../src/core/events/change.ts';
import { type CallSelection, START } from '../../src/core/events/index.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG, ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { readAll } from './support/read-all.ts';
import { sum } from './support/recount.ts';
import { recountAll } from './support/recount-all.ts';
import {
  CALLS,
  change,
  costOf,
  RATES,
  readCosts,
  recountCosts,
  repriced,
  unpricedEvents,
} from './support/reprice.ts';
import { send } from './support/send.ts';
import { expectEqualSteps } from './support/series-steps.ts';

eachStore('re-pricing stored calls', { served: IS_LONG }, (world) => {
  const events = unpricedEvents(TEST_SEED, 300 * ROUNDS);

  async function prepare(): Promise<{ project: ProjectScope; reprice: EventChange; restore: EventChange }> {
    const project = await world.newProject('Globex');
    await send(world.open.store, project, events, createRandom(TEST_SEED));
    const { pricesVersion } = await preview(project);
    const id = `change of ${project.projectId}`;
    return {
      project,
      reprice: { kind: 'reprice', id, calls: CALLS, pricesVersion },
      restore: { kind: 'restore', id },
    };
  }
  const preview = (project: ProjectScope, pricesVersion: string | null = null) =>
    world.open.store.previewReprice(project, CALLS, { cursor: START, pricesVersion });

  test('a preview changes nothing, the change updates every sum, and restoring it gives exactly the old state', async () => {
    await world.open.setPrice(await world.newProject('Globex'), 'gpt-4o', RATES);
    const { project, reprice, restore } = await prepare();
    const before = await readAll(world.open.store, project);
    expect(before).toEqual(recountAll(events));
    let cursor: string | null = START;
    const differences = [];
    while (cursor !== null) {
      const page = await world.open.store.previewReprice(project, CALLS, { cursor, pricesVersion: null });
      differences.push(...page.differences);
      cursor = page.next;
    }
    const added = costOf(repriced(events)) - costOf(events);
    expect(sum(differences.map((one) => one.after - one.before))).toBe(added);
    expect(await readAll(world.open.store, project)).toEqual(before);

    const there = await change(world, project, reprice);
    const calls = events.filter(({ is_call, model }) => is_call && model === 'gpt-4o');
    expect(there).toEqual({ next: null, changed: calls.length, gone: 0, costNano: added });
    await expectEqualSteps(world.open.store, project);
    expect(await readCosts(world, project)).toEqual(recountCosts(repriced(events)));
    await world.open.settle();
    await world.reopen();
    expect(await readCosts(world, project)).toEqual(recountCosts(repriced(events)));

    const back = await change(world, project, restore);
    expect(back).toEqual({ next: null, changed: calls.length, gone: 0, costNano: -added });
    expect(await readAll(world.open.store, project)).toEqual(before);
    expect(await change(world, project, restore)).toMatchObject({ changed: 0, gone: 0 });
  });

  test('an interrupted change resumes at its cursor after a restart, and effects receive each slice', async () => {
    const { project, reprice, restore } = await prepare();
    const noted = (await world.open.effects.notes()).length;
    const first = await change(world, project, reprice, {
      most: 2,
      effects: [world.open.effects.note('slice')],
    });
    const outcomes = (await world.open.effects.notes()).slice(noted).map((json) => JSON.parse(json)[1]);
    expect(outcomes).toHaveLength(2);
    expect(sum(outcomes.map(({ changed }) => changed))).toBe(first.changed);
    expect(outcomes.at(-1).cursor).toBe(first.next);
    const half = await readAll(world.open.store, project);
    expect(half.totals.cost).toBe((costOf(events) + first.costNano) / 1e9);
    await world.reopen();
    const rest = await change(world, project, reprice, { cursor: first.next ?? START });
    expect(first.costNano + rest.costNano).toBe(costOf(repriced(events)) - costOf(events));
    expect(await readCosts(world, project)).toEqual(recountCosts(repriced(events)));

    await change(world, project, restore, { most: 2 });
    await world.open.settle();
    await world.reopen();
    await change(world, project, restore);
    expect(await readAll(world.open.store, project)).toEqual(recountAll(events));
  });

  test('a change and its restoration during ingest affect only the selected calls', async () => {
    const { project, reprice, restore } = await prepare();
    // Of another model, so that nobody has to know which of them it came to see.
    const late = randomEvents(TEST_SEED + 5, 200, NOON - 4 * DAY_MS, NOON).filter(
      ({ model }) => model !== 'gpt-4o',
    );
    const [some, more] = [late.slice(0, 60), late.slice(60)];
    const random = createRandom(TEST_SEED);
    await Promise.all([change(world, project, reprice), send(world.open.store, project, some, random)]);
    expect(await readCosts(world, project)).toEqual(recountCosts([...repriced(events), ...some]));
    await Promise.all([change(world, project, restore), send(world.open.store, project, more, random)]);
    expect(await readAll(world.open.store, project)).toEqual(recountAll([...events, ...late]));
  });

  test('a selection limits which calls change', async () => {
    const { project, reprice } = await prepare();
    if (reprice.kind !== 'reprice') throw new Error('not a re-pricing');
    const to = NOON - 2 * DAY_MS;
    const calls: CallSelection = {
      from: NOON - 3 * DAY_MS,
      to,
      provider: 'openai',
      model: 'gpt-4o',
      environment: 'staging',
      unpricedOnly: true,
      clientCosts: false,
    };
    await change(world, project, { ...reprice, calls });
    const isMeant = ({ ts, provider, environment, cost_status }: SentEvent): boolean =>
      ts >= calls.from &&
      ts < to &&
      provider === 'openai' &&
      environment === 'staging' &&
      cost_status === 'unpriced';
    const expected = events.map((event) => (isMeant(event) ? (repriced([event])[0] ?? event) : event));
    expect(await readCosts(world, project)).toEqual(recountCosts(expected));
  });

  test('a change planned with other prices is refused', async () => {
    const { project, reprice } = await prepare();
    await world.open.setPrice(project, `model of ${project.projectId}`, RATES);
    await expect(change(world, project, reprice)).rejects.toMatchObject({ status: 409 });
    if (reprice.kind === 'reprice')
      await expect(preview(project, reprice.pricesVersion)).rejects.toMatchObject({ status: 409 });
    expect(await readAll(world.open.store, project)).toEqual(recountAll(events));
  });
});
