import type { Contrast, ContrastDimension } from '../../../src/core/events/index.ts';
import { chooseCandidates } from '../../../src/core/events/stores/shared/contrast/candidates.ts';
import { addToCells, createCells, toCells } from '../../../src/core/events/stores/shared/contrast/cells.ts';
import {
  AFTER,
  addToTally,
  BEFORE,
  createTally,
  toSides,
} from '../../../src/core/events/stores/shared/contrast/tally.ts';
import type { Source } from '../../../src/core/events/stores/shared/contrast/values.ts';
import { type Comparison, ratioBefore } from '../../../src/lib/shift.ts';

/** A call of a made-up application. */
export type Call = {
  readonly values: Readonly<Partial<Record<ContrastDimension, string>>>;
  latency: number;
  cost: number;
  failed: boolean;
};

export type Random = () => number;
const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

/** The smaller the place, the more often it is drawn. */
const skewed = (random: Random, count: number): number => Math.floor(count * random() ** 2);
const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const PROVIDERS = ['openai', 'anthropic', 'google'];
const TEAMS = ['search', 'support', 'growth'];

/** What an application calls: models with their usual latency and cost, and who calls. */
export type Application = {
  readonly models: readonly {
    readonly name: string;
    readonly provider: string;
    readonly latency: number;
    readonly cost: number;
  }[];
  readonly users: number;
  readonly releases: readonly string[];
  readonly agents: readonly string[];
};

export function makeApplication(random: Random): Application {
  const models = Array.from({ length: 4 + Math.floor(random() * 4) }, (_, i) => ({
    name: `model-${i}`,
    provider: pick(random, PROVIDERS),
    latency: 300 * 10 ** random(),
    cost: 1e5 * 100 ** random(),
  }));
  return {
    models,
    users: 20 + Math.floor(random() * 40),
    releases: ['v1', 'v2', 'v3'],
    agents: ['planner', 'writer', 'critic', 'router'],
  };
}

/** Calls of one window: their number, latency and cost vary by chance. */
export function makeCalls(random: Random, app: Application, count: number): Call[] {
  return Array.from({ length: Math.round(count * (0.95 + 0.1 * random())) }, () => {
    const model = app.models[skewed(random, app.models.length)] ?? app.models[0];
    const user = skewed(random, app.users);
    const agent = skewed(random, app.agents.length);
    const prompt = `prompt-${random() < 0.8 ? agent : 'shared'}`;
    const failed = random() < 0.015;
    return {
      values: {
        model: model?.name ?? '',
        provider: model?.provider ?? '',
        environment: random() < 0.85 ? 'production' : 'staging',
        release: pick(random, app.releases),
        userId: `user-${user}`,
        keyId: `key-${user % 3}`,
        agent: app.agents[agent] ?? '',
        promptName: prompt,
        promptVersion: `${prompt}@${random() < 0.7 ? 1 : 2}`,
        'tag:team': TEAMS[user % TEAMS.length] ?? '',
        ...(failed ? { errorCode: pick(random, ['server_error', 'overloaded', 'invalid']) } : {}),
      },
      latency: (model?.latency ?? 0) * Math.exp(0.5 * gaussian(random)),
      cost: Math.round((model?.cost ?? 0) * Math.exp(0.6 * gaussian(random))),
      failed,
    };
  });
}

/** How a measure adds up over calls. */
export type SceneMeasure = {
  readonly part: (call: Call) => number;
  readonly whole: ((call: Call) => number) | null;
};
export const SCENE_MEASURES = {
  cost: { part: ({ cost }) => cost, whole: null },
  requests: { part: () => 1, whole: null },
  errorRate: { part: ({ failed }) => Number(failed), whole: () => 1 },
  latencyAvg: { part: ({ latency }) => Math.round(latency * 1000), whole: () => 1 },
} as const satisfies Record<string, SceneMeasure>;

function rowsOf(calls: readonly Call[], { part, whole }: SceneMeasure) {
  return {
    mask: new Uint8Array(calls.length).fill(1),
    parts: Float64Array.from(calls, part),
    wholes: Float64Array.from(calls, (call) => whole?.(call) ?? 0),
  };
}

function sourcesOf(calls: readonly Call[]): Source[] {
  const dimensions = [...new Set(calls.flatMap(({ values }) => Object.keys(values)))] as ContrastDimension[];
  return dimensions.map((dimension) => {
    const names = [...new Set(calls.map(({ values }) => values[dimension] ?? ''))];
    const codeOf = new Map(names.map((name, code) => [name, code]));
    return {
      codes: Uint32Array.from(calls, ({ values }) => codeOf.get(values[dimension] ?? '') ?? 0),
      valuesOf: (code) => (names[code] ? [[dimension, names[code]]] : []),
    };
  });
}

/** What a store would answer for these calls. */
export function contrastOf(
  before: readonly Call[],
  after: readonly Call[],
  measure: SceneMeasure,
): { readonly contrast: Contrast; readonly comparison: Comparison } {
  const sides = [
    { offset: BEFORE, sources: sourcesOf(before), rows: rowsOf(before, measure) },
    { offset: AFTER, sources: sourcesOf(after), rows: rowsOf(after, measure) },
  ] as const;
  const tally = createTally();
  for (const { offset, sources, rows } of sides) addToTally(tally, offset, sources, rows);
  const totals = toSides(tally.totals);
  const comparison: Comparison = { totals, isRatio: measure.whole !== null, scale: 1 };
  const { groups, candidates } = chooseCandidates(tally, comparison, 10);
  const cells = createCells(candidates);
  const average = comparison.isRatio ? ratioBefore(comparison) : 0;
  for (const { offset, sources, rows } of sides) addToCells(cells, { offset, average }, sources, rows);
  return {
    contrast: { totals, groups, candidates: candidates.slice(0, cells.bits), cells: toCells(cells) },
    comparison,
  };
}
