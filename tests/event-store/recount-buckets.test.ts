import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Measure } from '../../src/core/events/measures.ts';
import { EVENT_DIMENSIONS } from '../../src/core/events/metrics.ts';
import type { Window } from '../../src/core/events/selection.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { BUCKET_LENGTHS, type BucketName } from '../../src/lib/time-buckets.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { someFilters } from './support/arbitrary.ts';
import { eachStore } from './support/each-store.ts';
import { ROUNDS } from './support/harness.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { LABEL_DIMENSIONS } from './support/read-all.ts';
import { dimensionOf, matches, measureAll } from './support/recount.ts';
import { send } from './support/send.ts';

/** Clocks change on 4 October (Lord Howe, by half an hour), on the 25th (Berlin) and on 1 November (New York). */
const FROM = Date.UTC(2026, 9, 2);
const TO = Date.UTC(2026, 10, 4);
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const BUCKETS = Object.keys(BUCKET_LENGTHS) as BucketName[];
const MEASURES = ['requests', 'cost', 'costAvg', 'errorRate', 'tokens', 'latencyP90', 'ttftP95'] as const;

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    }),
  ]),
);

/** What the bucket of a time is called, by the clock of its zone: two times have the same name if they share it. */
function nameOf(ts: number, bucket: BucketName, timeZone: string): string {
  const ms = BUCKET_LENGTHS[bucket];
  if (ms <= HOUR_MS) return String(Math.floor(ts / ms));
  const parts = Object.fromEntries(
    (formats.get(timeZone) as Intl.DateTimeFormat)
      .formatToParts(ts)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const day = Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day) / DAY_MS;
  if (bucket === '1w') return `week ${Math.floor((day + 3) / 7)}`;
  return `${day} ${Math.floor((parts.hour ?? 0) / (ms / HOUR_MS))}`;
}

const anInstant = fc.oneof(
  fc.integer({ min: FROM - DAY_MS, max: TO + DAY_MS }),
  fc.integer({ min: -48, max: 2 * 24 * 35 }).map((halves) => FROM + halves * 30 * MINUTE_MS),
);
const aWindow: fc.Arbitrary<Window> = fc
  .tuple(anInstant, anInstant)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
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
      const all = measureAll(own);
      for (const name of MEASURES) {
        const wanted = isKnown(name, own) ? all[name] : null;
        if (wanted === null || row[name] === null) expect([name, row[name]]).toEqual([name, wanted]);
        else expect(row[name]).toBeCloseTo(wanted, 8);
      }
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

/** Whether some calls tell a value. */
function isKnown(name: (typeof MEASURES)[number] & Measure, calls: readonly SentEvent[]): boolean {
  if (name === 'cost' || name === 'costAvg')
    return calls.some(({ cost_status }) => cost_status !== 'unpriced');
  if (name === 'latencyP90') return calls.some(({ latency_ms }) => latency_ms !== null);
  if (name === 'ttftP95') return calls.some(({ stream, ttft_ms }) => stream && ttft_ms !== null);
  return true;
}
