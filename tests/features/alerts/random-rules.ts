import type { Rule } from '../../../src/features/alerts/table.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { createRandom } from '../../helpers/random.ts';
import type { Call, Spent } from './replay.ts';

/** 2026-03-02, a Monday, in minutes since 1970. */
export const START = Date.UTC(2026, 2, 2) / MINUTE_MS;
/** Calls before the replay, which anomalies and changes are compared with. */
const BEFORE_DAYS = 29;

/** Whole numbers, both bounds included. */
export type Random = { int(from: number, to: number): number };
export function randomOf(seed: number): Random {
  const next = createRandom(seed);
  return { int: (from, to) => from + Math.floor(next() * (to - from + 1)) };
}
const pick = <T>(random: Random, values: readonly T[]): T => values[random.int(0, values.length - 1)] as T;

/** Calls of three models, in order of time, until a minute. Some times are bad or empty, and some calls come late: up to 59 minutes. */
export function makeCalls(random: Random, end: number): Call[] {
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
      const arrived = ts + delay;
      const until = ts + 59 * MINUTE_MS;
      const isScored = random.int(0, 4) === 0;
      calls.push({
        ts,
        arrived,
        model: pick(random, ['a', 'b', 'c']),
        failed: random.int(0, 9) < (phase === 3 ? 6 : 1),
        costNano: random.int(0, 5) === 0 ? 0 : random.int(1, phase === 4 ? 5_000 : 1_000),
        latencyMs: random.int(50, phase === 5 ? 9_000 : 900),
        more:
          random.int(0, 2) === 0
            ? { costNano: random.int(1, phase === 2 ? 9_000 : 900), arrived: random.int(arrived, until) }
            : null,
        // Scores come after what they are about, some soon, some late.
        score: isScored
          ? {
              value: random.int(0, phase === 2 ? 4 : 10) / 10,
              arrived: random.int(0, 1) === 0 ? arrived : random.int(arrived, until),
            }
          : null,
      });
    }
  }
  return calls.sort((a, b) => a.ts - b.ts);
}

const MEASURES = [
  'errorRate',
  'errors',
  'cost',
  'requests',
  'latencyAvg',
  'latencyP95',
  'score:tone',
  'scoreCount:tone',
] as const;
const RUN_MEASURES = ['failedRuns', 'runErrorRate', 'runCostAvg', 'runCostP95', 'runCostPerSuccess'] as const;

export function makeRule(random: Random, place: number): Rule {
  const any = pick(random, [...MEASURES, ...RUN_MEASURES]);
  const ofRuns = pick(random, RUN_MEASURES);
  // Scores and runs come, whatever the seed.
  const measure = place % 5 === 4 ? 'score:tone' : place % 5 === 1 ? ofRuns : any;
  const isOfRuns = RUN_MEASURES.some((name) => name === measure);
  const bounds = {
    errorRate: [0.1, 0.4],
    errors: [2, 6],
    cost: [5e-6, 2e-5],
    requests: [5, 20],
    latencyAvg: [500, 2_000],
    latencyP95: [850, 5_000],
    'score:tone': [0.3, 0.6],
    'scoreCount:tone': [2, 5],
    failedRuns: [2, 6],
    runErrorRate: [0.1, 0.4],
    runCostAvg: [1e-6, 3e-6],
    runCostP95: [1e-6, 5e-6],
    runCostPerSuccess: [1e-6, 3e-6],
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
    filters: random.int(0, 3) === 0 ? { [isOfRuns ? 'agent' : 'model']: 'a' } : {},
    groupBy: random.int(0, 1) === 0 ? null : isOfRuns ? 'agent' : 'model',
    window: pick(random, ['5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d', '7d'] as const),
    // Every kind comes, whatever the seed.
    condition: conditions[place % conditions.length] as Rule['condition'],
    minRequests: pick(random, [0, 0, 5]),
    forMinutes: pick(random, [0, 0, 3, 10]),
    noData: pick(random, ['ignore', 'notify', 'ok'] as const),
    renotifyMinutes: null,
  };
}

/** Times as lines, to compare. */
export const toLine = ({ from, group, state, to }: Spent): string => `${from} ${group} ${state} ${to}`;
export const toLines = (times: readonly Spent[]): string[] => times.map(toLine).sort();
