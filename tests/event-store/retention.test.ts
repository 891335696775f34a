import { expect, test } from 'bun:test';
import { parseFilter } from '../../src/core/events/filter/contract.ts';
import { isPercentile, type Measure } from '../../src/core/events/measures.ts';
import type { AskedFigures } from '../../src/core/events/metrics.ts';
import type { Window } from '../../src/core/events/selection.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { type Everything, inOrder, readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { record, send } from './support/send.ts';
import { expectEqualSteps } from './support/series-steps.ts';
import { untilDone } from './support/until-done.ts';

const CUTOFF = NOON - 2 * DAY_MS - 1_234_567;
const NO_SIGNAL = new AbortController().signal;

/** What comes from the rows, and goes with them. */
const rowsOf = ({
  total,
  events,
  found,
  traces,
  trees,
  waterfalls,
  sessions,
  openSessions,
  conversations,
  accounts,
  tagged,
}: Everything) => ({
  total,
  events,
  found,
  traces,
  trees,
  waterfalls,
  sessions,
  openSessions,
  conversations,
  accounts,
  tagged,
});

/** What is added up, and stays. Without the rows a percentile is an estimate, and a moment is an hour. */
const sumsOf = ({
  totals,
  byDay,
  byHour,
  byModel,
  byLabel,
  users,
  eachUser,
  tags,
  models,
  unpriced,
  span,
}: Everything) => ({
  totals: withoutPercentiles(totals),
  byDay,
  byHour,
  byModel: byModel.map(withoutPercentiles),
  byLabel,
  users,
  eachUser,
  tags,
  models,
  unpriced: {
    ...unpriced,
    models: inOrder(unpriced.models.map(({ firstSeen: _, lastSeen: __, ...model }) => model)),
  },
  firstDay: span.firstDay,
});

const withoutPercentiles = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !isPercentile(name as Measure)));

eachStore('retention', {}, (world) => {
  const random = randomBelow();
  const events = randomEvents(TEST_SEED, 500 * ROUNDS, NOON - 5 * DAY_MS, NOON);
  const isKept = ({ ts }: SentEvent): boolean => ts >= CUTOFF;

  async function expectDeleted(project: ProjectScope, sent: readonly SentEvent[]): Promise<void> {
    const everything = await readAll(world.open.store, project);
    const left = recountAll(sent.filter(isKept));
    expect(rowsOf(everything)).toEqual(rowsOf(left));
    expect(everything.span.newest).toBe(left.span.newest);
    expect(sumsOf(everything)).toEqual(sumsOf(recountAll(sent)));
    await expectEqualSteps(world.open.store, project);
  }

  test('interrupted deletions remove the events before an instant and keep their sums', async () => {
    const [project, other] = [await world.newProject(), await world.newProject()];
    for (const one of [project, other]) await send(world.open.store, one, events, createRandom(TEST_SEED));
    await untilDone(random, async (signal) => {
      await world.open.store.deleteBefore(project, CUTOFF, { signal });
    });
    await expectDeleted(project, events);
    await world.open.settle();
    await world.reopen();
    await expectDeleted(project, events);
    expect(await readAll(world.open.store, other)).toEqual(recountAll(events));
  });

  test('percentiles of deleted events are within one per cent', async () => {
    const project = await world.newProject();
    const latencies = Array.from({ length: 500 }, (_, i) => Math.round(Math.exp(2 + i / 100) * 1000) / 1000);
    const calls = latencies.map((latency_ms) =>
      makeEvent({ ts: CUTOFF - 2 * HOUR_MS + random(HOUR_MS), latency_ms }),
    );
    await record(world.open.store, project, calls);
    await world.open.store.deleteBefore(project, CUTOFF, { signal: NO_SIGNAL });
    const { all } = await world.open.store.metrics(ofProject(project), {
      all: {
        measures: ['latencyP50', 'latencyP99', 'requests'],
        window: { from: CUTOFF - DAY_MS, to: CUTOFF },
      },
    });
    expect(all[0]?.requests).toBe(500);
    expect(Math.abs((all[0]?.latencyP50 ?? 0) / (latencies[249] ?? 1) - 1)).toBeLessThan(0.01);
    expect(Math.abs((all[0]?.latencyP99 ?? 0) / (latencies[494] ?? 1) - 1)).toBeLessThan(0.01);
  });

  test('figures that need deleted calls tell from when on they are complete', async () => {
    const project = await world.newProject();
    const empty = await world.newProject();
    const { store } = world.open;
    const last = CUTOFF - HOUR_MS;
    await record(store, project, [
      makeEvent({ ts: last, user_id: 'ada', agent: 'planner', session_id: 's' }),
      makeEvent({ ts: CUTOFF + 1, user_id: 'ada', agent: 'planner', session_id: 's' }),
    ]);
    const whole = { from: CUTOFF - DAY_MS, to: CUTOFF + DAY_MS };
    const after = { ...whole, from: CUTOFF };
    const measures = ['requests', 'cost'] as const;
    const ofAgent = { where: parseFilter('agent:planner') };
    const before = async (asked: AskedFigures, of = project): Promise<number | null> =>
      (await store.deleted(ofProject(of), asked)).before;
    const needs: readonly AskedFigures[] = [
      { metrics: { one: { measures, window: whole, groupBy: ['agent'] } } },
      { metrics: { one: { measures, window: whole, filters: ofAgent } } },
      {
        metrics: {
          sums: { measures, window: whole },
          one: { measures, window: whole, filters: { sessionId: 's' } },
        },
      },
      { groups: [{ measures, window: whole, groupBy: ['model', 'agent'], filters: {} }] },
      { runs: [{ window: whole }] },
    ];
    for (const asked of needs) expect(await before(asked)).toBeNull();
    await store.deleteBefore(project, CUTOFF, { signal: NO_SIGNAL });
    await world.open.settle();
    for (const asked of needs) {
      const found = await before(asked);
      expect(found).toBeGreaterThan(last);
      expect(found).toBeLessThanOrEqual(CUTOFF);
      expect(await before(asked, empty)).toBeNull();
    }
    const complete: readonly AskedFigures[] = [
      { metrics: { one: { measures, window: whole } } },
      {
        metrics: {
          one: { measures: ['requests', 'latencyP95'], window: whole, groupBy: ['model', 'status'] },
        },
      },
      { metrics: { one: { measures, window: whole, groupBy: ['userId'] } } },
      { metrics: { one: { measures, window: whole, groupBy: ['keyId'] } } },
      { metrics: { one: { measures, window: whole, filters: { userId: 'ada' } } } },
      { metrics: { one: { measures, window: after, groupBy: ['agent'] } } },
      { groups: [{ measures, window: whole, groupBy: ['model'], filters: {} }] },
      { groups: [{ measures, window: after, groupBy: ['agent'], filters: {} }] },
      { runs: [{ window: after }] },
    ];
    for (const asked of complete) expect(await before(asked)).toBeNull();
    // No event was ever in this window.
    const early = { from: CUTOFF - 9 * DAY_MS, to: CUTOFF - 8 * DAY_MS };
    expect(await before({ runs: [{ window: early }] })).toBeNull();
  });

  test('where sums of hours or days stand for deleted calls, figures count the times that are named as a whole', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    const times = Array.from({ length: 300 }, () => CUTOFF - 2 * DAY_MS + random(4 * DAY_MS));
    await record(
      store,
      project,
      times.map((ts) => makeEvent({ ts, user_id: 'ada' })),
    );
    await store.deleteBefore(project, CUTOFF, { signal: NO_SIGNAL });
    await world.open.settle();
    const measures = ['requests', 'cost'] as const;
    const queries = (window: Window) =>
      ({
        all: { measures, window },
        byModel: { measures, window, groupBy: ['model'], costsBy: '1m' },
        byHour: { measures, window, bucket: 'hour' },
        byKey: { measures, window, groupBy: ['keyId'] },
        byUser: { measures, window, groupBy: ['userId'] },
        ofUser: { measures, window, filters: { userId: 'ada' } },
      }) as const;
    for (let round = 0; round < 40; round++) {
      const from = CUTOFF - 3 * DAY_MS + random(4 * DAY_MS);
      const length = 1 + random(round % 2 === 0 ? 3 * HOUR_MS : 2 * DAY_MS);
      // An end is inclusive in requests: one at two o'clock is a millisecond later here, and takes no hour with it.
      const atHour = Math.floor((from + length) / HOUR_MS) * HOUR_MS + 1;
      const isAtHour = round % 3 === 0 && atHour - 1 > from;
      const window = { from, to: isAtHour ? atHour : from + length };
      const asked = queries(window);
      const found = await store.metrics(ofProject(project), asked);
      for (const [name, query] of Object.entries(asked)) {
        const { countedWhole } = await store.deleted(ofProject(project), { metrics: { [name]: query } });
        const counted = times.filter((ts) =>
          [window, ...countedWhole].some(({ from, to }) => ts >= from && ts < to),
        ).length;
        const rows: readonly { readonly requests: number }[] = found[name as keyof typeof found];
        const requests = rows.reduce((sum, row) => sum + row.requests, 0);
        if (isAtHour) expect(countedWhole).not.toContainEqual({ from: atHour - 1, to: atHour - 1 + HOUR_MS });
        expect({ round, name, window, requests }).toEqual({ round, name, window, requests: counted });
      }
    }
  });

  test('what retention left is in no figures by agent, and an erasure does not take it', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    const at = (ts: number, given: Partial<SentEvent>): SentEvent => ({
      ...makeEvent({ ts, cost_nano: 5_000, cost_status: 'client', ...given }),
      key_id: null,
    });
    const ada = { user_id: 'ada', agent: 'planner' };
    const calls = [at(CUTOFF - HOUR_MS, ada), at(CUTOFF + 1, ada), at(CUTOFF + 2, { agent: 'planner' })];
    await record(store, project, calls);
    const window = { from: CUTOFF - DAY_MS, to: CUTOFF + DAY_MS };
    const read = async () => {
      const measures = ['requests', 'cost'] as const;
      const found = await store.metrics(ofProject(project), {
        all: { measures, window },
        byAgent: { measures, window, groupBy: ['agent'] },
      });
      return [found.all[0]?.requests, found.byAgent.map(({ agent, requests }) => [agent, requests])];
    };
    await store.deleteBefore(project, CUTOFF, { signal: NO_SIGNAL });
    expect(await read()).toEqual([3, [['planner', 2]]]);
    await store.eraseUser(
      project,
      { userId: 'ada', name: 'erased user 1' },
      { signal: NO_SIGNAL, cursor: 0, effects: [] },
    );
    expect(await read()).toEqual([2, [['planner', 1]]]);
  });

  test('an event exactly as old is kept, and a late one is deleted by the next run', async () => {
    const project = await world.newProject();
    const task = { signal: NO_SIGNAL };
    const at = (ts: number): SentEvent => ({ ...makeEvent({ ts, cost_status: 'client' }), key_id: null });
    const sent = [at(CUTOFF - 1), at(CUTOFF), at(CUTOFF + 1)];
    await record(world.open.store, project, sent);
    await world.open.store.deleteBefore(project, CUTOFF, task);
    await expectDeleted(project, sent);
    const late = at(CUTOFF - 3 * DAY_MS);
    await record(world.open.store, project, [late]);
    const { total } = await readAll(world.open.store, project);
    expect(total).toBe(3);
    await world.open.store.deleteBefore(project, CUTOFF, task);
    await expectDeleted(project, [...sent, late]);
    const again = await world.open.store.deleteBefore(project, CUTOFF, task);
    expect(Object.values(again).every((rows) => rows === 0)).toBe(true);
  });
});
