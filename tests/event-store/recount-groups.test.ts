import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_DIMENSIONS, type GroupFigures, type GroupsQuery } from '../../src/core/events/metrics.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import type { BucketName } from '../../src/lib/time-buckets.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { someFilters } from './support/arbitrary.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { LABEL_DIMENSIONS, MEASURES } from './support/read-all.ts';
import { dimensionOf, matches } from './support/recount.ts';
import { send } from './support/send.ts';
import { aWindow, BUCKETS, expectFigures, FROM, figureOf, nameOf, TO, ZONES } from './support/zones.ts';

const dimensions = fc.constantFrom(...EVENT_DIMENSIONS, ...LABEL_DIMENSIONS);
const question = fc.record({
  measures: fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 4 }),
  groupBy: fc.uniqueArray(dimensions, { maxLength: 2 }),
  filters: someFilters,
  window: aWindow,
  bucket: fc.constantFrom<BucketName | undefined>(undefined, ...BUCKETS),
  timeZone: fc.constantFrom(...ZONES),
  keep: fc.record({
    by: fc.constantFrom(...MEASURES),
    direction: fc.constantFrom('desc' as const, 'asc' as const),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
});
const NONE: readonly SentEvent[] = [];
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const toQuery = ({ bucket, ...asked }: Question): GroupsQuery => ({
  ...asked,
  ...(bucket === undefined ? {} : { bucket }),
});

eachStore('groups', {}, (world) => {
  let project: ProjectScope;
  const events = randomEvents(TEST_SEED, 900, FROM, TO);
  const callsOf = ({ filters, window }: Pick<GroupsQuery, 'filters' | 'window'>): SentEvent[] =>
    events.filter((event) => event.is_call && matches(event, filters, window));
  const keyOf = (event: SentEvent, { groupBy }: Pick<GroupsQuery, 'groupBy'>): string =>
    JSON.stringify(groupBy.map((name) => dimensionOf(event, name)));

  beforeAll(async () => {
    project = await world.newProject();
    const half = events.length / 2;
    await send(world.open.store, project, events.slice(0, half), createRandom(TEST_SEED));
    await world.open.settle();
    await send(world.open.store, project, events.slice(half), createRandom(TEST_SEED + 1));
  });

  function expectGroup(
    asked: Question,
    calls: readonly SentEvent[],
    found: GroupFigures,
    times: readonly number[],
  ) {
    expectFigures(asked.measures, calls, found.values);
    const within = Map.groupBy(calls, ({ ts }) => times.findLastIndex((start) => start <= ts));
    for (const step of times.slice(0, -1).keys())
      expectFigures(
        asked.measures,
        within.get(step) ?? NONE,
        found.series?.map((values) => values[step] ?? null) ?? [],
      );
  }

  test('the first groups, the others, all calls and their series equal a recount', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { keep, groupBy, bucket, timeZone, window } = asked;
        const answer = await world.open.store.groups(ofProject(project), toQuery(asked));
        const calls = callsOf(asked);
        const all = Map.groupBy(calls, (call) => keyOf(call, asked));
        const kept = answer.groups.map(({ key }) => JSON.stringify(key));
        expect(kept.length).toBe(groupBy.length === 0 ? 0 : Math.min(keep.limit, all.size));
        for (const { key, ...found } of answer.groups)
          expectGroup(asked, all.get(JSON.stringify(key)) ?? [], found, answer.times);
        expectGroup(asked, calls, answer.total, answer.times);
        const rest = groupBy.length === 0 ? [] : calls.filter((call) => !kept.includes(keyOf(call, asked)));
        if (rest.length === 0) expect(answer.others).toBeNull();
        else if (answer.others !== null) expectGroup(asked, rest, answer.others, answer.times);
        // No group that is left out would come before one that is kept.
        const rank = (key: string): number => {
          const value = figureOf(keep.by, all.get(key) ?? []);
          return value === null ? Number.POSITIVE_INFINITY : keep.direction === 'asc' ? value : -value;
        };
        const ranks = kept.map(rank);
        for (const [place, value] of ranks.entries())
          if (place > 0) expect(value).toBeGreaterThanOrEqual((ranks[place - 1] ?? 0) - 1e-9);
        const left = [...all.keys()].filter((key) => !kept.includes(key)).map(rank);
        if (groupBy.length > 0 && left.length > 0)
          expect(Math.min(...left)).toBeGreaterThanOrEqual((ranks.at(-1) ?? 0) - 1e-9);
        if (bucket === undefined || window.from >= window.to) return expect(answer.times).toEqual([]);
        const names = answer.times.slice(0, -1).map((start) => nameOf(start, bucket, timeZone));
        expect(new Set(names).size).toBe(names.length);
        for (const { ts } of calls) expect(names).toContain(nameOf(ts, bucket, timeZone));
      }),
      { numRuns: 120 * ROUNDS },
    );
  });

  test('a previous period has the same groups, in steps as far from its start', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const query = toQuery(asked);
        const length = asked.window.to - asked.window.from;
        const window = { from: asked.window.from - length, to: asked.window.from };
        const now = await world.open.store.groups(ofProject(project), query);
        const keys = now.groups.map(({ key }) => key);
        const before = await world.open.store.groups(ofProject(project), {
          ...query,
          window,
          behind: length,
          keep: { keys },
        });
        expect(before.groups.map(({ key }) => key)).toEqual(keys);
        const calls = callsOf({ ...asked, window });
        const shared = Math.min(now.times.length, before.times.length);
        expect(before.times.slice(0, shared)).toEqual(
          now.times.slice(0, shared).map((time) => time - length),
        );
        for (const { key, ...found } of before.groups)
          expectGroup(
            asked,
            calls.filter((call) => keyOf(call, asked) === JSON.stringify(key)),
            found,
            before.times,
          );
        expectGroup(asked, calls, before.total, before.times);
      }),
      { numRuns: 60 * ROUNDS },
    );
  });

  test('a matrix has the first values of both dimensions and all others, each equal to a recount', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 4 }), async (asked, size) => {
        fc.pre(asked.groupBy.length === 2);
        const { matrix } = await world.open.store.groups(ofProject(project), {
          ...toQuery({ ...asked, bucket: undefined }),
          matrix: size,
        });
        const calls = callsOf(asked);
        const nameIn = (call: SentEvent, place: 0 | 1) => dimensionOf(call, asked.groupBy[place] ?? 'model');
        const sides = [matrix?.rows ?? [], matrix?.columns ?? []] as const;
        const isIn = (call: SentEvent, place: 0 | 1, at: number): boolean => {
          const line = sides[place][at];
          const value = nameIn(call, place);
          return line?.others === null
            ? line.value === value
            : sides[place].every((one) => one.others !== null || one.value !== value);
        };
        for (const place of [0, 1] as const) {
          const all = new Set(calls.map((call) => nameIn(call, place))).size;
          const own = sides[place].filter(({ others }) => others === null);
          expect(own.length).toBe(Math.min(size, all));
          expect(sides[place].find(({ others }) => others !== null)?.others ?? 0).toBe(all - own.length);
          for (const [at, { values }] of sides[place].entries())
            expectFigures(
              asked.measures,
              calls.filter((call) => isIn(call, place, at)),
              values,
            );
        }
        for (const [row, cells] of (matrix?.cells ?? []).entries())
          for (const [column, values] of cells.entries()) {
            const own = calls.filter((call) => isIn(call, 0, row) && isIn(call, 1, column));
            if (own.length === 0) expect(values).toEqual(asked.measures.map(() => null));
            else expectFigures(asked.measures, own, values);
          }
      }),
      { numRuns: 60 * ROUNDS },
    );
  });
});
