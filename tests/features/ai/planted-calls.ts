import { expect } from 'bun:test';
import type { RecommendationsReply } from '../../../src/features/ai/recommendations/contract.ts';
import { DAY_MS, formatInstant } from '../../../src/lib/time.ts';
import { TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

export const random = createRandom(TEST_SEED);
export const below = (max: number): number => Math.floor(random() * max);

type Rates = { readonly input: number; readonly cached: number; readonly output: number };
/** Published prices in USD per million tokens, written down here so that the calculation is independent. */
const PRICES = {
  'gpt-4o': { provider: 'openai', input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { provider: 'openai', input: 0.15, cached: 0.075, output: 0.6 },
  'gpt-4.1': { provider: 'openai', input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { provider: 'openai', input: 0.4, cached: 0.1, output: 1.6 },
  'claude-sonnet-4-5': { provider: 'anthropic', input: 3, cached: 0.3, output: 15 },
  'gemini-2.5-pro': { provider: 'google', input: 1.25, cached: 0.125, output: 10 },
} as const;
export type Model = keyof typeof PRICES;
/** Prices above 200,000 input tokens. Claude Sonnet 4.5 has such a tier too, and no call here reaches it. */
const LONG: Partial<Record<Model, Rates>> = { 'gemini-2.5-pro': { input: 2.5, cached: 0.25, output: 15 } };
const TIER = 200_000;

export type Planted = {
  readonly model: Model;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly status: 'success' | 'timeout' | 'cancelled';
  readonly ts: number;
  readonly user: string | undefined;
  readonly agent: string;
  readonly hash: string | undefined;
};

/** A call without anything to save, with what is different about it. */
export const plant = (model: Model, more: Partial<Planted> = {}): Planted => ({
  model,
  input: 5_000 + below(5_000),
  cached: 0,
  output: 1_500 + below(1_000),
  status: 'success',
  ts: TEST_NOW - below(29 * DAY_MS),
  user: `u-${below(50)}`,
  agent: 'writer',
  hash: undefined,
  ...more,
});
export const many = (count: number, make: () => Planted): Planted[] => Array.from({ length: count }, make);

const priced = ({ input, cached, output }: Planted, rates: Rates): number =>
  ((input - cached) * rates.input + cached * rates.cached + output * rates.output) / 1e6;
const ratesOf = ({ model, input }: Planted): Rates =>
  input > TIER ? (LONG[model] ?? PRICES[model]) : PRICES[model];
export const costOf = (call: Planted): number => priced(call, ratesOf(call));

/** What could be saved, by kind and model, call by call. */
export function expectedOf(calls: readonly Planted[]): Map<string, number> {
  const found = new Map<string, number>();
  const add = (kind: string, model: string, usd: number): void => {
    found.set(`${kind} ${model}`, (found.get(`${kind} ${model}`) ?? 0) + usd);
  };
  const seen = new Set<string>();
  for (const call of calls.toSorted((a, b) => a.ts - b.ts)) {
    const { model, status, hash, user, input, output } = call;
    if (status === 'timeout') add('failed-calls', model, costOf(call));
    if (status === 'cancelled') add('unused-output', model, (output * ratesOf(call).output) / 1e6);
    if (hash !== undefined && seen.has(`${model} ${hash}`)) add('repeated-prompts', model, costOf(call));
    seen.add(`${model} ${hash}`);
    if (input > TIER && LONG[model]) add('context-tier', model, costOf(call) - priced(call, PRICES[model]));
    if (status === 'success' && user === undefined) add('batch', model, costOf(call) / 2);
  }
  for (const [model, of] of Map.groupBy(calls, (call) => call.model)) {
    const sum = (these: readonly Planted[], measure: (call: Planted) => number): number =>
      these.reduce((all, call) => all + measure(call), 0);
    if (model === 'gpt-4o' && of.length >= 100 && sum(of, ({ output }) => output) / of.length <= 200)
      add(
        'cheaper-model',
        model,
        sum(of, (call) => costOf(call) - priced(call, PRICES['gpt-4o-mini'])),
      );
    const agents = [...Map.groupBy(of, ({ agent }) => agent).values()].filter(({ length }) => length >= 100);
    const rateOf = (these: readonly Planted[]): number =>
      sum(these, ({ cached }) => cached) / sum(these, ({ input }) => input);
    const best = Math.max(...agents.map(rateOf));
    for (const these of agents) {
      const gap = best - rateOf(these);
      const { input, cached } = PRICES[model];
      if (gap >= 0.1)
        add('cache-gap', model, (gap * sum(these, (call) => call.input) * (input - cached)) / 1e6);
    }
  }
  const total = calls.reduce((sum, call) => sum + costOf(call), 0);
  return new Map([...found].filter(([, usd]) => usd >= Math.max(1, total / 100)));
}

export async function send(world: TestApp, calls: readonly Planted[]): Promise<void> {
  for (let from = 0; from < calls.length; from += 100) {
    const events = calls.slice(from, from + 100).map((call) => ({
      provider: PRICES[call.model].provider,
      model: call.model,
      timestamp: formatInstant(call.ts),
      input_tokens: call.input,
      cached_input_tokens: call.cached,
      output_tokens: call.output,
      status: call.status,
      agent: call.agent,
      ...(call.user === undefined ? {} : { user_id: call.user }),
      ...(call.hash === undefined ? {} : { prompt_hash: call.hash }),
    }));
    const response = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
    expect([response.status, from === 0 ? await response.clone().text() : '']).toEqual([
      202,
      expect.any(String) as unknown as string,
    ]);
  }
}

export async function list(world: TestApp): Promise<RecommendationsReply> {
  const response = await world.fetch(`/v1/ai/recommendations?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as RecommendationsReply;
}
