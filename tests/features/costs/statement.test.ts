import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventsOf } from '../../../src/core/events/index.ts';
import { ofProject, operatorScope } from '../../../src/core/tenancy/index.ts';
import type { Statement } from '../../../src/features/costs/contract.ts';
import { readExplanation } from '../../../src/features/costs/explain.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom } from '../../helpers/random.ts';

const TODAY = Math.floor(TEST_NOW / DAY_MS) * DAY_MS;
const DAYS = [TODAY - DAY_MS, TODAY - 2 * DAY_MS];
const next = createRandom(1);
const random = (max: number): number => Math.floor(next() * max);
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];
let world: TestApp;
const ids = new Map<number, string[]>();

/** A call of any layout, tier, model and kind of cost. */
function makeCall(ts: number): Record<string, unknown> {
  const [provider, model] = oneOf([
    ['openai', 'gpt-4o'],
    ['openai', 'gpt-4o-mini'],
    ['openai', 'gpt-4o-realtime-preview'],
    ['anthropic', 'claude-sonnet-4-5'],
    ['anthropic', 'claude-3-5-haiku-20241022'],
    ['google', 'gemini-2.5-pro'],
    ['house', 'own-7b'],
    ['acme', 'unheard-of'],
  ]);
  const input = random(10) === 0 ? 150_000 + random(300_000) : random(9_000);
  const cached = random(3) === 0 ? random(input + 1) : 0;
  const output = random(900);
  const usage = {
    ...(random(4) === 0 ? { server_tool_use: { web_search_requests: random(3) } } : {}),
    ...(random(5) === 0 ? { service_tier: oneOf(['batch', 'priority', 'default']) } : {}),
    ...(model.includes('realtime') ? { input_token_details: { audio_tokens: random(input + 1) } } : {}),
  };
  return {
    event_id: crypto.randomUUID(),
    timestamp: new Date(ts).toISOString(),
    provider,
    model,
    status: oneOf(['success', 'success', 'success', 'error', 'cancelled']),
    environment: oneOf(['production', 'staging']),
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_tokens: random(4) === 0 ? random(400) : 0,
    output_tokens: random(10) === 0 ? 0 : output,
    reasoning_tokens: random(4) === 0 ? random(output + 1) : 0,
    ...(random(9) === 0 ? { cost_usd: random(1e9) / 1e9 } : {}),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  };
}

beforeAll(async () => {
  world = await openTestApp();
  const noon = new Date((DAYS[0] ?? 0) + DAY_MS / 2).toISOString();
  const rates = { input: 0.0375, output: 1 / 3, cacheRead: 0.004, perRequest: 0.000123456 };
  const own = { provider: 'house', match: 'prefix', model: 'own-' };
  await world.app.act(setPricesAction, {
    organization: 'Acme',
    prices: [
      { ...own, rates, effectiveUntil: noon },
      { ...own, rates: { ...rates, input: 0.0425 }, effectiveFrom: noon },
    ],
  });
  for (const day of DAYS) {
    const calls = Array.from({ length: 400 }, () => makeCall(day + random(DAY_MS)));
    ids.set(
      day,
      calls.map(({ event_id }) => String(event_id)),
    );
    for (let at = 0; at < calls.length; at += 100) {
      const events = calls.slice(at, at + 100);
      const response = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
      expect(((await response.json()) as { rejected: unknown[] }).rejected).toEqual([]);
    }
  }
});
afterAll(() => world.close());

async function statement(day: number, more = '', tenant = world.seed): Promise<Statement> {
  const date = new Date(day).toISOString().slice(0, 10);
  const path = `/v1/costs/statement?projectId=${tenant.projectId}&day=${date}${more}`;
  const response = await world.fetch(path, { bearer: tenant.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as Statement;
}

/** Each call explained by itself, and the explanations added up. */
async function recount(day: number): Promise<Map<string, [tokens: number, nano: number]>> {
  const sums = new Map<string, [number, number]>();
  const add = (key: unknown[], tokens: number, nano: number): void => {
    const id = JSON.stringify(key);
    const [t, n] = sums.get(id) ?? [0, 0];
    sums.set(id, [t + tokens, n + nano]);
  };
  const { projectId, organizationId } = world.seed;
  const scope = ofProject(operatorScope({ id: projectId, no: 1, organizationId }));
  for (const id of ids.get(day) ?? []) {
    const explanation = await readExplanation(world.ctx, scope, { id, ts: null });
    const { provider, model, cost_status, cost_nano, lines, price, adds_up } = explanation;
    if (price === null) {
      if (cost_status === 'client') add([provider, model, 'client'], 0, cost_nano ?? 0);
      continue;
    }
    expect(adds_up).toBe(true);
    const { recorded: _, ...applied } = price;
    for (const { bucket, tokens, amount_nano } of lines)
      add([provider, model, cost_status, applied, bucket], tokens, amount_nano);
  }
  return sums;
}

test('each line is what the calls of its price add up to, and all lines are the cost of the day', async () => {
  for (const day of DAYS) {
    const { lines, ...doc } = await statement(day);
    expect(doc).toMatchObject({ adds_up: true, calls: 400, lines_nano: doc.total_nano });
    const told = lines.flatMap(({ provider, model, kind, price, bucket, tokens, amount_nano }) =>
      kind === 'unpriced' || (price !== null && bucket === null)
        ? []
        : [
            [
              JSON.stringify(
                price === null ? [provider, model, kind] : [provider, model, kind, price, bucket],
              ),
              [price === null ? 0 : tokens, amount_nano],
            ] as const,
          ],
    );
    expect(new Map(told)).toEqual(await recount(day));
    expect(lines.reduce((sum, { amount_nano }) => sum + (amount_nano ?? 0), 0)).toBe(doc.total_nano);
    for (const { tokens, usd_per_million, rounding_nano, amount_nano, bucket } of lines) {
      if (bucket === null || bucket === 'request') continue;
      expect((tokens ?? 0) * (usd_per_million ?? 0) * 1000 + rounding_nano).toBeCloseTo(amount_nano ?? 0, 3);
    }
    expect(lines.filter(({ kind }) => kind === 'unpriced').map((line) => line.amount_nano)).toEqual([null]);
  }
});

test('tiers, prices that changed at noon and fees have lines of their own', async () => {
  const { lines } = await statement(DAYS[0] ?? 0);
  const own = lines.filter(({ model }) => model === 'own-7b');
  const inputs = own.filter(({ bucket }) => bucket === 'fresh').map((line) => line.usd_per_million);
  expect([...new Set(inputs)].sort()).toEqual([0.0375, 0.0425]);
  expect(own.filter(({ bucket }) => bucket === 'request').length).toBe(inputs.length);
  const gemini = lines.filter(({ model, bucket }) => model === 'gemini-2.5-pro' && bucket === 'fresh');
  expect(gemini.map(({ price }) => price?.context_above)).toContain(200_000);
  expect(lines.some(({ bucket }) => bucket === 'webSearch')).toBe(true);
  expect(lines.some(({ bucket }) => bucket === 'audioInput')).toBe(true);
});

test('environments add up to all of them', async () => {
  const [all, ...some] = await Promise.all(
    ['', '&environment=production', '&environment=staging'].map((more) => statement(DAYS[1] ?? 0, more)),
  );
  expect(some.every(({ adds_up }) => adds_up)).toBe(true);
  expect(some.reduce((sum, { total_nano }) => sum + total_nano, 0)).toBe(all?.total_nano ?? -1);
  expect((await statement(DAYS[1] ?? 0, '&environment=nowhere')).lines).toEqual([]);
  expect(await statement(DAYS[1] ?? 0, '&environment=')).toEqual(all as Statement);
});

test('an own price that is edited during the day has lines before and after, with the calls of each', async () => {
  const tenant = await world.addTenant();
  const day = DAYS[0] ?? 0;
  const { bearer, apiKey, organizationId } = tenant;
  const send = async (count: number): Promise<void> => {
    const timestamp = new Date(day + DAY_MS / 2).toISOString();
    const call = { provider: 'house', model: 'own-7b', timestamp, input_tokens: 1_000, output_tokens: 10 };
    const events = Array.from({ length: count }, () => call);
    expect((await world.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
  };
  const price = (input: number): object => ({
    provider: 'house',
    model: 'own-7b',
    rates: { input, output: 9 },
  });
  const made = await world.fetch(`/v1/prices?organizationId=${organizationId}`, { bearer, json: price(1) });
  const { id } = (await made.json()) as { id: string };
  await send(100);
  const path = `/v1/prices/${id}?organizationId=${organizationId}`;
  expect((await world.fetch(path, { method: 'PUT', bearer, json: price(2) })).status).toBe(200);
  await send(50);
  const { lines, calls } = await statement(day, '', tenant);
  expect(calls).toBe(150);
  expect(lines.map((line) => [line.kind, line.bucket, line.usd_per_million, line.calls])).toEqual([
    ['priced', 'fresh', 1, 100],
    ['priced', 'output', 9, 100],
    ['priced', 'fresh', 2, 50],
    ['priced', 'output', 9, 50],
  ]);
  expect(new Set(lines.map(({ price_id }) => price_id)).size).toBe(2);
});

test('rows that retention has deleted are one line of what is left of them', async () => {
  const day = DAYS[1] ?? 0;
  const before = await statement(day);
  const { projectId: id, organizationId } = world.seed;
  const scope = operatorScope({ id, no: 1, organizationId });
  await eventsOf(world.ctx).deleteBefore(scope, day + DAY_MS / 3, { signal: new AbortController().signal });
  const after = await statement(day);
  expect({ ...after, lines: [] }).toEqual({ ...before, lines: [] });
  const summed = after.lines.filter(({ kind }) => kind === 'summed');
  expect(summed.length).toBeGreaterThan(3);
  expect(after.lines.reduce((sum, { amount_nano }) => sum + (amount_nano ?? 0), 0)).toBe(after.total_nano);
});

test('what is no day is refused', async () => {
  for (const day of ['', '2026-02-30', 'yesterday', '2026-01-01T00:00:00Z']) {
    const path = `/v1/costs/statement?projectId=${world.seed.projectId}&day=${day}`;
    expect((await world.fetch(path, { bearer: world.seed.bearer })).status).toBe(400);
  }
});
