import { expect, test } from 'bun:test';
import { REACH } from '../../../src/features/alerts/evaluate/round.ts';
import type { Rule } from '../../../src/features/alerts/table.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';
import { type Call, preview, Replay, type Spent, timesOf } from './replay.ts';

/** Days that are replayed minute by minute; `ALERT_DAYS=30` is the long form. */
const DAYS = Number(process.env.ALERT_DAYS ?? 0.3);
const RULES = Number(process.env.ALERT_RULES ?? 8);
/** 2026-03-02, a Monday. */
const START = Date.UTC(2026, 2, 2) / MINUTE_MS;
/** Calls before the replay, which anomalies and changes are compared with. */
const BEFORE_DAYS = 29;

/** Whole numbers, both bounds included. */
type Random = { int(from: number, to: number): number };
function randomOf(seed: number): Random {
  const next = createRandom(seed);
  return { int: (from, to) => from + Math.floor(next() * (to - from + 1)) };
}
const pick = <T>(random: Random, values: readonly T[]): T => values[random.int(0, values.length - 1)] as T;

/** Calls of three models. Some times are bad or empty, and some calls come late: up to 59 minutes. */
function makeCalls(random: Random, end: number): Call[] {
  const calls: Call[] = [];
  const first = START - BEFORE_DAYS * 1_440;
  for (let minute = first; minute < end; minute++) {
    const isBusy = minute >= START || minute % 15 === 0;
    const phase = Math.floor(minute / 40) % 7;
    const count = !isBusy || phase === 6 ? 0 : random.int(0, minute >= START ? 4 : 6);
    for (let i = 0; i < count; i++) {
      const ts = minute * MINUTE_MS + random.int(0, MINUTE_MS - 1);
      const late = random.int(0, 99);
      const delay = late < 80 ? random.int(0, 30_000) : random.int(0, (late < 95 ? 10 : 59) * MINUTE_MS);
      calls.push({
        ts,
        arrived: ts + delay,
        model: pick(random, ['a', 'b', 'c']),
        failed: random.int(0, 9) < (phase === 3 ? 6 : 1),
        costNano: random.int(1, phase === 4 ? 5_000 : 1_000),
        latencyMs: random.int(50, phase === 5 ? 9_000 : 900),
      });
    }
  }
  return calls.sort((a, b) => a.ts - b.ts);
}

function makeRule(random: Random, place: number): Rule {
  const measure = pick(random, [
    'errorRate',
    'errors',
    'cost',
    'requests',
    'latencyAvg',
    'latencyP95',
  ] as const);
  const bounds = {
    errorRate: [0.1, 0.4],
    errors: [2, 6],
    cost: [5e-6, 2e-5],
    requests: [5, 20],
    latencyAvg: [500, 2_000],
    latencyP95: [850, 5_000],
  }[measure] as [number, number];
  const isLow = random.int(0, 3) === 0;
  const conditions = [
    {
      kind: 'threshold',
      operator: isLow ? 'lt' : 'gte',
      warning: isLow ? bounds[1] : bounds[0],
      critical: isLow ? bounds[0] : bounds[1],
    },
    {
      kind: 'change',
      direction: pick(random, ['up', 'down', 'either'] as const),
      percent: random.int(20, 150),
      compare: pick(random, ['previous', 'sameTimeYesterday', 'sameTimeLastWeek'] as const),
    },
    { kind: 'anomaly', sensitivity: pick(random, ['low', 'medium', 'high'] as const) },
  ] as const satisfies Rule['condition'][];
  return {
    measure,
    filters: random.int(0, 3) === 0 ? { model: 'a' } : {},
    groupBy: random.int(0, 1) === 0 ? null : 'model',
    window: pick(random, ['5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d', '7d'] as const),
    // Every kind comes, whatever the seed.
    condition: conditions[place % conditions.length] as Rule['condition'],
    minRequests: pick(random, [0, 0, 5]),
    forMinutes: pick(random, [0, 0, 3, 10]),
    noData: pick(random, ['ignore', 'notify', 'ok'] as const),
    renotifyMinutes: null,
  };
}

const toLine = ({ from, group, state, to }: Spent): string => `${from} ${group} ${state} ${to}`;
const toLines = (times: readonly Spent[]): string[] => times.map(toLine).sort();

test('a call that came while rounds were missed counts, if it was less than an hour late', () => {
  const rule = {
    measure: 'cost',
    filters: {},
    groupBy: null,
    window: '5m',
    condition: { kind: 'threshold', operator: 'gte', critical: 1e-6 },
    minRequests: 0,
    forMinutes: 0,
    noData: 'ok',
    renotifyMinutes: null,
  } as const satisfies Rule;
  const call = (minute: number, costNano: number, late = 0): Call => ({
    ts: (START + minute) * MINUTE_MS,
    arrived: (START + minute + late) * MINUTE_MS,
    model: 'a',
    failed: false,
    costNano,
    latencyMs: 1,
  });
  const calls = [...Array(120).keys()].flatMap((minute) => [
    call(minute, 1),
    ...(minute === 10 ? [call(minute, 1_000, 55)] : []),
  ]);
  const replay = new Replay(rule, calls, START);
  for (let at = START; at <= START + 119; at++) if (at <= START + 60 || at > START + 80) replay.round(at);
  const expected = ['critical from 11 to 16'];
  const shown = (times: readonly Spent[]) =>
    times.map(({ state, from, to }) => `${state} from ${from - START} to ${(to ?? 0) - START}`);
  expect(shown(preview(rule, calls, START, START + 119).times)).toEqual(expected);
  expect(shown(timesOf('', replay.begun.get('') ?? [], START + 119))).toEqual(expected);
});

test('the preview of a rule shows what the running evaluation decided, late events and restarts included', () => {
  let spans = 0;
  let superseded = 0;
  const end = START + Math.round(DAYS * 1_440);
  for (let place = 0; place < RULES; place++) {
    const random = randomOf(TEST_SEED + place);
    const rule = makeRule(random, place);
    // Calls go on after the end, so that the last late ones come while it is still judged.
    const calls = makeCalls(random, end + REACH);
    const replay = new Replay(rule, calls, START);
    for (let at = START; at <= end + REACH; at++) {
      replay.round(at);
      const chance = random.int(0, 199);
      if (chance === 0) replay.restart();
      // Missed minutes are made up.
      if (chance === 1) at += random.int(1, 20);
    }
    const { times, drawn } = preview(rule, calls, START, end);
    const live = [...replay.begun].flatMap(([group, begun]) => timesOf(group, begun, end));
    expect(toLines(times), `seed ${TEST_SEED + place}: ${JSON.stringify(rule)}`).toEqual(toLines(live));
    // The drawing has the same times, the oldest if there are too many.
    const inDrawing = new Set(toLines(drawn.spans));
    expect(toLines(times.filter((time) => inDrawing.has(toLine(time))))).toEqual(toLines(drawn.spans));
    expect(drawn.spans.length + drawn.omittedSpans).toBe(times.length);
    spans += times.length;
    superseded += replay.superseded;
  }
  // It would prove nothing if nothing had happened.
  expect(spans).toBeGreaterThan(0);
  expect(superseded).toBeGreaterThan(0);
});
