import { describe, expect, test } from 'bun:test';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { linkedEventId } from '../../src/lib/linked-event-id.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { countedOnce } from './support/counted-in.ts';
import { eachStore, type World } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { makeForest, makeSpan } from './support/make-forest.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { readAll, withoutTrees } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { record, shuffled } from './support/send.ts';
import { expectEqualSteps } from './support/series-steps.ts';

const FORESTS = 8;
const WAYS = 2;

/** Sends a forest in random batches in random order, some spans twice, with restarts and settling meanwhile. */
async function sendSpans(
  world: World,
  project: ProjectScope,
  forest: readonly SentEvent[],
  random: () => number,
): Promise<void> {
  const rest = shuffled([...forest, ...forest.filter(() => random() < 0.2)], random);
  let settling = Promise.resolve();
  while (rest.length > 0) {
    await record(world.open.store, project, rest.splice(0, 1 + Math.floor(random() * 6)), { spans: true });
    if (random() < 0.15) {
      await settling;
      settling = world.open.settle();
    }
    if (random() < 0.05) {
      await settling;
      await world.reopen();
    }
  }
  await settling;
}

const readSums = async (world: World, project: ProjectScope) =>
  withoutTrees(await readAll(world.open.store, project));
const recountSpans = (forest: readonly SentEvent[]) => withoutTrees(recountAll(countedOnce(forest)));

eachStore('counting a call once', {}, (world) => {
  describe('over the spans of a trace', () => {
    for (let place = 0; place < FORESTS * ROUNDS; place++) {
      test(`any order of spans, batches and restarts gives the same result as a recount: ${place}`, async () => {
        const random = createRandom(TEST_SEED + place);
        const forest = makeForest(random);
        const expected = recountSpans(forest);
        for (let way = 0; way < WAYS; way++) {
          const project = await world.newProject();
          await sendSpans(world, project, forest, random);
          expect(await readSums(world, project)).toEqual(expected);
          await expectEqualSteps(world.open.store, project);
        }
      });
    }
  });

  test('native events are not compared with each other or with spans', async () => {
    const project = await world.newProject();
    const trace = 'ab'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const native = ['11', '22'].map((id, place) => ({
      ...makeSpan(trace, id.repeat(8), { ...usage, parent_span_id: place === 0 ? null : '11'.repeat(8) }),
      event_id: crypto.randomUUID(),
    }));
    const other = makeSpan(trace, '33'.repeat(8), { ...usage, parent_span_id: '22'.repeat(8) });
    await record(world.open.store, project, native);
    await record(world.open.store, project, [other], { spans: true });
    expect(await readAll(world.open.store, project)).toEqual(recountAll([...native, other]));
  });

  test('an event of the SDK inside an OTLP span of the call counts, whichever is stored first', async () => {
    const trace = 'ba'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const outer = makeSpan(trace, '11'.repeat(8), usage);
    const inner = {
      ...makeSpan(trace, '22'.repeat(8), { ...usage, parent_span_id: '11'.repeat(8), user_id: 'ada' }),
      event_id: linkedEventId(trace, '22'.repeat(8)) ?? '',
    };
    /** Below it, as the HTTP instrumentation of a provider would send it. */
    const innermost = makeSpan(trace, '33'.repeat(8), { ...usage, parent_span_id: '22'.repeat(8) });
    const native = { ...makeSpan(trace, '44'.repeat(8), usage), event_id: crypto.randomUUID() };
    const expected = recountAll([
      { ...outer, is_call: false },
      inner,
      { ...innermost, is_call: false },
      native,
    ]);
    for (const isFirst of [true, false]) {
      const project = await world.newProject();
      const { store } = world.open;
      // A batch may hold both kinds of native events.
      if (isFirst) await record(store, project, [native, inner]);
      await record(store, project, [innermost, outer], { spans: true });
      if (!isFirst) await record(store, project, [native, inner]);
      expect(await readAll(store, project)).toEqual(expected);
      expect(await record(store, project, [native, inner])).toMatchObject({ stored: 0, duplicates: 2 });
      expect(await readAll(store, project)).toEqual(expected);
    }
  });

  test('spans at the two ends of two days are of one trace', async () => {
    const trace = 'bc'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const day = Math.floor(NOON / DAY_MS) * DAY_MS;
    const outer = makeSpan(trace, '11'.repeat(8), { ...usage, ts: day });
    const inner = makeSpan(trace, '22'.repeat(8), {
      ...usage,
      ts: day + 2 * DAY_MS - 1,
      parent_span_id: '11'.repeat(8),
    });
    for (const order of [
      [outer, inner],
      [inner, outer],
    ]) {
      const project = await world.newProject();
      for (const span of order) {
        await record(world.open.store, project, [span], { spans: true });
        await world.open.settle();
        await world.reopen();
      }
      expect(await readSums(world, project)).toEqual(recountSpans([outer, inner]));
    }
  });

  test('a ring of parents that closes later is cut, and calls below it count again', async () => {
    const project = await world.newProject();
    const trace = 'cd'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const ring = ['11', '22', '33'].map((id, place, all) =>
      makeSpan(trace, id.repeat(8), {
        ts: NOON + place,
        parent_span_id: (all.at(place - 1) as string).repeat(8),
        ...(place === 2 ? usage : { kind: 'agent', is_call: false, cost_nano: null, cost_status: null }),
      }),
    );
    const below = makeSpan(trace, '44'.repeat(8), { ...usage, ts: NOON + 9, parent_span_id: '11'.repeat(8) });
    const [first, middle, call] = ring as [SentEvent, SentEvent, SentEvent];
    // Without the span in the middle, the call is above the other one.
    for (const one of [below, first, call, middle])
      await record(world.open.store, project, [one], { spans: true });
    const expected = recountSpans([...ring, below]);
    expect(expected.totals.requests).toBe(2);
    expect(await readSums(world, project)).toEqual(expected);
  });

  test('a refused batch changes nothing', async () => {
    const project = await world.newProject();
    const trace = 'cd'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const inner = makeSpan(trace, '22'.repeat(8), { ...usage, parent_span_id: '11'.repeat(8) });
    const outer = makeSpan(trace, '11'.repeat(8), usage);
    await record(world.open.store, project, [inner], { spans: true });
    const refused = record(world.open.store, project, [outer], {
      spans: true,
      effects: [world.open.effects.refuse()],
    });
    await expect(refused).rejects.toMatchObject({ status: 409 });
    expect(await readAll(world.open.store, project)).toEqual(recountAll([inner]));
    await record(world.open.store, project, [outer], { spans: true });
    expect(await readAll(world.open.store, project)).toEqual(
      recountAll([outer, { ...inner, is_call: false }]),
    );
  });

  test('spans of another project are never related', async () => {
    const [one, other] = [await world.newProject(), await world.newProject()];
    const events = randomEvents(TEST_SEED, 5, NOON - DAY_MS, NOON);
    const trace = 'ef'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const [outer, inner] = [
      makeSpan(trace, '11'.repeat(8), usage),
      makeSpan(trace, '22'.repeat(8), { ...usage, parent_span_id: '11'.repeat(8) }),
    ];
    await record(world.open.store, one, [outer], { spans: true });
    await record(world.open.store, other, [inner], { spans: true });
    await record(
      world.open.store,
      one,
      events.map((event) => ({ ...event, key_id: null })),
    );
    expect(await readAll(world.open.store, other)).toEqual(recountAll([inner]));
  });
});
