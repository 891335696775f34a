import { afterAll, beforeAll, expect, test } from 'bun:test';
import { findProject } from '../../../src/core/projects/index.ts';
import { ofProject, operatorScope } from '../../../src/core/tenancy/index.ts';
import { readSaved } from '../../../src/features/ai/recommendations/read-saved.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { act } from '../../helpers/audit.ts';

/** A project with five calls a day for twenty days, of which it will keep a week. */
let world: TestApp;
const keptFrom = new Date(TEST_NOW - 7 * DAY_MS).toISOString();
const day = (days: number): string => new Date(TEST_NOW - days * DAY_MS).toISOString();

beforeAll(async () => {
  world = await openTestApp();
  const events = Array.from({ length: 100 }, (_, no) => ({
    provider: 'openai',
    model: 'gpt-4o',
    environment: 'production',
    timestamp: new Date(TEST_NOW - Math.floor(no / 5) * DAY_MS - HOUR_MS - no * 1_000).toISOString(),
    input_tokens: 1_000_000,
    latency_ms: 100,
    agent: 'planner',
    prompt_name: 'answer',
    prompt_version: '1',
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  const messages = [{ role: 'user', content: 'Answer {{question}}' }];
  const prompt = { name: 'answer', messages };
  expect(await call('/v1/prompts', { method: 'POST', json: prompt })).toHaveProperty('name', 'answer');
});
afterAll(() => world.close());

type Reply = Readonly<Record<string, unknown>>;

async function call(path: string, options: object = {}): Promise<Reply> {
  const { projectId, bearer } = world.seed;
  const end = path.includes('?') ? '&' : '?';
  const reply = await world.fetch(`${path}${end}projectId=${projectId}`, { bearer, ...options });
  expect([path, reply.ok, reply.ok ? '' : await reply.clone().text()]).toEqual([path, true, '']);
  return (await reply.json()) as Reply;
}

const ROOT_CAUSE = `/v1/root-cause?measure=cost&start=${day(3)}`;
const NEEDING = [
  '/v1/prompts?figureDays=30',
  `/v1/prompts/answer/figures?start=${day(20)}`,
  `${ROOT_CAUSE}&baselineStart=${day(13)}&baselineEnd=${day(10)}`,
  '/v1/ai/anomalies',
  '/v1/ai/recommendations',
];
const COMPLETE = [
  '/v1/prompts?figureDays=3',
  '/v1/prompts',
  `/v1/prompts/answer/figures?start=${day(5)}`,
  ROOT_CAUSE,
];

const deletedIn = (paths: readonly string[]): Promise<unknown[]> =>
  Promise.all(paths.map(async (path) => [path, (await call(path)).deletedBefore]));
const all = (paths: readonly string[], before?: string): unknown[] => paths.map((path) => [path, before]);

const deployment = { release: '2', environment: 'production', at: day(10) };

test('figures that need calls which retention has deleted say so, those of sums stay as they were', async () => {
  const { id } = await call('/v1/deployments', { method: 'POST', json: deployment });
  const side = { calls: 35, costPerCall: 2.5, errorRate: 0 };
  const expectEffect = async (): Promise<void> =>
    expect(await call(`/v1/deployments/${id}/effect?hours=168`)).toMatchObject({ before: side, after: side });
  await expectEffect();
  const within = {
    release: '3',
    environment: 'production',
    // Amid the calls of an hour.
    at: new Date(TEST_NOW - 10 * DAY_MS - HOUR_MS - 52_500).toISOString(),
  };
  const { id: other } = await call('/v1/deployments', { method: 'POST', json: within });
  const noteOf = async (one: unknown): Promise<unknown> =>
    (await call(`/v1/deployments/${one}/effect?hours=168`)).note;
  expect(await noteOf(other)).toBe('1 other deployment in the same time: 2.');
  const scope = operatorScope(await findProject(world.ctx, world.seed.projectId));
  const saved = (tracked: string) =>
    readSaved(world.ctx, ofProject(scope), { tracked, at: TEST_NOW - 5 * DAY_MS, now: TEST_NOW });
  expect(await deletedIn([...NEEDING, ...COMPLETE])).toEqual(all([...NEEDING, ...COMPLETE]));
  const known = await saved('agent:planner');
  expect(known.savedUsd).toBeNumber();
  expect(known).toEqual(await saved('model:gpt-4o').then((one) => ({ ...one, query: known.query })));

  await call(`/v1/projects/${world.seed.projectId}`, { method: 'PUT', json: { retentionDays: 7 } });
  await act(world, 'jobs.run', { name: 'retention.delete_expired' });

  expect(await deletedIn(NEEDING)).toEqual(all(NEEDING, keptFrom));
  expect(await deletedIn(COMPLETE)).toEqual(all(COMPLETE));
  await expectEffect();
  expect(await noteOf(id)).toBe('1 other deployment in the same time: 3.');
  expect(await noteOf(other)).toStartWith(
    'Calls of this time have been deleted (retention): the hour of the deployment counts on both sides. 1 other',
  );
  expect(await saved('agent:planner')).toMatchObject({ savedUsd: null, deletedBefore: keptFrom });
  expect(await saved('model:gpt-4o')).toEqual({
    ...known,
    query: { ...known.query, filter: 'model:gpt-4o' },
  });
});
