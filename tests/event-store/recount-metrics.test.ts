import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isPercentile, type Measure } from '../../src/core/events/measures.ts';
import {
  BUCKET_MS,
  type Bucket,
  type Dimension,
  EVENT_DIMENSIONS,
  type MetricsQueries,
  OTHER,
} from '../../src/core/events/metrics.ts';
import type { Window } from '../../src/core/events/selection.ts';
import { ofProject, ofProjects, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { anInstant, aWindow, SPAN, someFilters } from './support/arbitrary.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { ALL_MEASURES, inOrder, LABEL_DIMENSIONS, LABEL_MEASURES, MEASURES } from './support/read-all.ts';
import { matches, recount, sum } from './support/recount.ts';
import { rowsByLabel } from './support/recount-all.ts';
import { send } from './support/send.ts';
import { expectEqualSteps } from './support/series-steps.ts';

const EVENTS = 1_500;
const DIMENSIONS: readonly Dimension[] = [...EVENT_DIMENSIONS, ...LABEL_DIMENSIONS];

const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const groupBy = fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 2 });
const bucket = maybe<Bucket>(['hour', 'day']);
const question = fc.record({
  filters: someFilters,
  window: aWindow,
  groupBy,
  bucket,
  guardrails: fc.boolean(),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

/** Sums of doubles depend on their order. */
function expectClose(name: Measure, actual: number, expected: number): void {
  const tolerance = isPercentile(name) ? 0 : 1e-9 * Math.max(1, Math.abs(expected));
  if (Math.abs(actual - expected) > tolerance) throw new Error(`${name}: ${actual}, recounted ${expected}`);
}

eachStore('metrics', {}, (world) => {
  const sent = new Map<ProjectScope, SentEvent[]>();
  let first: ProjectScope;
  let second: ProjectScope;
  let third: ProjectScope;
  beforeAll(async () => {
    [first, second, third] = [await world.newProject(), await world.newProject(), await world.newProject()];
    // Half of the events of one project are settled before the others come.
    for (const [place, project] of [second, first].entries()) {
      const seed = TEST_SEED + place;
      const events = randomEvents(seed, EVENTS, NOON - SPAN, NOON);
      sent.set(project, events);
      const older = place === 0 ? EVENTS / 2 : 0;
      await send(world.open.store, project, events.slice(0, older), createRandom(seed));
      if (older > 0) await world.open.settle();
      await send(world.open.store, project, events.slice(older), createRandom(seed + 1));
    }
  });

  async function expectRecount(
    projects: readonly ProjectScope[],
    { bucket, guardrails, ...asked }: Question,
  ): Promise<void> {
    const measures = guardrails ? ALL_MEASURES : MEASURES;
    const query = { ...asked, measures, ...(bucket === undefined ? {} : { bucket }) };
    const scope = ofProjects(projects);
    const { rows } = await world.open.store.metrics(scope, { rows: query });
    const events = projects.flatMap((project) => sent.get(project) ?? []);
    const bucketMs = bucket === undefined ? null : BUCKET_MS[bucket];
    const expected = recount(events, { ...asked, bucketMs, guardrails });
    const keyOf = (row: (typeof rows)[number]): string =>
      JSON.stringify([row.time, ...asked.groupBy.map((name) => row[name])]);
    expect(rows.map(keyOf).sort()).toEqual([...expected.keys()].sort());
    for (const row of rows) {
      const wanted = expected.get(keyOf(row));
      for (const name of measures) expectClose(name, row[name], wanted?.[name] ?? Number.NaN);
    }
  }

  const states: readonly [string, () => Promise<void>][] = [
    ['as they came', async () => {}],
    ['settled', () => world.open.settle()],
    ['opened anew', () => world.reopen()],
  ];
  for (const [state, reach] of states) {
    test(`any window, filters, groups and buckets equal a recount: ${state}`, async () => {
      await reach();
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(first, second), question, async (project, asked) =>
          expectRecount([project], asked),
        ),
        { numRuns: 50 * ROUNDS },
      );
      await fc.assert(
        fc.asyncProperty(question, async (asked) => expectRecount([first, second, third], asked)),
        { numRuns: 10 * ROUNDS },
      );
    });
  }

  test('costs by key, tag and user equal a recount for any window', async () => {
    const dimension = fc.constantFrom('userId', 'keyId', 'tag:team', 'tag:tier');
    await fc.assert(
      fc.asyncProperty(aWindow, dimension, async (window, name) => {
        const query = { measures: LABEL_MEASURES, window, groupBy: [name], costsBy: 'day' } as const;
        const { rows } = await world.open.store.metrics(ofProject(first), { rows: query });
        const calls = (sent.get(first) ?? []).filter((event) => event.is_call && matches(event, {}, window));
        expect(inOrder<object>(rows)).toEqual(inOrder(rowsByLabel(calls, name, window)));
      }),
      { numRuns: 30 * ROUNDS },
    );
  });

  test("one user's calls in total and by day equal a recount for any window", async () => {
    const user = fc.constantFrom('user-1', 'user-2', 'unheard-of');
    await fc.assert(
      fc.asyncProperty(aWindow, user, maybe<Bucket>(['day']), async (window, userId, bucket) => {
        const asked = { filters: { userId }, window, groupBy: [] as const };
        const query = { ...asked, measures: LABEL_MEASURES, ...(bucket && { bucket }) };
        const { rows } = await world.open.store.metrics(ofProjects([first, second]), { rows: query });
        const events = [first, second].flatMap((project) => sent.get(project) ?? []);
        const expected = recount(events, { ...asked, bucketMs: bucket ? BUCKET_MS[bucket] : null });
        expect(rows.map(({ time }) => JSON.stringify([time])).sort()).toEqual([...expected.keys()].sort());
        for (const row of rows)
          for (const name of LABEL_MEASURES)
            expectClose(name, row[name], expected.get(JSON.stringify([row.time]))?.[name] ?? Number.NaN);
      }),
      { numRuns: 40 * ROUNDS },
    );
  });

  test('adjoining windows add up to the whole', async () => {
    const requests = async (window: Window): Promise<number> => {
      const { all } = await world.open.store.metrics(ofProject(first), {
        all: { measures: ['requests'], window },
      });
      return all[0]?.requests ?? Number.NaN;
    };
    await fc.assert(
      fc.asyncProperty(anInstant, anInstant, anInstant, async (a, b, c) => {
        const [from = a, middle = b, to = c] = [a, b, c].sort((x, y) => x - y);
        const [whole, ...parts] = await Promise.all(
          [
            { from, to },
            { from, to: middle },
            { from: middle, to },
          ].map(requests),
        );
        expect(sum(parts)).toBe(whole ?? Number.NaN);
      }),
      { numRuns: 25 * ROUNDS },
    );
  });

  test('an empty project has one row of zeros without groups and no row with groups', async () => {
    const window = { from: 0, to: NOON };
    const answers = await world.open.store.metrics(ofProject(third), {
      totals: { measures: ALL_MEASURES, window },
      days: { measures: ['cost'], window, bucket: 'day' },
      models: { measures: ['cost'], window, groupBy: ['model'] },
      keys: { measures: ['cost'], window, groupBy: ['keyId'] },
      users: { measures: ['cost'], window, groupBy: ['userId'] },
    });
    const { totals, ...groups } = answers;
    expect(totals.map((row) => ALL_MEASURES.map((name) => row[name]))).toEqual([ALL_MEASURES.map(() => 0)]);
    expect(groups).toEqual({ days: [], models: [], keys: [], users: [] });
  });

  test('models without a price, and when they were called, equal a recount for any filters', async () => {
    // Where roll-ups filter, the first and last time are looked for in whole hours.
    const window = { from: NOON - SPAN - HOUR_MS, to: NOON + HOUR_MS };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(first, second), someFilters, async (project, filters) => {
        const found = await world.open.store.unpriced(ofProject(project), { window, filters, limit: 100 });
        const calls = (sent.get(project) ?? []).filter(
          (event) => event.is_call && matches(event, filters, window),
        );
        const without = calls.filter(({ cost_status }) => cost_status === 'unpriced');
        expect([found.requests, found.unpriced]).toEqual([calls.length, without.length]);
        const keyOf = ({ provider, model }: { provider: string | null; model: string | null }): string =>
          JSON.stringify([provider, model]);
        const expected = [...Map.groupBy(without, keyOf)].map(([key, own]) => {
          const times = own.map(({ ts }) => ts);
          return [key, own.length, Math.min(...times), Math.max(...times)];
        });
        const actual = found.models.map((row) => [keyOf(row), row.unpriced, row.firstSeen, row.lastSeen]);
        expect(actual.sort()).toEqual(expected.sort());
      }),
      { numRuns: 25 * ROUNDS },
    );
  });

  test('a window that ends before it begins is empty', async () => {
    const window = { from: NOON, to: NOON - 5 };
    const { all } = await world.open.store.metrics(ofProject(first), {
      all: { measures: ['requests'], window },
    });
    expect(all.map(({ requests }) => requests)).toEqual([0]);
  });

  test('several questions in one call give the same answers as separate calls', async () => {
    const window = { from: NOON - SPAN + 1234, to: NOON - 98_765 };
    const of = { window, filters: { status: ['success', 'error'] } } as const;
    const scope = ofProjects([first, second]);
    const questions: MetricsQueries = {
      totals: { ...of, measures: ['requests', 'cost', 'latencyAvg', 'cacheRate'] },
      days: { ...of, measures: ['errors', 'cost'], bucket: 'day' },
      models: { ...of, measures: ['cost', 'unpriced'], groupBy: ['model'] },
      both: { ...of, measures: ['requests', 'latencyP90'], groupBy: ['status', 'provider'], bucket: 'day' },
      series: { ...of, measures: ['cost'], groupBy: ['model'], costsBy: 'day' },
    };
    const together = await world.open.store.metrics(scope, questions);
    for (const [name, query] of Object.entries(questions)) {
      const { alone } = await world.open.store.metrics(scope, { alone: query });
      expect(together[name]).toEqual(alone);
    }
  });

  test('the top groups and the rest add up to the total', async () => {
    const window = { from: NOON - SPAN, to: NOON };
    const calls = (sent.get(first) ?? []).filter(({ is_call }) => is_call);
    for (const [dimension, most] of [
      ['model', 1],
      ['userId', 2],
      ['keyId', 1],
      ['tag:team', 2],
    ] as const) {
      const query = {
        window,
        measures: ['cost', 'requests'],
        groupBy: [dimension],
        top: most,
        costsBy: 'day',
      } as const;
      const { rows } = await world.open.store.metrics(ofProject(first), { rows: query });
      const others = rows.filter((row) => row.others !== undefined);
      expect([dimension, others.length]).toEqual([dimension, 1]);
      expect(sum(rows.map((row) => row.requests))).toBe(calls.length);
      const cost = sum(calls.map(({ cost_nano }) => cost_nano ?? 0)) / 1e9;
      expectClose('cost', sum(rows.map((row) => row.cost)), cost);
      expectClose('cost', sum(rows.flatMap((row) => row.costs)), cost);
      const named = rows.filter((row) => row[dimension] !== null && row.others === undefined);
      // The calls without a value may be one of the groups.
      expect([most - 1, most]).toContain(named.length);
      const costs = named.map((row) => row.cost);
      expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    }
  });

  test('the first groups by calls of two dimensions, and the rest as one', async () => {
    const window = { from: NOON - SPAN, to: NOON };
    const measures = ['requests', 'unpriced'] as const;
    for (const topBy of ['requests', 'unpriced'] as const) {
      const { all, top } = await world.open.store.metrics(ofProject(first), {
        all: { window, measures, groupBy: ['model', 'status'] },
        top: { window, measures, groupBy: ['model', 'status'], top: 3, topBy },
      });
      const ranks = all.map((row) => row[topBy]).sort((a, b) => b - a);
      const own = top.filter(({ others }) => others === undefined);
      expect([topBy, own.map((row) => row[topBy])]).toEqual([topBy, ranks.slice(0, 3)]);
      expect(all).toEqual(expect.arrayContaining(own));
      const [rest] = top.filter(({ others }) => others !== undefined);
      expect(rest).toMatchObject({ others: all.length - 3, model: OTHER });
      for (const measure of measures)
        expect(sum(top.map((row) => row[measure]))).toBe(sum(all.map((row) => row[measure])));
    }
  });

  test('a series has the same sums as the metrics by hour, whatever the filters and the dimension', async () => {
    const sums = ['requests', 'errors', 'cost_nano', 'output_tokens', 'latency_count'] as const;
    const one = fc.record({ filters: someFilters, dimension: maybe(DIMENSIONS) });
    const check = async ({ filters, dimension }: { filters: object; dimension: Dimension | undefined }) => {
      const window = { from: NOON - SPAN, to: NOON };
      const scope = ofProject(first);
      const groupBy = dimension === undefined ? [] : [dimension];
      const { rows } = await world.open.store.metrics(scope, {
        rows: { filters, groupBy, window, bucket: 'hour', measures: ['requests', 'errors', 'outputTokens'] },
      });
      const query = {
        shapes: [{ filters, groupBy: dimension ?? null, sums, times: ['latency' as const] }],
        ranges: [{ ...window, step: BUCKET_MS.hour, shapes: [0] }],
      };
      const [part] = (await world.open.store.series(scope, query)).parse();
      const { cells = [], groups = [], times = [] } = part ?? {};
      const found = Array.from({ length: times.length }, (_, place) => {
        const [step = 0, group = 0, ...values] = cells.slice(place * 7, place * 7 + 7);
        const timed = (times[place] ?? []).reduce((all, value, i) => all + (i % 2 === 0 ? 0 : value), 0);
        expect(timed).toBe(values[4] ?? 0);
        return [step * BUCKET_MS.hour, groups[group], values[0], values[1], values[3]].join();
      });
      const expected = rows.map((row) =>
        [
          row.time,
          (dimension === undefined ? null : row[dimension as keyof typeof row]) ?? '',
          row.requests,
          row.errors,
          row.outputTokens,
        ].join(),
      );
      expect(found.sort()).toEqual(expected.sort());
    };
    await fc.assert(fc.asyncProperty(one, check), { seed: TEST_SEED, numRuns: ROUNDS });
  });

  test('hours and days of a series, which may come from sums, are those of its minutes, which come from events', async () => {
    const sums = ['requests', 'errors', 'cost_nano', 'input_tokens', 'guardrail_checks'] as const;
    const one = fc.record({
      filters: someFilters,
      dimension: maybe(DIMENSIONS),
      time: fc.constantFrom('latency' as const, 'ttft' as const),
      guardrails: fc.boolean(),
    });
    type Case = typeof one extends fc.Arbitrary<infer T> ? T : never;
    const check = ({ filters, dimension, time, guardrails }: Case): Promise<void> =>
      expectEqualSteps(world.open.store, first, [
        {
          filters,
          groupBy: dimension ?? null,
          sums: sums.filter((sum) => guardrails || sum !== 'guardrail_checks'),
          times: [time],
        },
      ]);
    await fc.assert(fc.asyncProperty(one, check), { seed: TEST_SEED, numRuns: ROUNDS });
  });
});
