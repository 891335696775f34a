import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

/** A project with a call a day for the last forty days. */
let world: TestApp;
const DAYS = 40;
const FIRST = new Date(TEST_NOW - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openTestApp();
  const events = Array.from({ length: DAYS }, (_, day) => ({
    provider: 'openai',
    model: 'gpt-4o',
    timestamp: new Date(TEST_NOW - day * DAY_MS).toISOString(),
    input_tokens: 1_000,
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => world.close());

async function sinceOf(path: string, json?: object): Promise<string | undefined> {
  const { projectId, bearer } = world.seed;
  const end = path.includes('?') ? '&' : '?';
  const reply = await world.fetch(`${path}${end}projectId=${projectId}`, { bearer, ...(json && { json }) });
  expect([path, reply.status]).toEqual([path, 200]);
  return ((await reply.json()) as { recordedSince?: string }).recordedSince;
}

const lastDays = (days: number): string => `start=${new Date(TEST_NOW - days * DAY_MS).toISOString()}`;

const comparing = (days: number): Promise<string | undefined>[] => [
  sinceOf(`/v1/projects/${world.seed.projectId}/overview?${lastDays(days)}`),
  ...['costs', 'performance', 'errors'].map((noun) => sinceOf(`/v1/${noun}?${lastDays(days)}`)),
  sinceOf('/v1/metrics/query', { measures: ['cost'], range: `${days}d`, compare: 'previous' }),
];

test('a comparison with a time that is recorded in part says since when', async () => {
  const since = await Promise.all(comparing(30));
  expect(since.map((one) => one?.slice(0, 10))).toEqual([FIRST, FIRST, FIRST, FIRST, FIRST]);
});

test('it does not where all of that time is recorded, or nothing of it', async () => {
  expect((await Promise.all([...comparing(7), ...comparing(90)])).filter(Boolean)).toEqual([]);
});

test('nor does a reply that compares nothing', async () => {
  const alone = [
    sinceOf('/v1/metrics/query', { measures: ['cost'], range: '30d' }),
    sinceOf('/v1/costs/breakdown?by=model'),
  ];
  expect(await Promise.all(alone)).toEqual([undefined, undefined]);
});
