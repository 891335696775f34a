import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventPage, StoredEvent } from '../../../src/core/events/contract.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import type { CostBreakdown } from '../../../src/features/analytics/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let second: { id: string; apiKey: string };
/** Values of a tag of every sort, one of them with what separates names from values. */
const TEAMS = ['red', 'a=b', 7, true, { lead: 'Ann' }, undefined];

beforeAll(async () => {
  world = await openTestApp();
  second = await world.app.act(createKey, { project: world.seed.projectId, name: 'batch' });
  for (const apiKey of [world.seed.apiKey, second.apiKey]) {
    const events = Array.from({ length: 96 }, (_, i) => ({
      provider: i % 4 === 3 ? 'acme' : 'openai',
      model: i % 4 === 3 ? 'acme-7b' : 'gpt-4o',
      kind: i % 8 === 7 ? 'tool' : 'llm',
      environment: i % 5 === 0 ? 'staging' : 'production',
      user_id: `u-${i % 3}`,
      timestamp: new Date(TEST_NOW - i * 5.3 * HOUR_MS).toISOString(),
      input_tokens: 1_000,
      ...(TEAMS[i % 6] === undefined ? {} : { tags: { team: TEAMS[i % 6] } }),
    }));
    expect((await world.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
  }
});
afterAll(() => world.close());

const get = async (path: string, query: Record<string, string>): Promise<Response> =>
  world.fetch(`${path}?${new URLSearchParams({ projectId: world.seed.projectId, ...query })}`, {
    bearer: world.seed.bearer,
  });

/** All pages, and what each says of the total. */
async function list(query: Record<string, string>): Promise<{ events: StoredEvent[]; total: number }> {
  const events: StoredEvent[] = [];
  let cursor: string | null = '';
  let total = -1;
  while (cursor !== null) {
    const reply = await get('/v1/events', { limit: '50', ...query, cursor });
    expect(reply.status).toBe(200);
    const page = (await reply.json()) as EventPage;
    events.push(...page.events);
    ({ nextCursor: cursor, total } = page);
  }
  return { events, total };
}

const groupsBy = async (by: string): Promise<CostBreakdown['groups']> =>
  ((await (await get('/v1/costs/breakdown', { by })).json()) as CostBreakdown).groups;

test('each key of a cost break-down leads to as many events as it counts', async () => {
  const groups = await groupsBy('key');
  expect(groups.map(({ calls }) => calls)).toEqual([84, 84]);
  for (const { value, calls } of groups) {
    const { events, total } = await list({ keyId: value });
    expect([events.length, total]).toEqual([calls, calls]);
    expect(events.every(({ key_id }) => key_id === value)).toBe(true);
  }
});

test('each value of a tag does, whatever sort of value it is', async () => {
  const groups = (await groupsBy('tag:team')).filter(({ value }) => value !== 'unknown');
  expect(groups.map(({ value }) => value).sort()).toEqual(['7', 'a=b', 'red', 'true', '{"lead":"Ann"}']);
  for (const { value, calls } of groups) {
    const { events, total } = await list({ tag: `team=${value}` });
    expect([value, events.length, total]).toEqual([value, calls, calls]);
  }
  expect(await list({ tag: 'team=blue' })).toEqual({ events: [], total: 0 });
  expect(await list({ tag: 'team' })).toEqual({ events: [], total: 0 });
});

test('calls without a price are found, in a window and beside other filters', async () => {
  const { events } = await list({});
  const expected = events.filter(({ cost_status }) => cost_status === 'unpriced');
  expect(expected.length).toBe(24);
  expect((await list({ costStatus: 'unpriced' })).total).toBe(expected.length);
  expect((await list({ costStatus: 'unpriced' })).events).toEqual(expected);
  const start = new Date(TEST_NOW - 77.7 * HOUR_MS).toISOString();
  const narrow = {
    start,
    environment: 'production',
    keyId: second.id,
    tag: 'team=true',
    costStatus: 'unpriced',
  };
  for (const query of [{ start }, narrow, { ...narrow, userId: 'u-0' }]) {
    const matching = expected.filter(
      (event) =>
        event.timestamp >= start &&
        (!('keyId' in query) ||
          (event.key_id === second.id &&
            event.tags.team === true &&
            event.environment === 'production' &&
            (!('userId' in query) || event.user_id === 'u-0'))),
    );
    expect(matching.length).toBeGreaterThan(0);
    const found = await list({ ...query, costStatus: 'unpriced' });
    expect([found.events, found.total]).toEqual([matching, matching.length]);
  }
});

test('spans of all kinds can be told by key, and the export knows the same filters', async () => {
  expect((await list({ keyId: second.id, kind: 'all' })).total).toBe(96);
  const query = { keyId: second.id, tag: 'team=red', format: 'ndjson' };
  const lines = (await (await get('/v1/events/export', query)).text()).trim().split('\n');
  expect(lines.length).toBe((await list({ keyId: second.id, tag: 'team=red' })).total);
});

test('a cost status that there is not is refused', async () => {
  expect((await get('/v1/events', { costStatus: 'free' })).status).toBe(400);
});
