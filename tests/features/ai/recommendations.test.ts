import { expect, test } from 'bun:test';
import type { Recommendation } from '../../../src/features/ai/recommendations/contract.ts';
import { DAY_MS, formatInstant } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const random = createRandom(TEST_SEED);
const below = (max: number): number => Math.floor(random() * max);

/** Published prices in USD per token, written down here so that the calculation is independent. */
const PRICES = {
  'gpt-4o': [2.5e-6, 10e-6],
  'gpt-4o-mini': [0.15e-6, 0.6e-6],
  'gpt-4.1': [2e-6, 8e-6],
  'gpt-4.1-mini': [0.4e-6, 1.6e-6],
} as const;
type Model = keyof typeof PRICES;
type Planted = {
  readonly model: Model;
  readonly input: number;
  readonly output: number;
  readonly failed: boolean;
  readonly day: number;
};

const costOf = ({ input, output }: Planted, model: Model): number =>
  input * PRICES[model][0] + output * PRICES[model][1];

async function send(world: TestApp, calls: readonly Planted[]): Promise<void> {
  for (let from = 0; from < calls.length; from += 100) {
    const events = calls.slice(from, from + 100).map(({ model, input, output, failed, day }) => ({
      provider: 'openai',
      model,
      timestamp: formatInstant(TEST_NOW - day * DAY_MS - below(3_600_000)),
      input_tokens: input,
      output_tokens: output,
      status: failed ? 'timeout' : 'success',
    }));
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  }
}

async function list(world: TestApp): Promise<Recommendation[]> {
  const response = await world.fetch(`/v1/ai/recommendations?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { recommendations: Recommendation[] }).recommendations;
}

test('planted savings in random calls are found with the amount of an independent calculation', async () => {
  const world = await openTestApp();
  try {
    const calls: Planted[] = [
      // Short answers of a large model.
      ...Array.from({ length: 300 }, () => ({
        model: 'gpt-4o' as const,
        input: 20_000 + below(20_000),
        output: 50 + below(100),
        failed: random() < 0.2,
        day: below(29),
      })),
      // Long ones, which a smaller model may not be able to give.
      ...Array.from({ length: 300 }, () => ({
        model: 'gpt-4.1' as const,
        input: 5_000 + below(5_000),
        output: 2_000 + below(2_000),
        failed: random() < 0.05,
        day: below(29),
      })),
    ];
    await send(world, calls);
    const found = await list(world);
    const sum = (of: readonly Planted[], amount: (call: Planted) => number): number =>
      of.reduce((all, call) => all + amount(call), 0);
    const total = sum(calls, (call) => costOf(call, call.model));
    const of = (model: Model): Planted[] => calls.filter((call) => call.model === model);
    const expected = [
      [
        'cheaper-model',
        'gpt-4o',
        sum(of('gpt-4o'), (call) => costOf(call, 'gpt-4o') - costOf(call, 'gpt-4o-mini')),
      ],
      ...(['gpt-4o', 'gpt-4.1'] as const).map(
        (model) =>
          [
            'failed-calls',
            model,
            sum(
              of(model).filter(({ failed }) => failed),
              (call) => costOf(call, model),
            ),
          ] as const,
      ),
    ].filter(([, , amount]) => Number(amount) >= Math.max(1, total / 100));
    expect(found.map(({ kind, model }) => `${kind} ${model}`).toSorted()).toEqual(
      expected.map(([kind, model]) => `${kind} ${model}`).toSorted(),
    );
    for (const [kind, model, amount] of expected) {
      const one = found.find((given) => given.kind === kind && given.model === model);
      const part = (one?.monthlyUsd ?? 0) / Number(amount);
      expect([kind, model, part > 0.95 && part < 1.05]).toEqual([kind, model, true]);
      expect(one?.range.lowUsd).toBeLessThanOrEqual(one?.monthlyUsd ?? 0);
      expect(one?.range.highUsd).toBeGreaterThanOrEqual(one?.monthlyUsd ?? 0);
      const again = await world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
        bearer: world.seed.bearer,
        json: one?.query,
      });
      const { total: figures } = (await again.json()) as {
        total: { values: { cost: number; requests: number } };
      };
      expect(figures.values.cost).toBeCloseTo(one?.evidence.costUsd ?? 0, 6);
      expect(figures.values.requests).toBe(one?.evidence.calls ?? 0);
    }
  } finally {
    await world.close();
  }
});

test('calls without anything to save give no recommendation', async () => {
  const world = await openTestApp();
  try {
    expect(await list(world)).toEqual([]);
    await send(
      world,
      Array.from({ length: 300 }, () => ({
        model: below(2) ? ('gpt-4o-mini' as const) : ('gpt-4.1' as const),
        input: 5_000 + below(50_000),
        output: 1_000 + below(3_000),
        failed: false,
        day: below(29),
      })),
    );
    expect(await list(world)).toEqual([]);
  } finally {
    await world.close();
  }
});
