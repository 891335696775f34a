import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { RootCause } from '../../../src/core/root-cause/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const random = createRandom(TEST_SEED);
let world: TestApp;
let other: Tenant;

const START = TEST_NOW - 4 * HOUR_MS;
const CALLS = 400;
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

/** A call with a score. Releases are independent of models; answers of `mini` get worse in the second window. */
type Scored = {
  readonly id: string;
  readonly isLater: boolean;
  readonly model: string;
  readonly tone: number;
};
const calls: (Scored & { readonly at: number; readonly release: string; readonly team: string })[] = [];

async function post(path: string, body: unknown, tenant: Tenant): Promise<void> {
  const response = await world.fetch(`/v1/${path}?projectId=${tenant.projectId}`, {
    method: 'POST',
    bearer: tenant.bearer,
    json: body,
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
}

beforeAll(async () => {
  world = await openTestApp();
  other = await world.addTenant();
  for (let i = 0; i < CALLS; i++) {
    const isLater = i >= CALLS / 2;
    const model = pick(['gpt-4o', 'gpt-4o-mini', 'gpt-5']);
    const isWorse = isLater && model === 'gpt-4o-mini';
    calls.push({
      id: crypto.randomUUID().replaceAll('-', ''),
      isLater,
      model,
      at: START + (isLater ? HOUR_MS : 0) + Math.floor(random() * HOUR_MS),
      release: pick(['v1', 'v2']),
      team: pick(['search', 'support']),
      tone: Math.round((isWorse ? 0.2 : 0.8) * 1e3 + (random() - 0.5) * 200) / 1e3,
    });
  }
  for (let from = 0; from < CALLS; from += 100) {
    const some = calls.slice(from, from + 100);
    const events = some.map(({ id, model, at, release, team }) => ({
      trace_id: id,
      timestamp: new Date(at).toISOString(),
      provider: 'openai',
      model,
      release,
      tags: { team },
      input_tokens: 100,
      output_tokens: 10,
    }));
    const sent = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
    expect(sent.status).toBe(202);
    const scores = some.flatMap(({ id, tone }) => [
      { name: 'tone', value: tone, traceId: id },
      { name: 'verdict', value: tone < 0.5 ? 'bad' : 'good', traceId: id },
    ]);
    await post('scores', scores.slice(0, 100), world.seed);
    await post('scores', scores.slice(100), world.seed);
  }
});
afterAll(() => world.close());

const at = (ms: number): string => new Date(ms).toISOString();
const WINDOW = `start=${at(START + HOUR_MS)}&end=${at(START + 2 * HOUR_MS - 1)}`;

const ask = (measure: string, more = '', tenant: Tenant = world.seed): Promise<Response> =>
  world.fetch(
    `/v1/root-cause?projectId=${tenant.projectId}&${WINDOW}&measure=${encodeURIComponent(measure)}${more}`,
    { bearer: tenant.bearer },
  );
async function explain(measure: string, more = ''): Promise<RootCause> {
  const response = await ask(measure, more);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as RootCause;
}

const mean = (some: readonly Scored[]): number => some.reduce((sum, { tone }) => sum + tone, 0) / some.length;
const sum = (parts: readonly { readonly contribution: number }[]): number =>
  parts.reduce((all, { contribution }) => all + contribution, 0);

describe(`causes of scores (seed ${TEST_SEED})`, () => {
  test('the model whose answers became worse is named first, and contributions add up', async () => {
    const found = await explain('score:tone');
    const [before, after] = [calls.filter((one) => !one.isLater), calls.filter((one) => one.isLater)];
    expect(found.unit).toBe('score');
    expect(found.baseline).toMatchObject({ calls: before.length, value: expect.closeTo(mean(before), 5) });
    expect(found.window).toMatchObject({ calls: after.length, value: expect.closeTo(mean(after), 5) });
    expect(found.change).toBeCloseTo(mean(after) - mean(before), 5);
    expect(found.causes[0]?.values).toEqual([{ dimension: 'model', value: 'gpt-4o-mini' }]);
    expect(found.causes[0]?.filter).toBe('model:gpt-4o-mini');
    expect(found.summary).toContain('The score “tone” fell from');
    expect(sum([...found.causes, found.rest])).toBeCloseTo(found.change ?? 0, 6);
    for (const { values, others } of found.dimensions)
      expect(sum([...values, others])).toBeCloseTo(found.change ?? 0, 6);
    const points = found.series.points.flatMap(({ value }) => (value === null ? [] : [value]));
    expect(points).toHaveLength(2);
    expect(points[1]).toBeCloseTo(mean(after), 5);
  });

  test('the share of a category is a fraction, its number a count', async () => {
    const bad = (isLater: boolean): number =>
      calls.filter((one) => one.isLater === isLater && one.tone < 0.5).length;
    const share = await explain('score:verdict=bad');
    expect(share).toMatchObject({ unit: 'fraction', causes: [{ values: [{ value: 'gpt-4o-mini' }] }] });
    expect(share.window.value).toBeCloseTo(bad(true) / (CALLS / 2), 6);
    const count = await explain('scoreCount:verdict=bad');
    expect(count).toMatchObject({ unit: 'scores', change: bad(true) - bad(false) });
    expect(count.causes[0]?.values).toEqual([{ dimension: 'model', value: 'gpt-4o-mini' }]);
  });

  test('filters hold for what scores are about; one that scores do not have is refused', async () => {
    const found = await explain('score:tone', '&model=gpt-5');
    const after = calls.filter((one) => one.isLater && one.model === 'gpt-5');
    expect(found.window).toMatchObject({ calls: after.length, value: expect.closeTo(mean(after), 5) });
    const refused = await ask('score:tone', `&filter=${encodeURIComponent('latency>1s')}`);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { error: string }).error).toContain(
      'scores cannot be filtered by latency',
    );
    expect((await ask('score:')).status).toBe(400);
  });

  test('a tenant has no causes of the scores of another, and none are invented', async () => {
    const response = await ask('score:tone', '', other);
    expect(await response.json()).toMatchObject({ status: 'no_calls', causes: [], window: { calls: 0 } });
  });
});
