import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createKey } from '../../../src/core/keys/index.ts';
import type { CostBreakdown, CostTags } from '../../../src/features/analytics/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let second: { id: string; apiKey: string };
const teams = ['red', 'blue', undefined, 'Grün "7"'];

beforeAll(async () => {
  world = await openTestApp();
  second = await world.app.act(createKey, { project: world.seed.projectId, name: 'batch' });
  for (const [n, apiKey] of [world.seed.apiKey, second.apiKey].entries()) {
    const events = Array.from({ length: 80 }, (_, i) => ({
      provider: i % 10 === 9 ? 'acme' : 'openai',
      model: 'gpt-4o',
      timestamp: new Date(TEST_NOW - (i % 5) * DAY_MS).toISOString(),
      input_tokens: 1_000_000 * (n + 1),
      tags: { plan: i % 2, ...(teams[i % 4] === undefined ? {} : { 'team name': teams[i % 4] }) },
    }));
    expect((await world.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
  }
});
afterAll(() => world.close());

async function costsBy(by: string, more = ''): Promise<CostBreakdown> {
  const path = `/v1/costs/breakdown?projectId=${world.seed.projectId}&by=${encodeURIComponent(by)}${more}`;
  const response = await world.fetch(path, { bearer: world.seed.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as CostBreakdown;
}

test('costs by project key have its name and add up to all', async () => {
  const { groups, times } = await costsBy('key');
  expect(
    groups.map(({ value, name, cost, calls, unpriced }) => [value, name, cost, calls, unpriced]),
  ).toEqual([
    [second.id, 'batch', 72 * 5, 80, 8],
    [world.seed.keyId, expect.any(String), 72 * 2.5, 80, 8],
  ]);
  expect(times).toHaveLength(31);
  expect(groups[0]?.costs.reduce((a, b) => a + b)).toBe(360);
});

test('costs by a tag tell its values apart, whatever they are, and those without it', async () => {
  const { groups } = await costsBy('tag:team name');
  expect(Object.fromEntries(groups.map(({ value, calls }) => [value, calls]))).toEqual({
    red: 40,
    blue: 40,
    unknown: 40,
    'Grün "7"': 40,
  });
  expect(groups.reduce((sum, { cost }) => sum + cost, 0)).toBe(540);
  expect((await costsBy('tag:plan')).groups.map(({ value }) => value).sort()).toEqual(['0', '1']);
});

test('calls that have none of it are marked, so that a value of that name is another', async () => {
  const { groups } = await costsBy('tag:team name');
  expect(groups.filter(({ none }) => none).map(({ value }) => value)).toEqual(['unknown']);
  expect((await costsBy('userId')).groups).toMatchObject([{ value: 'unknown', none: true, calls: 160 }]);
});

test('the tags of a window are named with their values, the most frequent first', async () => {
  const path = `/v1/costs/tags?projectId=${world.seed.projectId}`;
  const read = async (more = ''): Promise<CostTags['tags']> => {
    const response = await world.fetch(path + more, { bearer: world.seed.bearer });
    expect(response.status).toBe(200);
    return ((await response.json()) as CostTags).tags;
  };
  const tags = await read();
  expect(tags.map(({ name, calls, count }) => [name, calls, count])).toEqual([
    ['plan', 160, 2],
    ['team name', 120, 3],
  ]);
  expect(tags[1]?.values.toSorted()).toEqual(['Grün "7"', 'blue', 'red']);
  expect(await read('&end=2020-01-01')).toEqual([]);
});

test('a window that ends at midnight has no day more, unless something was spent in that instant', async () => {
  const midnight = (days: number): string => new Date(TEST_NOW - (days + 0.5) * DAY_MS).toISOString();
  const lengths = async (start: string, end: string): Promise<number[][]> => {
    const replies = await Promise.all(
      ['key', 'userId'].map((by) => costsBy(by, `&start=${start}&end=${end}`)),
    );
    return replies.map(({ times, groups }) => [times.length, ...groups.map(({ costs }) => costs.length)]);
  };
  expect(await lengths(midnight(3), midnight(0))).toEqual([
    [3, 3, 3],
    [3, 3],
  ]);
  const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 1_000_000, timestamp: midnight(10) };
  const reply = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [call] });
  expect(reply.status).toBe(202);
  expect(await lengths(midnight(13), midnight(10))).toEqual([
    [4, 4],
    [4, 4],
  ]);
});

test('a window ends where it says, and its costs stand on their days', async () => {
  const end = new Date(TEST_NOW - 2 * DAY_MS).toISOString();
  const { groups, times } = await costsBy('key', `&start=${end}&end=${end}`);
  expect(times).toEqual([new Date(TEST_NOW - 2.5 * DAY_MS).toISOString()]);
  expect(groups.map(({ calls }) => calls)).toEqual([16, 16]);
});

test('costs by key and tag take filters', async () => {
  const sum = ({ groups }: CostBreakdown): number => groups.reduce((all, { calls }) => all + calls, 0);
  const red = await costsBy('key', `&filter=${encodeURIComponent('tag."team name":red')}`);
  expect(red.groups.map(({ value, calls }) => [value, calls])).toEqual([
    [second.id, 20],
    [world.seed.keyId, 20],
  ]);
  const acme = await costsBy('tag:team name', '&provider=acme');
  expect([sum(acme), acme.groups.every(({ unpriced, calls }) => unpriced === calls)]).toEqual([16, true]);
  expect(acme.times).toEqual((await costsBy('model', '&provider=acme')).times);
  const none = await costsBy('key', '&model=unheard-of');
  expect([none.groups, none.times.length]).toEqual([[], 31]);
});

test('an unknown dimension is refused', async () => {
  const path = `/v1/costs/breakdown?projectId=${world.seed.projectId}`;
  for (const query of ['&by=nonsense', '&by=tag:']) {
    const response = await world.fetch(path + query, { bearer: world.seed.bearer });
    expect(response.status).toBe(400);
  }
});
