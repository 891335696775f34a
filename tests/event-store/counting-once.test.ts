import { describe, expect, test } from 'bun:test';
import { spanEventId } from '../../src/core/events/index.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { countedIn } from './counted-in.ts';
import { eachStore, type World } from './each-store.ts';
import { ROUNDS } from './harness.ts';
import { makeEvent, NOON } from './make-event.ts';
import { MODELS, randomEvents, type SentEvent } from './random-events.ts';
import { type Everything, readAll } from './read-all.ts';
import { recountAll } from './recount-all.ts';
import { record, shuffled } from './send.ts';

const FORESTS = 8;
const WAYS = 2;

type Random = () => number;
const int = (random: Random, max: number): number => Math.floor(random() * max);
const hexId = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => int(random, 16).toString(16)).join('');

const span = (trace: string, id: string, given: Partial<SentEvent>): SentEvent => ({
  ...makeEvent({
    event_id: spanEventId(trace, id),
    trace_id: trace,
    span_id: id,
    cost_status: 'client',
    ...given,
  }),
  key_id: null,
});

/** Wrappers over SDK spans, agents that repeat sums, retries, rings, missing parents: some traces of them. */
function makeForest(random: Random): SentEvent[] {
  return Array.from({ length: 1 + int(random, 3) }, () => {
    const trace = hexId(random, 32);
    const ids = Array.from({ length: 1 + int(random, 14) }, () => hexId(random, 16));
    return ids.map((id, place) => makeSpan(random, trace, { ids, id, place }));
  }).flat();
}

type Place = { readonly ids: readonly string[]; readonly id: string; readonly place: number };

function makeSpan(random: Random, trace: string, { ids, id, place }: Place): SentEvent {
  const kind = (['llm', 'llm', 'llm', 'embedding', 'agent', 'span'] as const)[int(random, 6)] ?? 'llm';
  const is_call = kind === 'llm' || kind === 'embedding';
  // Mostly an earlier span; sometimes any, itself included, or one that never comes.
  const dice = random();
  const parent =
    dice < 0.75 ? ids[int(random, place)] : dice < 0.9 ? ids[int(random, ids.length)] : hexId(random, 16);
  const [provider, model] = is_call ? (MODELS[int(random, MODELS.length)] ?? MODELS[0]) : [null, null];
  const fresh = random() < 0.4 ? 0 : int(random, 900);
  return span(trace, id, {
    ts: NOON + int(random, 30) * HOUR_MS + int(random, 3),
    parent_span_id: place === 0 || parent === undefined ? null : parent,
    kind,
    provider,
    model,
    status: random() < 0.8 ? 'success' : 'rate_limited',
    latency_ms: random() < 0.2 ? null : int(random, 500),
    input_tokens: fresh,
    buckets: { ...makeEvent().buckets, fresh },
    is_call,
    user_id: random() < 0.5 ? 'ada' : null,
    session_id: random() < 0.5 ? 'chat' : null,
    cost_nano: is_call ? int(random, 1e7) : null,
    cost_status: is_call ? 'client' : null,
  });
}

/** Sends a forest in random batches in random order, some spans twice, with restarts in between. */
async function sendSpans(
  world: World,
  project: ProjectScope,
  forest: readonly SentEvent[],
  random: Random,
): Promise<void> {
  const rest = shuffled([...forest, ...forest.filter(() => random() < 0.2)], random);
  while (rest.length > 0) {
    await record(world.open.store, project, rest.splice(0, 1 + int(random, 6)), { spans: true });
    if (random() < 0.05) await world.open.settle();
    if (random() < 0.05) await world.reopen();
  }
}

/** Without the trees: they show rings of parents, which the recount of trees does not know. */
const withoutTrees = ({ trees: _, waterfalls: __, traces: ___, ...rest }: Everything) => rest;
const readSums = async (world: World, project: ProjectScope) =>
  withoutTrees(await readAll(world.open.store, project));
const recountSpans = (forest: readonly SentEvent[]) => {
  const counted = new Set(countedIn(forest));
  return withoutTrees(recountAll(forest.map((one) => (counted.has(one) ? one : { ...one, is_call: false }))));
};

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
        }
      });
    }
  });

  test('native events are not compared with each other or with spans', async () => {
    const project = await world.newProject();
    const trace = 'ab'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const native = ['11', '22'].map((id, place) => ({
      ...span(trace, id.repeat(8), { ...usage, parent_span_id: place === 0 ? null : '11'.repeat(8) }),
      event_id: crypto.randomUUID(),
    }));
    const other = span(trace, '33'.repeat(8), { ...usage, parent_span_id: '22'.repeat(8) });
    await record(world.open.store, project, native);
    await record(world.open.store, project, [other], { spans: true });
    expect(await readAll(world.open.store, project)).toEqual(recountAll([...native, other]));
  });

  test('a refused batch changes nothing', async () => {
    const project = await world.newProject();
    const trace = 'cd'.repeat(16);
    const usage = { input_tokens: 5, buckets: { ...makeEvent().buckets, fresh: 5 } };
    const inner = span(trace, '22'.repeat(8), { ...usage, parent_span_id: '11'.repeat(8) });
    const outer = span(trace, '11'.repeat(8), usage);
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
      span(trace, '11'.repeat(8), usage),
      span(trace, '22'.repeat(8), { ...usage, parent_span_id: '11'.repeat(8) }),
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
