import { expect, test } from 'bun:test';
import type { Contrast, ContrastQuery, Sides } from '../../src/core/events/contrast.ts';
import { ofProject } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { sum } from './support/recount.ts';
import { send } from './support/send.ts';

const WINDOWS = {
  baseline: { from: NOON - 3 * DAY_MS, to: NOON - DAY_MS },
  window: { from: NOON - DAY_MS, to: NOON + 1 },
};
const EVENTS = 600;

const isIn = ({ ts }: SentEvent, { from, to }: { from: number; to: number }): boolean =>
  ts >= from && ts < to;
const callsAndPart = (sides: Sides) => [
  sides.before.calls,
  sides.before.part,
  sides.after.calls,
  sides.after.part,
];
const add = (parts: readonly Sides[]): number[] =>
  [0, 1, 2, 3].map((i) => sum(parts.map((sides) => callsAndPart(sides)[i] ?? 0)));

/** The values of a dimension, by counting. */
function recount(events: readonly SentEvent[], nameOf: (event: SentEvent) => string | null) {
  const values = new Map<string | null, number[]>();
  for (const event of events) {
    const value = nameOf(event) || null;
    const own = values.get(value) ?? [0, 0, 0, 0];
    const offset = isIn(event, WINDOWS.window) ? 2 : isIn(event, WINDOWS.baseline) ? 0 : null;
    if (offset === null) continue;
    own[offset] = (own[offset] ?? 0) + 1;
    own[offset + 1] = (own[offset + 1] ?? 0) + (event.cost_nano ?? 0);
    values.set(value, own);
  }
  return values;
}

const DIMENSIONS = {
  model: ({ model }) => model,
  provider: ({ provider }) => provider,
  environment: ({ environment }) => environment,
  userId: ({ user_id }) => user_id,
  keyId: ({ key_id }) => key_id,
} as const satisfies Record<string, (event: SentEvent) => string | null>;

eachStore('two windows compared', { served: true }, (world) => {
  const query: ContrastQuery = {
    ...WINDOWS,
    filters: {},
    measure: { part: 'cost_nano', whole: null },
    values: 1_000,
  };

  test('each value has its calls and sums, and all parts add up, sealed or not', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    const events = randomEvents(TEST_SEED, EVENTS, NOON - 4 * DAY_MS, NOON);
    await send(store, project, events, createRandom(TEST_SEED));
    const calls = events.filter(({ is_call }) => is_call);
    const check = (contrast: Contrast): void => {
      expect(contrast.totals.after.calls).toBeGreaterThan(0);
      for (const [dimension, nameOf] of Object.entries(DIMENSIONS)) {
        const group = contrast.groups.find((one) => one.dimension === dimension);
        const found = new Map(group?.values.map((one) => [one.value, callsAndPart(one)]));
        expect([dimension, found]).toEqual([dimension, recount(calls, nameOf)]);
      }
      for (const { values, others } of contrast.groups)
        expect(add([...values, others])).toEqual(callsAndPart(contrast.totals));
      expect(add(contrast.cells)).toEqual(callsAndPart(contrast.totals));
    };
    check(await store.contrast(ofProject(project), query));
    await world.open.settle();
    check(await store.contrast(ofProject(project), query));
  });

  test('others have what is not listed, and a filter leaves out the rest', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    const events = randomEvents(TEST_SEED + 1, EVENTS, NOON - 4 * DAY_MS, NOON);
    await send(store, project, events, createRandom(TEST_SEED));
    const short = await store.contrast(ofProject(project), { ...query, values: 1 });
    const users = short.groups.find(({ dimension }) => dimension === 'userId');
    expect(users?.others.values).toBeGreaterThan(0);
    for (const { values, others } of short.groups)
      expect(add([...values, others])).toEqual(callsAndPart(short.totals));
    const filtered = await store.contrast(ofProject(project), {
      ...query,
      filters: { model: 'gpt-4o-mini' },
    });
    const wanted = events.filter(({ is_call }) => is_call).filter(({ model }) => model === 'gpt-4o-mini');
    expect(filtered.totals.after.calls).toBe(wanted.filter((event) => isIn(event, WINDOWS.window)).length);
    const slow = await store.contrast(ofProject(project), {
      ...query,
      measure: { of: 'latency', overMs: 400 },
    });
    const timed = events
      .filter(({ is_call }) => is_call)
      .filter((event) => isIn(event, WINDOWS.window) && event.latency_ms !== null);
    expect(slow.totals.after.whole).toBe(timed.length);
    expect(slow.totals.after.part).toBe(timed.filter(({ latency_ms }) => (latency_ms ?? 0) > 400).length);
  });
});
