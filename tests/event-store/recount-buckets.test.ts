import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_DIMENSIONS } from '../../src/core/events/metrics.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import type { BucketName } from '../../src/lib/time-buckets.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { someFilters } from './support/arbitrary.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { LABEL_DIMENSIONS } from './support/read-all.ts';
import { dimensionOf, matches } from './support/recount.ts';
import { send } from './support/send.ts';
import { aWindow, BUCKETS, expectFigures, FROM, nameOf, TO, ZONES } from './support/zones.ts';

const MEASURES = ['requests', 'cost', 'costAvg', 'errorRate', 'tokens', 'latencyP90', 'ttftP95'] as const;

const question = fc.record({
  window: aWindow,
  bucket: fc.constantFrom(...BUCKETS),
  timeZone: fc.constantFrom(...ZONES),
  filters: someFilters,
  groupBy: fc.uniqueArray(fc.constantFrom(...EVENT_DIMENSIONS, ...LABEL_DIMENSIONS), { maxLength: 2 }),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

eachStore('buckets', {}, (world) => {
  let project: ProjectScope;
  const events = randomEvents(TEST_SEED, 1_200, FROM, TO);

  beforeAll(async () => {
    project = await world.newProject();
    await send(world.open.store, project, events, createRandom(TEST_SEED));
  });

  async function expectRecount(sent: readonly SentEvent[], { window, bucket, timeZone, ...asked }: Question) {
    const { rows } = await world.open.store.metrics(ofProject(project), {
      rows: { ...asked, window, bucket, timeZone, measures: MEASURES, nulls: true },
    });
    const calls = sent.filter((event) => event.is_call && matches(event, asked.filters, window));
    const keyOf = (time: number, values: readonly (string | null)[]): string =>
      JSON.stringify([nameOf(time, bucket, timeZone), ...values]);
    const expected = Map.groupBy(calls, (call) =>
      keyOf(
        call.ts,
        asked.groupBy.map((name) => dimensionOf(call, name)),
      ),
    );
    expect(
      rows
        .map((row) =>
          keyOf(
            row.time ?? 0,
            asked.groupBy.map((name) => row[name]),
          ),
        )
        .sort(),
    ).toEqual([...expected.keys()].sort());
    for (const row of rows) {
      const time = row.time ?? Number.NaN;
      // It is the first instant of its bucket.
      expect(nameOf(time - 1, bucket, timeZone)).not.toBe(nameOf(time, bucket, timeZone));
      const own =
        expected.get(
          keyOf(
            time,
            asked.groupBy.map((name) => row[name]),
          ),
        ) ?? [];
      expectFigures(
        MEASURES,
        own,
        MEASURES.map((name) => row[name]),
      );
    }
  }

  const states: readonly [string, () => Promise<void>][] = [
    ['unsealed', async () => {}],
    ['sealed', () => world.open.settle()],
  ];
  for (const [state, reach] of states) {
    test(`buckets of any length and zone equal a recount: ${state}`, async () => {
      await reach();
      await fc.assert(
        fc.asyncProperty(question, (asked) => expectRecount(events, asked)),
        { numRuns: 60 * ROUNDS },
      );
    });
  }

  test('with deleted events, the buckets of a zone add up to the total', async () => {
    const { store } = world.open;
    await store.deleteBefore(project, Date.UTC(2026, 9, 20, 7, 20), {
      signal: new AbortController().signal,
    });
    const zone = fc.constantFrom(...ZONES);
    const bucket = fc.constantFrom<BucketName>('6h', '1d', '1w');
    await fc.assert(
      fc.asyncProperty(aWindow, zone, bucket, async (window, timeZone, name) => {
        const query = { window, measures: ['requests', 'cost'] } as const;
        const { all, rows } = await store.metrics(ofProject(project), {
          all: query,
          rows: { ...query, bucket: name, timeZone },
        });
        const sum = (measure: 'requests' | 'cost'): number =>
          rows.reduce((total, row) => total + row[measure], 0);
        expect(sum('requests')).toBe(all[0]?.requests ?? Number.NaN);
        expect(sum('cost')).toBeCloseTo(all[0]?.cost ?? Number.NaN, 8);
      }),
      { numRuns: 40 * ROUNDS },
    );
  });
});
