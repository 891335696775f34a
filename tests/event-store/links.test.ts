import { describe, expect, test } from 'bun:test';
import { START } from '../../src/core/events/index.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore, type World } from './support/each-store.ts';
import { expectLinks } from './support/expect-links.ts';
import { ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { makeForest, makeSpan } from './support/make-forest.ts';
import type { SentEvent } from './support/random-events.ts';
import { type LinkedEvent, linksIn } from './support/recount-links.ts';
import { CALLS, change, RATES, repriced } from './support/reprice.ts';
import { record, shuffled } from './support/send.ts';

const NO_SIGNAL = new AbortController().signal;
/** Traces of agents and tools: steps, agents as tools, calls that name another agent, native events among spans. */
function makeRuns(random: () => number): { events: SentEvent[]; native: Set<string> } {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const native = new Set<string>();
  const events = makeForest(random).map((one) => {
    const kind = random() < 0.25 ? 'tool' : one.kind;
    const isNative = random() < 0.2;
    const event_id = isNative ? crypto.randomUUID() : one.event_id;
    if (isNative) native.add(event_id);
    return {
      ...one,
      event_id,
      kind,
      ...(kind === 'tool'
        ? {
            is_call: false,
            cost_nano: null,
            cost_status: null,
            tool: random() < 0.9 ? pick(['search', 'sql']) : null,
          }
        : {}),
      agent: random() < (kind === 'agent' ? 0.9 : 0.2) ? pick(['planner', 'worker', 'critic']) : null,
      release: pick(['1', '2', null]),
      agent_version: pick(['1.0', '2.0', null, null]),
      prompt_name: random() < 0.3 ? 'answer' : null,
      prompt_version: random() < 0.3 ? pick(['3', '4']) : null,
    } as SentEvent;
  });
  return { events, native };
}

async function sendRuns(
  world: World,
  project: ProjectScope,
  { events, native }: ReturnType<typeof makeRuns>,
  random: () => number,
): Promise<void> {
  const rest = shuffled([...events, ...events.filter(() => random() < 0.2)], random);
  let settling = Promise.resolve();
  while (rest.length > 0) {
    const some = rest.splice(0, 1 + Math.floor(random() * 6));
    const isNative = ({ event_id }: SentEvent): boolean => native.has(event_id);
    const [own, spans] = [some.filter(isNative), some.filter((one) => !isNative(one))];
    if (own.length > 0) await record(world.open.store, project, own);
    if (spans.length > 0) await record(world.open.store, project, spans, { spans: true });
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

eachStore('what agents and tools call', {}, (world) => {
  describe('over the events of a trace', () => {
    for (let place = 0; place < 8 * ROUNDS; place++) {
      test(`any order of events, batches and restarts gives the same sums as a recount: ${place}`, async () => {
        const random = createRandom(TEST_SEED + place);
        const runs = makeRuns(random);
        const links = linksIn(runs.events, ({ event_id }) => runs.native.has(event_id));
        for (let way = 0; way < 2; way++) {
          const project = await world.newProject();
          await sendRuns(world, project, runs, random);
          await expectLinks(world.open.store, project, links);
          if (way > 0) continue;
          await world.open.settle();
          await expectLinks(world.open.store, project, links);
        }
      });
    }
  });

  test('new prices, erasure of a user and retention change the sums as they change the events', async () => {
    const random = createRandom(TEST_SEED);
    const project = await world.newProject();
    const made = Array.from({ length: 12 }, () => makeRuns(random));
    const runs = {
      // A call that used nothing has no price.
      events: made
        .flatMap(({ events }) => events)
        .map((one) => ({
          ...one,
          input_tokens: one.input_tokens + 1,
          buckets: { ...one.buckets, fresh: one.buckets.fresh + 1 },
        })),
      native: new Set(made.flatMap(({ native }) => [...native])),
    };
    const ofRuns = (events: readonly SentEvent[]): LinkedEvent[] => {
      const byId = new Map(events.map((one) => [one.event_id, one]));
      return linksIn(runs.events, ({ event_id }) => runs.native.has(event_id)).flatMap((link) => {
        const event = byId.get(link.event.event_id);
        return event === undefined ? [] : [{ ...link, event }];
      });
    };
    await sendRuns(world, project, runs, random);
    await world.open.setPrice(project, 'gpt-4o', RATES);
    const from = { cursor: START, pricesVersion: null };
    const { pricesVersion } = await world.open.store.previewReprice(project, CALLS, from);
    await change(world, project, { kind: 'reprice', id: 'r1', calls: CALLS, pricesVersion });
    const priced = repriced(runs.events);
    await expectLinks(world.open.store, project, ofRuns(priced));
    const ada = { userId: 'ada', name: 'erased user 1' };
    await world.open.store.eraseUser(project, ada, { signal: NO_SIGNAL, cursor: 0, effects: [] });
    const left = priced.filter(({ user_id }) => user_id !== 'ada');
    await expectLinks(world.open.store, project, ofRuns(left));
    await world.open.store.deleteBefore(project, NOON + 20 * HOUR_MS, { signal: NO_SIGNAL });
    // Sums outlive the events that retention deletes.
    await expectLinks(world.open.store, project, ofRuns(left), { withRuns: false });
  });

  test('agents and tools are seen from the first to the last hour with a call', async () => {
    const project = await world.newProject();
    const trace = 'ab'.repeat(16);
    const spans = ['planner', 'planner', 'critic'].map((agent, place) =>
      makeSpan(trace.replaceAll('a', String(place)), '11'.repeat(8), {
        ts: NOON + place * DAY_MS + 1,
        kind: 'agent',
        is_call: false,
        cost_nano: null,
        cost_status: null,
        agent,
      }),
    );
    await record(world.open.store, project, spans.slice(0, 2), { spans: true });
    await world.open.settle();
    await record(world.open.store, project, spans.slice(2), { spans: true });
    const times = await world.open.store.linkTimes(ofProject(project));
    expect([...times].sort((a, b) => a.first - b.first)).toEqual([
      { kind: 'agent', name: 'planner', first: NOON, last: NOON + DAY_MS },
      { kind: 'agent', name: 'critic', first: NOON + 2 * DAY_MS, last: NOON + 2 * DAY_MS },
    ]);
    const other = await world.newProject();
    expect(await world.open.store.linkTimes(ofProject(other))).toEqual([]);
  });
});
