import { expect, test } from 'bun:test';
import { RECOMMENDATION_KINDS } from '../../../src/features/ai/recommendations/contract.ts';
import { DAY_MS, formatInstant, startDaysAgo } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { below, costOf, expectedOf, list, many, type Planted, plant, random, send } from './planted-calls.ts';

/** Calls with something to save, one scene for each kind. */
const SCENES: Readonly<Record<string, () => Planted[]>> = {
  'failed-calls': () => many(500, () => plant('gpt-4.1', { status: random() < 0.2 ? 'timeout' : 'success' })),
  'unused-output': () =>
    many(500, () => plant('gpt-4.1', { status: random() < 0.3 ? 'cancelled' : 'success', output: 3_000 })),
  'repeated-prompts': () =>
    many(300, () =>
      plant('gpt-4.1-mini', { input: 60_000 + below(6_000), hash: below(3) ? `p-${below(12)}` : undefined }),
    ),
  'context-tier': () =>
    many(120, () =>
      plant('gemini-2.5-pro', { input: below(2) ? 50_000 + below(100_000) : 210_000 + below(200_000) }),
    ),
  'cache-gap': () => [
    ...many(150, () =>
      plant('claude-sonnet-4-5', { input: 20_000, cached: 15_000 + below(2_000), agent: 'best' }),
    ),
    ...many(150, () =>
      plant('claude-sonnet-4-5', { input: 20_000 + below(5_000), cached: below(4_000), agent: 'other' }),
    ),
  ],
  batch: () => many(500, () => plant('gpt-4.1', { user: below(2) ? undefined : 'u-1' })),
  'cheaper-model': () =>
    many(300, () => plant('gpt-4o', { input: 20_000 + below(20_000), output: 50 + below(100) })),
};

async function withWorld(run: (world: TestApp) => Promise<void>): Promise<void> {
  const world = await openTestApp({ rateLimits: false });
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

/** What is listed is what an independent calculation finds, with amounts within 5 %, and its query gives its evidence. */
async function check(world: TestApp, calls: readonly Planted[]): Promise<void> {
  const expected = expectedOf(calls);
  const { recommendations, skipped } = await list(world);
  expect(skipped).toEqual([]);
  expect(recommendations.map(({ kind, model }) => `${kind} ${model}`).toSorted()).toEqual(
    [...expected.keys()].toSorted(),
  );
  for (const one of recommendations) {
    const part = one.monthlyUsd / (expected.get(`${one.kind} ${one.model}`) ?? 0);
    expect([one.kind, one.model, part, part > 0.95 && part < 1.05]).toEqual([
      one.kind,
      one.model,
      part,
      true,
    ]);
    expect(one.range.lowUsd).toBeLessThanOrEqual(one.monthlyUsd);
    expect(one.range.highUsd).toBeGreaterThanOrEqual(one.monthlyUsd);
    // The last 30 days are those of all other figures: 30 whole days, and what has passed of today.
    expect(one.query.start).toBe(formatInstant(startDaysAgo(TEST_NOW, 30)));
    const again = await world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
      bearer: world.seed.bearer,
      json: one.query,
    });
    const { total } = (await again.json()) as { total: { values: { cost: number; requests: number } } };
    expect(total.values.cost).toBeCloseTo(one.evidence.costUsd, 6);
    expect(total.values.requests).toBe(one.evidence.calls);
  }
}

test('each kind of saving that is planted in random calls is found with the amount of an independent calculation', async () => {
  expect(Object.keys(SCENES).toSorted()).toEqual(RECOMMENDATION_KINDS.toSorted());
  for (const [kind, scene] of Object.entries(SCENES))
    await withWorld(async (world) => {
      const calls = scene();
      await send(world, calls);
      expect([...expectedOf(calls).keys()].some((found) => found.startsWith(kind))).toBe(true);
      await check(world, calls);
    });
}, 120_000);

test(
  'savings of several kinds in the same calls are told apart',
  () =>
    withWorld(async (world) => {
      const calls = Object.values(SCENES).flatMap((scene) => (below(3) ? scene() : []));
      await send(world, calls);
      await check(world, calls);
    }),
  60_000,
);

test(
  'calls without anything to save give no recommendation',
  () =>
    withWorld(async (world) => {
      expect(await list(world)).toEqual({ recommendations: [], skipped: [], callsRead: { promptHash: 0 } });
      let hash = 0;
      const calls = (['gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-pro'] as const).flatMap(
        (model) =>
          many(300, () =>
            plant(model, {
              input: 5_000 + below(90_000),
              cached: 1_000 + below(500),
              agent: below(2) ? 'a' : 'b',
              hash: `h-${hash++}`,
            }),
          ),
      );
      await send(world, calls);
      expect(expectedOf(calls).size).toBe(0);
      expect((await list(world)).recommendations).toEqual([]);
    }),
  60_000,
);

const act = (world: TestApp, id: string, verb: string, json?: unknown): Promise<Response> =>
  world.fetch(`/v1/ai/recommendations/${id}/${verb}?projectId=${world.seed.projectId}`, {
    method: 'POST',
    bearer: world.seed.bearer,
    ...(json === undefined ? {} : { json }),
  });

test(
  'a recommendation is dismissed with its reason and opened again',
  () =>
    withWorld(async (world) => {
      await send(world, SCENES.batch?.() ?? []);
      const [{ id } = { id: '' }] = (await list(world)).recommendations;
      expect((await act(world, id, 'dismiss', { reason: '' })).status).toBe(400);
      expect((await act(world, 'nothing', 'dismiss', { reason: 'no' })).status).toBe(404);
      expect((await act(world, id, 'reopen')).status).toBe(409);
      expect(await (await act(world, id, 'dismiss', { reason: 'Answers are awaited' })).json()).toEqual({
        id,
        state: 'dismissed',
      });
      const [dismissed] = (await list(world)).recommendations;
      expect(dismissed).toMatchObject({
        state: 'dismissed',
        decision: { reason: 'Answers are awaited', as: null, by: expect.any(String) },
        saved: null,
      });
      expect((await act(world, id, 'reopen')).status).toBe(200);
      expect((await list(world)).recommendations[0]).toMatchObject({ state: 'open', decision: null });
    }),
  60_000,
);

test(
  'an applied recommendation says what the same calls cost before and after',
  () =>
    withWorld(async (world) => {
      const before = many(300, () => plant('gpt-4o', { input: 30_000, output: 50 + below(100) }));
      await send(world, before);
      const [found] = (await list(world)).recommendations.filter(({ kind }) => kind === 'cheaper-model');
      if (found === undefined) throw new Error('nothing was found');
      expect((await act(world, found.id, 'apply', { as: 'change' })).status).toBe(200);
      expect(
        (await list(world)).recommendations.find(({ id }) => id === found.id)?.saved?.savedUsd,
      ).toBeNull();
      world.clock.set(TEST_NOW + 5 * DAY_MS);
      const after = many(100, () =>
        plant('gpt-4o-mini', {
          input: 30_000,
          output: 50 + below(100),
          ts: TEST_NOW + 1 + below(5 * DAY_MS - 1),
        }),
      );
      await send(world, after);
      const applied = (await list(world)).recommendations.find(({ id }) => id === found.id);
      const sum = (calls: readonly Planted[]): number => calls.reduce((all, call) => all + costOf(call), 0);
      const first = Math.floor(Math.min(...before.map(({ ts }) => ts)) / DAY_MS) * DAY_MS;
      const days = (TEST_NOW - first) / DAY_MS;
      expect(applied).toMatchObject({
        state: 'applied',
        decision: { as: 'change', monthlyUsd: found.monthlyUsd },
      });
      expect(applied?.saved?.savedUsd).toBeCloseTo((sum(before) / days) * 5 - sum(after), 2);
      const { query } = applied?.saved ?? {};
      const again = await world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
        bearer: world.seed.bearer,
        json: query,
      });
      const { total } = (await again.json()) as { total: { values: { cost: number } } };
      expect(total.values.cost).toBeCloseTo(sum(after), 6);
    }),
  60_000,
);

test(
  'what a recommendation can become is a body that its endpoint takes, audited as an action of the copilot',
  () =>
    withWorld(async (world) => {
      await send(world, SCENES['failed-calls']?.() ?? []);
      const [found] = (await list(world)).recommendations;
      expect(found?.documents.map(({ as }) => as)).toEqual(['alert', 'budget']);
      for (const { path, body } of found?.documents ?? []) {
        const response = await world.fetch(path, {
          bearer: world.seed.bearer,
          json: body,
          headers: { 'Spanledger-Origin': 'copilot' },
        });
        expect([path, response.status]).toEqual([path, 201]);
        expect(await response.json()).toMatchObject({ name: body.name });
      }
      const log = await world.fetch(`/v1/audit?organizationId=${world.seed.organizationId}`, {
        bearer: world.seed.bearer,
      });
      const actions = ((await log.json()) as { entries: { action: string }[] }).entries.map(
        ({ action }) => action,
      );
      for (const action of [
        'alert.created',
        'copilot.alert_created',
        'budget.created',
        'copilot.budget_created',
      ])
        expect(actions).toContain(action);
    }),
  60_000,
);
