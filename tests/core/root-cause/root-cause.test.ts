import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { RootCause } from '../../../src/core/root-cause/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let other: Tenant;

const START = TEST_NOW - 2 * HOUR_MS;
const at = (ms: number): string => new Date(ms).toISOString();

/** 60 calls a window: two models of one provider, four users. Release v2 is in the second window only. */
function calls(from: number, given: (i: number) => object): object[] {
  return Array.from({ length: 60 }, (_, i) => ({
    timestamp: at(from + i * 60_000),
    provider: 'openai',
    model: i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    user_id: `u-${i % 4}`,
    environment: i % 5 === 0 ? 'staging' : 'production',
    release: 'v1',
    tags: { team: i % 2 === 0 ? 'search' : 'support' },
    latency_ms: 500 + (i % 7) * 10,
    input_tokens: 1_000,
    output_tokens: 100,
    status: 'success',
    ...given(i),
  }));
}

beforeAll(async () => {
  world = await openTestApp();
  other = await world.addTenant();
  const events = [
    ...calls(START, () => ({})),
    ...calls(START + HOUR_MS, (i) => ({
      ...(i % 3 === 0 ? { latency_ms: 2_500 + (i % 7) * 10 } : {}),
      ...(i % 4 === 1 ? { release: 'v2' } : {}),
      ...(i % 4 === 1 && i % 8 === 1 ? { status: 'error', error_code: 'bad_schema' } : {}),
    })),
  ];
  for (const batch of [events.slice(0, 60), events.slice(60)])
    await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: batch });
  await world.fetch('/v1/ingest', {
    apiKey: other.apiKey,
    events: [{ timestamp: at(START), provider: 'openai', model: 'theirs', status: 'success' }],
  });
});
afterAll(() => world.close());

const WINDOW = `start=${at(START + HOUR_MS)}&end=${at(START + 2 * HOUR_MS - 1)}`;

async function ask(query: string, tenant: Tenant = world.seed): Promise<Response> {
  return world.fetch(`/v1/root-cause?projectId=${tenant.projectId}&${query}`, { bearer: tenant.bearer });
}
const explain = async (query: string): Promise<RootCause> => {
  const response = await ask(query);
  expect(response.status).toBe(200);
  return (await response.json()) as RootCause;
};

/** Whether figures of nine decimals add up exactly. */
const addUp = (parts: readonly number[], total: number): void => {
  const units = (value: number): number => Math.round(value * 1e9);
  expect(parts.reduce((sum, part) => sum + units(part), 0)).toBe(units(total));
};

describe('GET /v1/root-cause', () => {
  test('names the model that became slower, with examples that are slow', async () => {
    const doc = await explain(`measure=latencyAvg&${WINDOW}`);
    expect(doc.status).toBe('explained');
    expect(doc.causes[0]).toMatchObject({ label: 'model gpt-4o', filter: 'model:gpt-4o', isNew: false });
    expect(doc.causes[0]?.share).toBeCloseTo(1, 1);
    expect(doc.summary).toContain('Model “gpt-4o” explains');
    expect(doc.examples).toHaveLength(5);
    for (const { model, latencyMs } of doc.examples) {
      expect(model).toBe('gpt-4o');
      expect(latencyMs).toBeGreaterThan(2_000);
    }
    expect(doc.window.value).toBeCloseTo((doc.baseline.value ?? 0) + (doc.change ?? 0), 3);
  });

  test('names the new release that fails, and the error in its dimension', async () => {
    const doc = await explain(`measure=errorRate&${WINDOW}`);
    expect(doc.causes[0]).toMatchObject({ label: 'release v2', isNew: true });
    expect(doc.causes[0]?.reason).toContain('new in this window, error rate');
    const errors = doc.dimensions.find(({ dimension }) => dimension === 'errorCode');
    expect(errors?.values.map(({ value }) => value)).toContain('bad_schema');
    for (const { status } of doc.examples) expect(status).toBe('error');
    expect(doc.deployments.map(({ release }) => release)).toContain('v2');
  });

  test('contributions add up exactly: of causes with the rest, and of each dimension with its others', async () => {
    for (const measure of [
      'cost',
      'errorRate',
      'errors',
      'latencyAvg',
      'latencyP95',
      'requests',
      'cacheRate',
    ]) {
      const doc = await explain(`measure=${measure}&${WINDOW}`);
      if (doc.change === null) throw new Error(`${measure} has no change`);
      addUp([...doc.causes.map(({ contribution }) => contribution), doc.rest.contribution], doc.change);
      for (const { values, others } of doc.dimensions)
        addUp([...values.map(({ contribution }) => contribution), others.contribution], doc.change);
    }
  });

  test('explains the cost that the costs show, not the cost of a call', async () => {
    const { window, baseline } = await explain(
      `measure=cost&${WINDOW}&baselineStart=${at(START)}&baselineEnd=${at(START + HOUR_MS - 1)}`,
    );
    const costs = await world.fetch(`/v1/costs?projectId=${world.seed.projectId}&${WINDOW}`, {
      bearer: world.seed.bearer,
    });
    expect(window.value).toBeCloseTo(((await costs.json()) as { total: number }).total, 9);
    expect(baseline.value).toBeGreaterThan(0);
  });

  test('a baseline of another length is scaled, one without calls is said', async () => {
    const half = `baselineStart=${at(START)}&baselineEnd=${at(START + HOUR_MS / 2 - 1)}`;
    const scaled = await explain(`measure=requests&${WINDOW}&${half}`);
    expect(scaled.baseline).toMatchObject({ calls: 30, value: 60 });
    expect(scaled).toMatchObject({ status: 'unchanged', change: 0 });
    const empty = await explain(
      `measure=cost&${WINDOW}&baselineStart=${at(START - 2 * HOUR_MS)}&baselineEnd=${at(START - HOUR_MS)}`,
    );
    expect(empty.status).toBe('no_baseline');
    expect(empty.summary).toContain('nothing to compare with');
    expect(empty.causes).toEqual([]);
    const none = await explain(`measure=cost&start=${at(START - HOUR_MS)}&end=${at(START - 1)}`);
    expect(none.status).toBe('no_calls');
  });

  test('filters narrow both windows', async () => {
    const doc = await explain(`measure=latencyAvg&${WINDOW}&filter=model:gpt-4o-mini`);
    expect(doc.window.calls).toBe(40);
    expect(doc.status).not.toBe('explained');
    const tagged = await explain(`measure=latencyAvg&${WINDOW}&tag=team=search`);
    expect(tagged.window.calls).toBe(30);
  });

  test('says what people changed around the start', async () => {
    await world.fetch(`/v1/projects/${world.seed.projectId}/sdk-config`, {
      method: 'PUT',
      bearer: world.seed.bearer,
      json: { sampleRate: 0.5 },
    });
    const doc = await explain(`measure=cost&start=${at(START + HOUR_MS)}`);
    expect(
      doc.changes.some(({ action, by }) => action === 'sdk_config.updated' && by === world.seed.email),
    ).toBe(true);
  });

  test('names the prompt of a version that was made', async () => {
    const made = await world.fetch(`/v1/prompts?projectId=${world.seed.projectId}`, {
      bearer: world.seed.bearer,
      json: { name: 'support/triage', template: 'Sort {{ticket}}' },
    });
    expect(made.status).toBe(201);
    const { changes } = await explain(`measure=cost&start=${at(START + HOUR_MS)}`);
    const version = changes.find(({ action }) => action === 'prompt.version_created');
    expect(version?.subject).toBe('prompt_version support/triage 1');
  });

  test.each([
    ['measure=nonsense', 'measure'],
    ['', 'measure'],
    [`measure=cost&${WINDOW}&baselineStart=${at(START)}`, 'baselineStart'],
    [
      `measure=cost&${WINDOW}&baselineStart=${at(START)}&baselineEnd=${at(START - HOUR_MS)}`,
      'longer than nothing',
    ],
    [`measure=cost&filter=nonsense:x`, 'nonsense'],
  ])('refuses %s', async (query, part) => {
    const response = await ask(query);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(part);
  });

  test("sees nothing of another tenant's calls", async () => {
    const doc = await explain(`measure=requests&start=${at(START - HOUR_MS)}`);
    expect(JSON.stringify(doc)).not.toContain('theirs');
    const foreign = await world.fetch(`/v1/root-cause?projectId=${other.projectId}&measure=cost`, {
      bearer: world.seed.bearer,
    });
    expect(foreign.status).toBe(403);
  });
});
