import { describe, expect, test } from 'bun:test';
import type { ContrastDimension } from '../../../src/core/events/index.ts';
import { findCauses } from '../../../src/core/root-cause/find-causes.ts';
import { shiftOf } from '../../../src/lib/shift.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';
import {
  type Application,
  type Call,
  contrastOf,
  makeApplication,
  makeCalls,
  type Random,
  SCENE_MEASURES,
} from './scene.ts';

/** Scenes of each kind. `ROOT_CAUSE_SCENES=100` runs the long form. */
const SCENES = Number(process.env.ROOT_CAUSE_SCENES ?? 15);
const CALLS = 2_000;

type Planted = { readonly dimension: ContrastDimension; readonly value: string };
/** Changes the calls of the window, and says what the cause is. */
type Plant = (random: Random, app: Application, calls: Call[]) => Planted;

/** A value that has enough calls to matter. */
function frequent(random: Random, calls: readonly Call[], dimension: ContrastDimension): Planted {
  const counts = Map.groupBy(calls, ({ values }) => values[dimension] ?? '');
  const all = [...counts].filter(([value, own]) => value !== '' && own.length > 0.06 * calls.length);
  const [value = ''] = all[Math.floor(random() * all.length)] ?? [];
  return { dimension, value };
}

const callsOf = (calls: readonly Call[], { dimension, value }: Planted): Call[] =>
  calls.filter(({ values }) => values[dimension] === value);

/** A model that has at least this part of the sum of a figure. */
function weighty(random: Random, calls: readonly Call[], figure: 'cost' | 'latency'): Planted {
  const sumOf = (own: readonly Call[]): number => own.reduce((sum, call) => sum + call[figure], 0);
  const byModel = Map.groupBy(calls, ({ values }) => values.model ?? '');
  const known = [...byModel].filter(([, own]) => sumOf(own) > 0.15 * sumOf(calls));
  const [value = ''] = known[Math.floor(random() * known.length)] ?? [];
  return { dimension: 'model', value };
}

const slowModel: Plant = (random, _, calls) => {
  const planted = weighty(random, calls, 'latency');
  const factor = 2 + 2 * random();
  for (const call of callsOf(calls, planted)) call.latency *= factor;
  return planted;
};

const slowAgent: Plant = (random, _, calls) => {
  const planted = frequent(random, calls, 'agent');
  const extra = 1_000 + 1_000 * random();
  for (const call of callsOf(calls, planted)) call.latency += extra;
  return planted;
};

const failingRelease: Plant = (random, _, calls) => {
  const planted = frequent(random, calls, 'release');
  const rate = 0.1 + 0.3 * random();
  for (const call of callsOf(calls, planted)) call.failed ||= random() < rate;
  return planted;
};

/** A release that takes over a part of the traffic, or all of it. */
const newRelease: Plant = (random, _, calls) => {
  const planted = { dimension: 'release', value: 'v4' } as const;
  const share = random() < 0.3 ? 1 : 0.2 + 0.6 * random();
  const rate = 0.1 + 0.3 * random();
  for (const [i, call] of calls.entries()) {
    if (random() > share) continue;
    const failed = call.failed || random() < rate;
    calls[i] = { ...call, failed, values: { ...call.values, release: 'v4' } };
  }
  return planted;
};

/** One user who makes many more calls. */
const spendingUser: Plant = (random, app, calls) => {
  const value = `user-${Math.floor(random() * app.users)}`;
  const number = Number(value.slice('user-'.length));
  const extra = makeCalls(random, app, calls.length * (0.3 + 0.4 * random()));
  const team = ['search', 'support', 'growth'][number % 3] ?? '';
  for (const call of extra)
    calls.push({
      ...call,
      values: { ...call.values, userId: value, keyId: `key-${number % 3}`, 'tag:team': team },
    });
  return { dimension: 'userId', value };
};

/** A model whose price changes. */
const dearerModel: Plant = (random, _, calls) => {
  const planted = weighty(random, calls, 'cost');
  const factor = 1.6 + 1.4 * random();
  for (const call of callsOf(calls, planted)) call.cost = Math.round(call.cost * factor);
  return planted;
};

/** All calls become dearer: no value is to blame. */
const dearerCalls: Plant = (random, _, calls) => {
  const factor = 1.5 + random();
  for (const call of calls) call.cost = Math.round(call.cost * factor);
  return EVERYTHING;
};
const EVERYTHING: Planted = { dimension: 'model', value: '' };

type Measure = keyof typeof SCENE_MEASURES;

/** The planted causes of a scene, and what is found. */
function play(seed: number, plants: readonly Plant[], measure: Measure) {
  const random = createRandom(seed);
  const app = makeApplication(random);
  const before = makeCalls(random, app, CALLS);
  const after = makeCalls(random, app, CALLS);
  const planted = plants.map((plant) => plant(random, app, after));
  const { contrast, comparison } = contrastOf(before, after, SCENE_MEASURES[measure]);
  const skipped: ContrastDimension[] = measure === 'errorRate' ? ['errorCode'] : [];
  const found = findCauses(contrast, comparison, skipped);
  return { planted, found, contrast, comparison };
}

const nameOf = (one: Planted): string => (one === EVERYTHING ? '' : `${one.dimension} ${one.value}`);

/** What is named instead of the planted causes; null if they are. */
function misnamed(seed: number, plants: readonly Plant[], measure: Measure): string | null {
  const { planted, found } = play(seed, plants, measure);
  const first = found.causes.slice(0, planted.length).map(({ values }) => values.map(nameOf).join(' & '));
  const wanted = planted.map(nameOf);
  return first.toSorted().join() === wanted.toSorted().join() ? null : `${seed}: ${wanted} != ${first}`;
}

const KINDS: readonly [name: string, measure: Measure, plants: readonly Plant[]][] = [
  ['one model is slower', 'latencyAvg', [slowModel]],
  ['one agent is slower', 'latencyAvg', [slowAgent]],
  ['one release fails', 'errorRate', [failingRelease]],
  ['a new release fails', 'errorRate', [newRelease]],
  ['one user spends more', 'cost', [spendingUser]],
  ['one user calls more', 'requests', [spendingUser]],
  ['the price of a model changes', 'cost', [dearerModel]],
  ['all calls are dearer', 'cost', [dearerCalls]],
  ['a model and an agent are slower', 'latencyAvg', [slowModel, slowAgent]],
  ['a price changes and a user spends more', 'cost', [dearerModel, spendingUser]],
];

describe('planted causes', () => {
  test('are named first in at least 95 of 100 scenes', () => {
    const wrong = KINDS.flatMap(([kind, measure, plants]) =>
      Array.from({ length: SCENES }, (_, i) => misnamed(TEST_SEED + i, plants, measure)).flatMap((one) =>
        one === null ? [] : [`${kind}: ${one}`],
      ),
    );
    if (wrong.length > 0) console.info(wrong.join('\n'));
    expect(wrong.length).toBeLessThanOrEqual(0.05 * SCENES * KINDS.length);
  });

  test('without a cause nothing is named in most scenes', () => {
    const scenes = (['latencyAvg', 'errorRate', 'cost'] as const).flatMap((measure) =>
      Array.from({ length: SCENES }, (_, i) => play(TEST_SEED + i, [], measure)),
    );
    const named = scenes.filter(({ found }) => (found.causes[0]?.values.length ?? 0) > 0);
    expect(named.length).toBeLessThanOrEqual(0.3 * scenes.length);
  });

  test('the contributions of causes, of each dimension and of the cells add up to the change', () => {
    for (const [, measure, plants] of KINDS) {
      const { found, contrast, comparison } = play(TEST_SEED, plants, measure);
      const shift = shiftOf(comparison);
      const { change } = shift(contrast.totals);
      const sums = [
        [...found.causes.map(({ own }) => own), found.rest],
        contrast.cells,
        ...contrast.groups.map(({ values, others }) => [...values, others]),
      ].map((parts) => parts.reduce((sum, sides) => sum + shift(sides).change, 0));
      for (const sum of sums)
        expect(Math.abs(sum - change)).toBeLessThan(1e-9 * Math.max(1, Math.abs(change)));
    }
  });
});
