import { expect, test } from 'bun:test';
import type { EventChange } from '../../src/core/events/change.ts';
import { type CallSelection, START } from '../../src/core/events/index.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import type { EffectCall } from '../../src/db/effects.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore, type World } from './each-store.ts';
import { IS_LONG, ROUNDS } from './harness.ts';
import { NOON } from './make-event.ts';
import { randomEvents, type SentEvent } from './random-events.ts';
import { readAll } from './read-all.ts';
import { sum } from './recount.ts';
import { recountAll } from './recount-all.ts';
import { send } from './send.ts';

/** USD per million tokens of gpt-4o, and so nano-dollars per token times a thousand. */
const RATES = { input: 7, output: 11 };
const CALLS: CallSelection = {
  from: 0,
  to: 8.64e15,
  model: 'gpt-4o',
  unpricedOnly: false,
  clientCosts: true,
};
const SLICES = 1_000;

/** Does slices until the end, or for `most` of them. Gives where the next one begins: null at the end. */
async function change(
  world: World,
  project: ProjectScope,
  what: EventChange,
  from: { readonly cursor?: string; readonly most?: number; readonly effects?: readonly EffectCall[] } = {},
): Promise<{ next: string | null; changed: number; gone: number; costNano: number }> {
  const random = randomBelow();
  const all = { changed: 0, gone: 0, costNano: 0 };
  let next: string | null = from.cursor ?? START;
  for (let slice = 0; next !== null && slice < (from.most ?? SLICES); slice++) {
    const done = await world.open.store.change(
      project,
      what,
      { cursor: next, rows: 1 + random(40) },
      from.effects,
    );
    all.changed += done.changed;
    all.gone += done.gone;
    all.costNano += done.costNano;
    next = done.next;
  }
  return { next, ...all };
}

/** Events as they are after the change: without the price, which the reads tell. */
const repriced = (events: readonly SentEvent[]): SentEvent[] =>
  events.map((event) => {
    if (!event.is_call || event.model !== 'gpt-4o') return event;
    const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = event.buckets;
    const input = fresh + cacheRead + cacheWrite5m + cacheWrite1h;
    const cost_nano = (input * RATES.input + (output + reasoning) * RATES.output) * 1000;
    return { ...event, cost_nano, cost_status: 'priced' };
  });
const costOf = (events: readonly SentEvent[]): number => sum(events.map(({ cost_nano }) => cost_nano ?? 0));

/** All that the reads tell but what names the price itself. */
async function readCosts(world: World, project: ProjectScope) {
  const { found, accounts: _, ...rest } = await readAll(world.open.store, project);
  return { ...rest, found: found.map((one) => one && { ...one, price: null }) };
}
function recountCosts(events: readonly SentEvent[]) {
  const { found, accounts: _, ...rest } = recountAll(events);
  return { ...rest, found: found.map((one) => one && { ...one, price: null }) };
}

eachStore('re-pricing stored calls', { served: IS_LONG }, (world) => {
  const events = randomEvents(TEST_SEED, 300 * ROUNDS, NOON - 4 * DAY_MS, NOON)
    .map((event) =>
      // A call that used nothing has no price that could be compared.
      ({
        ...event,
        buckets: { ...event.buckets, fresh: event.buckets.fresh + 1 },
        input_tokens: event.input_tokens + 1,
      }),
    )
    .map((event) =>
      event.cost_status === 'client' || !event.is_call
        ? event
        : { ...event, price: null, cost_status: 'unpriced' as const, cost_nano: null },
    );

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
