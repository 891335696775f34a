import { afterAll, beforeAll, expect, test } from 'bun:test';
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
