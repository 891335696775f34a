import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { checkBudgets } from '../../../src/core/budgets/check.ts';
import type { Budget, BudgetEvent } from '../../../src/core/budgets/contract.ts';
import { eventsOf } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import type { CostBreakdown } from '../../../src/features/analytics/contract.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import type { RepricingRow } from '../../../src/features/repricing/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { randomBelow } from '../../helpers/random.ts';

// A budget of an agent or tool uses what the costs by agent or tool show, and what a recount of the calls gives.
const NAMES = { agent: ['guide', 'clerk 2', 'search'], tool: ['search', 'fetch'] } as const;
const KINDS = ['agent', 'tool'] as const;
const PERIODS = ['day', 'week', 'month'] as const;
const random = randomBelow();
let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

type Call = {
  readonly event_id: string;
  readonly timestamp: string;
  readonly kind: 'llm' | 'tool' | 'agent';
  readonly model: 'gpt-4o' | 'acme-1';
  readonly provider: 'openai' | 'acme';
  readonly input_tokens: number;
  readonly user_id: string;
  readonly cost_usd?: number;
  readonly agent?: string;
  readonly tool?: string;
};
const iso = (ms: number): string => new Date(ms).toISOString();
const makeCall = (since: number): Call => {
  const [agent, tool] = [NAMES.agent[random(5)], NAMES.tool[random(4)]];
  const isKnown = random(4) > 0;
  return {
    event_id: crypto.randomUUID(),
    timestamp: iso(TEST_NOW - random(since)),
    kind: (['llm', 'llm', 'llm', 'tool', 'agent'] as const)[random(5)] ?? 'llm',
    model: isKnown ? 'gpt-4o' : 'acme-1',
    provider: isKnown ? 'openai' : 'acme',
    input_tokens: 1 + random(100_000),
    user_id: `user-${random(3)}`,
    ...(agent === undefined ? {} : { agent }),
    ...(tool === undefined ? {} : { tool }),
  };
};

const read = async <T>(path: string, json?: unknown): Promise<T> => {
  const response = await world.fetch(path, {
    bearer: world.seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
  expect([path, response.ok]).toEqual([path, true]);
  return (await response.json()) as T;
};
const budgetsPath = () => `/v1/budgets?organizationId=${world.seed.organizationId}`;
async function send(calls: readonly Call[]): Promise<void> {
  for (let i = 0; i < calls.length; i += 100) {
    const events = calls.slice(i, i + 100);
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  }
}
const seal = async (): Promise<void> => {
  const { no } = await findProject(world.ctx, world.seed.projectId);
  await world.ctx.use(sealerService).sealAll(no);
};

/** Nano-dollars by the prices: what a million tokens of input cost in USD is what a token costs in micro-dollars. */
const spentOn = (calls: readonly Call[], prices: Readonly<Record<Call['model'], number | null>>): number =>
  calls.reduce((sum, { model, input_tokens }) => sum + input_tokens * (prices[model] ?? 0) * 1_000, 0);

/** Budgets against the recount, and against the costs page of the same window. */
async function compare(calls: readonly Call[], prices: Record<Call['model'], number | null>): Promise<void> {
  const { budgets } = await read<{ budgets: Budget[] }>(budgetsPath());
  expect(budgets).toHaveLength(PERIODS.length * (NAMES.agent.length + NAMES.tool.length));
  for (const { of, status } of budgets) {
    if (of.kind !== 'agent' && of.kind !== 'tool') throw new Error(of.kind);
    const name = of.kind === 'agent' ? of.agent : of.tool;
    const own = calls.filter(
      (call) => call.kind === 'llm' && call[of.kind] === name && call.timestamp >= status.periodStart,
    );
    const window = `start=${status.periodStart}&end=${iso(TEST_NOW)}`;
    const { groups } = await read<CostBreakdown>(
      `/v1/costs/breakdown?projectId=${world.seed.projectId}&by=${of.kind}&${window}`,
    );
    const shown = groups.find((group) => group.value === name && !group.none);
    const found = [Math.round(status.spentUsd * 1e9), status.calls, status.unpriced, status.tracked];
    const unpriced = own.filter(({ model }) => prices[model] === null).length;
    expect([name, ...found]).toEqual([name, spentOn(own, prices), own.length, unpriced, true]);
    expect([name, status.spentUsd, status.calls]).toEqual([name, shown?.cost ?? 0, shown?.calls ?? 0]);
  }
}

async function reprice(): Promise<void> {
  const prices = [
    { provider: 'acme', model: 'acme-1', rates: { input: 3, output: 9 } },
    { provider: 'openai', model: 'gpt-4o', rates: { input: 1.25, output: 5 } },
  ];
  await world.app.act(setPricesAction, { organization: 'Acme', prices });
  const path = (part: string) => `/v1/repricings${part}?projectId=${world.seed.projectId}`;
  const whole = { start: iso(TEST_NOW - 40 * DAY_MS), end: iso(TEST_NOW + 1) };
  let row = await read<RepricingRow>(path(''), whole);
  for (const [state, then] of [
    ['looking', '/apply'],
    ['applying', null],
  ] as const) {
    await eventually('the end of the work', async () => {
      row = await read<RepricingRow>(path(`/${row.id}`));
      return row.state !== state;
    });
    if (then !== null) await read(path(`/${row.id}${then}`), {});
  }
}

test('budgets of agents and tools are the costs by them, after late events, re-pricing and erasure', async () => {
  for (const kind of KINDS)
    for (const name of NAMES[kind])
      for (const period of PERIODS) {
        const of = { kind, projectId: world.seed.projectId, [kind]: name };
        const made = await read<Budget>(budgetsPath(), { of, period, limitUsd: 10 });
        expect(made).toMatchObject({
          of,
          name: `${kind === 'agent' ? 'Agent' : 'Tool'} ${name} per ${period}`,
        });
      }
  const old = { 'gpt-4o': 2.5, 'acme-1': null };
  const calls = Array.from({ length: 300 }, () => makeCall(20 * DAY_MS));
  await send(calls);
  await compare(calls, old);
  await seal();
  await compare(calls, old);
  const late = Array.from({ length: 200 }, () => makeCall(20 * DAY_MS));
  await send([...late, ...calls.slice(0, 50)]);
  const all = [...calls, ...late];
  await compare(all, old);
  await seal();
  await reprice();
  const prices = { 'gpt-4o': 1.25, 'acme-1': 3 };
  await compare(all, prices);
  await read(`/v1/projects/${world.seed.projectId}/erasures`, { userId: 'user-1' });
  await erasureJob.run(world.ctx, new AbortController().signal);
  await compare(
    all.filter(({ user_id }) => user_id !== 'user-1'),
    prices,
  );
}, 60_000);

test('a budget of an agent is crossed, says so once, and needs a project of the organization', async () => {
  const { projectId } = world.seed;
  const of = { kind: 'agent', projectId, agent: 'crosser' };
  const { id } = await read<Budget>(budgetsPath(), { of, period: 'day', limitUsd: 1, levels: [50, 100] });
  const cross = {
    ...makeCall(1),
    kind: 'llm',
    model: 'gpt-4o',
    provider: 'openai',
    agent: 'crosser',
  } as const;
  await send([{ ...cross, cost_usd: 0.625, timestamp: iso(TEST_NOW) }]);
  for (let i = 0; i < 2; i++) await runJob(world.ctx, checkBudgets, 'schedule');
  const { events } = await read<{ events: BudgetEvent[] }>(
    `/v1/budgets/events?organizationId=${world.seed.organizationId}`,
  );
  const own = events.filter(({ budgetId }) => budgetId === id);
  expect(own.map(({ level, spentUsd }) => [level, spentUsd])).toEqual([[50, 0.625]]);
  const other = await world.addTenant();
  for (const wrong of [
    { kind: 'agent', projectId: other.projectId, agent: 'x' },
    { kind: 'agent', agent: 'x' },
    { kind: 'tool', projectId, tool: '' },
  ]) {
    const json = { of: wrong, period: 'day', limitUsd: 1 };
    expect((await world.fetch(budgetsPath(), { bearer: world.seed.bearer, json })).status).toBe(400);
  }
});

test('a budget of a period of which retention has deleted calls says that it is incomplete', async () => {
  const project = await findProject(world.ctx, world.seed.projectId);
  await seal();
  const { signal } = new AbortController();
  await eventsOf(world.ctx).deleteBefore(operatorScope(project), TEST_NOW - 2 * DAY_MS, { signal });
  const { budgets } = await read<{ budgets: Budget[] }>(budgetsPath());
  const incomplete = new Set(budgets.filter(({ status }) => !status.tracked).map(({ period }) => period));
  expect(incomplete.has('month')).toBe(true);
  expect(incomplete.has('day')).toBe(false);
});

test('a check reads calls by agent only if their project has spent enough to cross another level', async () => {
  const quiet = await openTestApp();
  const { organizationId, projectId, apiKey, bearer } = quiet.seed;
  const json = { of: { kind: 'agent', projectId, agent: 'guide' }, period: 'day', limitUsd: 10 };
  await quiet.fetch(`/v1/budgets?organizationId=${organizationId}`, { bearer, json });
  const metrics = spyOn(eventsOf(quiet.ctx), 'metrics');
  /** Spends, checks, and says whether calls were read by agent and which levels are noted. */
  const check = async (agent: string, cost_usd: number): Promise<unknown> => {
    const events = [{ provider: 'openai', model: 'gpt-4o', timestamp: iso(TEST_NOW), agent, cost_usd }];
    expect((await quiet.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    metrics.mockClear();
    await runJob(quiet.ctx, checkBudgets, 'schedule');
    const asked = metrics.mock.calls.flatMap(([, queries]) => Object.values(queries));
    const reply = await quiet.fetch(`/v1/budgets/events?organizationId=${organizationId}`, { bearer });
    const { events: noted } = (await reply.json()) as { events: BudgetEvent[] };
    return [asked.some(({ groupBy }) => groupBy?.includes('agent')), noted.map(({ level }) => level)];
  };
  expect(await check('guide', 4)).toEqual([false, []]);
  expect(await check('other', 2)).toEqual([true, []]);
  expect(await check('guide', 1)).toEqual([true, [50]]);
  expect(await check('guide', 0.5)).toEqual([false, [50]]);
  expect(await check('guide', 3)).toEqual([true, [80, 50]]);
  await quiet.close();
});
