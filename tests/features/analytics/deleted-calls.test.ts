import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ReportFigures } from '../../../src/features/scheduled-reports/figures/contract.ts';
import { incompleteTexts } from '../../../src/lib/reports/labels.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { act } from '../../helpers/audit.ts';

/** A project that keeps a week, with a call a day for twenty days. */
let world: TestApp;
const keptFrom = new Date(TEST_NOW - 7 * DAY_MS).toISOString();

beforeAll(async () => {
  world = await openTestApp();
  const { projectId, bearer } = world.seed;
  const week = { method: 'PUT', bearer, json: { retentionDays: 7 } };
  expect((await world.fetch(`/v1/projects/${projectId}`, week)).status).toBe(200);
  const events = Array.from({ length: 20 }, (_, day) => ({
    provider: 'openai',
    model: 'gpt-4o',
    timestamp: new Date(TEST_NOW - day * DAY_MS - HOUR_MS).toISOString(),
    input_tokens: 1_000_000,
    agent: 'planner',
    user_id: 'ada',
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => world.close());

type Reply = { readonly deletedBefore?: string; readonly calls?: number; readonly answer?: string };

async function get(path: string, json?: object): Promise<Reply> {
  const { projectId, bearer } = world.seed;
  const end = path.includes('?') ? '&' : '?';
  const reply = await world.fetch(`${path}${end}projectId=${projectId}`, { bearer, ...(json && { json }) });
  expect([path, reply.status]).toEqual([path, 200]);
  return (await reply.json()) as Reply;
}

const overview = (query: string): Promise<Reply> =>
  get(`/v1/projects/${world.seed.projectId}/overview?${query}`);
const metrics = (document: object): Promise<Reply> => get('/v1/metrics/query', { range: '30d', ...document });

const AGENT = `filter=${encodeURIComponent('agent:planner')}`;
const LAST_DAYS = `start=${new Date(TEST_NOW - 3 * DAY_MS).toISOString()}`;

/** Replies that need single calls of the last thirty days. */
const needing = (): Promise<Reply>[] => [
  overview(AGENT),
  ...['costs', 'performance', 'errors'].map((noun) => get(`/v1/${noun}?${AGENT}`)),
  get('/v1/costs/breakdown?by=agent'),
  get(`/v1/costs/breakdown?by=day&${AGENT}`),
  metrics({ measures: ['cost'], groupBy: ['agent'] }),
  metrics({ measures: ['runs'], groupBy: ['agent'] }),
  get('/v1/ai/query', { question: 'cost by agent in the last 30 days' }),
];

/** Replies that sums tell, or of days whose calls are all there. */
const complete = (): Promise<Reply>[] => [
  overview(''),
  ...['costs', 'performance', 'errors'].map((noun) => get(`/v1/${noun}`)),
  ...['model', 'userId', 'key', 'day'].map((by) => get(`/v1/costs/breakdown?by=${by}`)),
  get(`/v1/costs/breakdown?by=agent&${LAST_DAYS}`),
  metrics({ measures: ['cost', 'latencyP95'], groupBy: ['model', 'status'], compare: 'previous' }),
  metrics({ measures: ['cost'], groupBy: ['agent'], range: '24h' }),
  get('/v1/ai/query', { question: 'cost by model in the last 30 days' }),
];

const deletedIn = async (replies: readonly Promise<Reply>[]): Promise<(string | undefined)[]> =>
  (await Promise.all(replies)).map(({ deletedBefore }) => deletedBefore);

test('figures that leave out deleted calls say before when, and totals that have them do not', async () => {
  const none = (replies: readonly unknown[]): undefined[] => replies.map(() => undefined);
  expect(await deletedIn(needing())).toEqual(none(needing()));
  await act(world, 'jobs.run', { name: 'retention.delete_expired' });
  const found = await deletedIn(needing());
  expect(found).toEqual(found.map(() => keptFrom));
  const whole = await deletedIn(complete());
  expect(whole).toEqual(none(whole));
  expect(await get('/v1/costs')).toMatchObject({ calls: 20 });
  expect(await get(`/v1/costs?${AGENT}`)).toMatchObject({ calls: 7 });
  const { answer } = await get('/v1/ai/query', { question: 'cost by agent in the last 30 days' });
  expect(answer).toEndWith('Older calls have been deleted (retention) and are in none of these figures.');
});

test('a period that is compared with another counts too', async () => {
  const start = new Date(TEST_NOW - 5 * DAY_MS).toISOString();
  const document = { measures: ['cost'], groupBy: ['agent'], range: undefined, start };
  expect(await metrics(document)).not.toHaveProperty('deletedBefore');
  expect(await metrics({ ...document, compare: 'previous' })).toHaveProperty('deletedBefore', keptFrom);
});

test('a window that begins within an hour of deleted calls says that the hour counts as a whole', async () => {
  // The call of the day was an hour before noon.
  const from = TEST_NOW - 9 * DAY_MS - HOUR_MS + 60_000;
  const window = {
    start: new Date(from).toISOString(),
    end: new Date(from + 2 * HOUR_MS - 60_001).toISOString(),
  };
  const query = new URLSearchParams(window).toString();
  const hour = new Date(TEST_NOW - 9 * DAY_MS - HOUR_MS).toISOString();
  const countedWhole = [{ start: hour, end: hour.replace(':00:00.000Z', ':59:59.999Z') }];
  expect(await get(`/v1/costs?${query}`)).toMatchObject({ calls: 1, total: 2.5, countedWhole });
  expect(await get(`/v1/performance?${query}`)).toMatchObject({ calls: 1, countedWhole });
  expect(await get(`/v1/errors?${query}`)).toMatchObject({ totalCalls: 1, countedWhole });
  expect(await get(`/v1/costs/what-if?${query}&sample=0.5`)).toMatchObject({
    total: { calls: 1 },
    countedWhole,
  });
  // Their minutes are gone, so that the timeline is empty.
  const all = await overview(query);
  expect(all).toMatchObject({ kpis: { totalRequests: 1, totalCost: 2.5 }, countedWhole });
  expect(all).toHaveProperty('deletedBefore', keptFrom);
  const groups = [{ value: 'gpt-4o', cost: 2.5, calls: 1 }];
  expect(await get(`/v1/costs/breakdown?by=model&${query}`)).toMatchObject({ groups, countedWhole });
  const measures = ['requests', 'cost'];
  expect(await metrics({ measures, range: undefined, ...window })).toMatchObject({
    total: { values: { requests: 1, cost: 2.5 } },
    countedWhole,
  });
  for (const other of [`start=${hour}`, `start=${new Date(TEST_NOW - 6.99 * DAY_MS).toISOString()}`])
    expect(await get(`/v1/costs?${other}`)).not.toHaveProperty('countedWhole');
});

test('the models of a user are told since retention deleted calls', async () => {
  const user = await get('/v1/users/ada?start=2026-05-20T00:00:00.000Z');
  expect(user).toMatchObject({ user: { requests: 20 }, models: [{ requests: 7 }], modelsSince: keptFrom });
});

test('a scheduled report says which of its figures lack deleted calls', async () => {
  const { projectId, organizationId, bearer } = world.seed;
  const json = {
    projectId,
    period: 'week',
    timeZone: 'UTC',
    hour: 9,
    groupBy: ['model', 'agent'],
  };
  const path = `/v1/scheduled-reports/preview?organizationId=${organizationId}`;
  const reply = await world.fetch(path, { method: 'POST', bearer, json });
  const figures = (await reply.json()) as ReportFigures;
  expect(figures.sections.map(({ by, deletedBefore }) => [by, deletedBefore])).toEqual([
    ['model', undefined],
    ['agent', keptFrom],
  ]);
  expect(incompleteTexts(figures)).toEqual([
    'Figures by agent leave out calls before 8 Jun 2026, 12:00, which have been deleted (retention)',
  ]);
});
