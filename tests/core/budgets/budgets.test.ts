import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { checkBudgets } from '../../../src/core/budgets/check.ts';
import type { Budget, BudgetEvent } from '../../../src/core/budgets/contract.ts';
import { periodAt } from '../../../src/core/budgets/period.ts';
import { projectSpending } from '../../../src/core/budgets/project.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { createKey, rotateKey } from '../../../src/core/keys/index.ts';
import { listProjects } from '../../../src/core/projects/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let second: { id: string; apiKey: string };
beforeAll(async () => {
  world = await openTestApp();
  second = await world.app.act(createKey, { project: world.seed.projectId, name: 'second' });
});
afterAll(() => world.close());

const ask = async <T>(method: string, path = '', json?: unknown): Promise<{ status: number; body: T }> => {
  const response = await world.fetch(`/v1/budgets${path}?organizationId=${world.seed.organizationId}`, {
    method,
    bearer: world.seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
};
const set = async (of: object, period = 'day', limitUsd = 10): Promise<Budget> => {
  const { status, body } = await ask<Budget>('POST', '', { of, period, limitUsd });
  expect(status).toBe(201);
  return body;
};
const status = async (id: string): Promise<Budget['status']> => {
  const { body } = await ask<{ budgets: Budget[] }>('GET');
  const found = body.budgets.find((budget) => budget.id === id);
  if (found === undefined) throw new Error(`no budget ${id}`);
  return found.status;
};
const events = async (id: string): Promise<BudgetEvent[]> =>
  (await ask<{ events: BudgetEvent[] }>('GET', '/events')).body.events.filter(
    ({ budgetId }) => budgetId === id,
  );
const check = () => runJob(world.ctx, checkBudgets, 'schedule');

/** Spends dollars at a time: a million tokens of input cost $2.50. */
async function spend(
  usd: number,
  more: object = {},
  ts = TEST_NOW,
  apiKey = world.seed.apiKey,
): Promise<void> {
  const call = { provider: 'openai', model: 'gpt-4o', input_tokens: Math.round(usd * 400_000) };
  const timestamp = new Date(ts).toISOString();
  const response = await world.fetch('/v1/ingest', { apiKey, events: [{ ...call, timestamp, ...more }] });
  expect(response.status).toBe(202);
}

describe('budgets', () => {
  test('tell what was spent in their period by organization, project, key, end user and tag, at once', async () => {
    const { projectId, keyId } = world.seed;
    const budgets = {
      organization: await set({ kind: 'organization' }),
      project: await set({ kind: 'project', projectId }),
      key: await set({ kind: 'key', keyId }),
      second: await set({ kind: 'key', keyId: second.id }),
      user: await set({ kind: 'user', projectId, userId: 'ann' }),
      tag: await set({ kind: 'tag', tag: 'team', value: 'red' }),
      month: await set({ kind: 'organization' }, 'month', 100),
    };
    await spend(1, { user_id: 'ann', tags: { team: 'red' } });
    await spend(2, { user_id: 'bob', tags: { team: 'blue' } }, TEST_NOW, second.apiKey);
    await spend(4, { tags: { team: 'red' } }, TEST_NOW - DAY_MS);
    await world.fetch('/v1/ingest', {
      apiKey: second.apiKey,
      events: [{ provider: 'acme', model: 'x', input_tokens: 5 }],
    });
    const spent: Record<string, number> = {};
    for (const [name, { id }] of Object.entries(budgets)) spent[name] = (await status(id)).spentUsd;
    expect(spent).toEqual({ organization: 3, project: 3, key: 1, second: 2, user: 1, tag: 1, month: 7 });
    expect(await status(budgets.second.id)).toMatchObject({ unpriced: 1, calls: 2, tracked: true });
    for (const { id } of Object.values(budgets)) await ask('DELETE', `/${id}`);
  });

  test('of a key follow it when it is replaced', async () => {
    const old = await world.app.act(createKey, { project: world.seed.projectId, name: 'replaced' });
    const { id } = await set({ kind: 'key', keyId: old.id });
    await spend(1, {}, TEST_NOW, old.apiKey);
    const first = await world.app.act(rotateKey, { id: old.id });
    await spend(2, {}, TEST_NOW, first.apiKey);
    expect(await status(id)).toMatchObject({ spentUsd: 3, calls: 2 });
    const newest = await world.app.act(rotateKey, { id: first.id });
    await spend(4, {}, TEST_NOW, newest.apiKey);
    await spend(1, {}, TEST_NOW, old.apiKey);
    expect(await status(id)).toMatchObject({ spentUsd: 8, calls: 4 });
    await check();
    const { body } = await ask<{ budgets: Budget[] }>('GET');
    expect(body.budgets.find((budget) => budget.id === id)).toMatchObject({
      of: { keyId: newest.id },
      status: { spentUsd: 8 },
    });
    await ask('DELETE', `/${id}`);
  });

  test('write an event for each level that is crossed, once in a period', async () => {
    const { id } = await set({ kind: 'tag', tag: 'case', value: 'levels' }, 'day', 10);
    const tags = { case: 'levels' };
    await spend(4.9, { tags });
    await check();
    expect(await events(id)).toEqual([]);
    await spend(3.1, { tags });
    await check();
    await check();
    expect((await events(id)).map(({ level, spentUsd }) => [level, spentUsd])).toEqual([
      [80, 8],
      [50, 8],
    ]);
    expect(await status(id)).toMatchObject({ level: 80, fraction: 0.8 });
    await spend(2, { tags });
    await check();
    expect((await events(id)).map(({ level }) => level)).toEqual([100, 80, 50]);
    world.clock.advance(DAY_MS);
    await check();
    expect(await events(id)).toHaveLength(3);
    await spend(5, { tags }, world.clock.now());
    await check();
    expect(await events(id)).toHaveLength(4);
    world.clock.set(TEST_NOW);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect(await events(id)).toEqual([]);
  });

  test('are set by admins, for what is the organization’s own, and seen by nobody else', async () => {
    const other = await world.addTenant();
    for (const of of [
      { kind: 'project', projectId: other.projectId },
      { kind: 'key', keyId: other.keyId },
      { kind: 'user', projectId: other.projectId, userId: 'x' },
    ])
      expect((await ask('POST', '', { of, period: 'day', limitUsd: 1 })).status).toBe(400);
    for (const wrong of [
      { limitUsd: 0 },
      { levels: [80, 50] },
      { period: 'year' },
      { of: { kind: 'galaxy' } },
    ]) {
      const budget = { of: { kind: 'organization' }, period: 'day', limitUsd: 1, ...wrong };
      expect((await ask('POST', '', budget)).status).toBe(400);
    }
    const { id } = await set({ kind: 'organization' });
    const foreign = `/v1/budgets/${id}?organizationId=${other.organizationId}`;
    expect((await world.fetch(foreign, { method: 'DELETE', bearer: other.bearer })).status).toBe(404);
    const { bearer } = await world.addUser('member');
    const path = `/v1/budgets?organizationId=${world.seed.organizationId}`;
    expect((await world.fetch(path, { bearer })).status).toBe(200);
    const json = { of: { kind: 'organization' }, period: 'day', limitUsd: 1 };
    expect((await world.fetch(path, { bearer, json })).status).toBe(403);
  });
});

test('a filter leaves the budgets that match, by the names of projects too; what it cannot read is 400', async () => {
  const own = await openTestApp();
  const { projectId, organizationId, bearer } = own.seed;
  const path = `/v1/budgets?organizationId=${organizationId}`;
  const [project] = await listProjects(own.ctx);
  for (const [name, of, period] of [
    ['All', { kind: 'organization' }, 'month'],
    ['One', { kind: 'project', projectId }, 'day'],
    ['Ann', { kind: 'user', projectId, userId: 'ann' }, 'month'],
    ['Red', { kind: 'tag', tag: 'team', value: 'red' }, 'week'],
  ] as const)
    await own.fetch(path, { bearer, json: { name, of, period, limitUsd: name === 'All' ? 100 : 10 } });
  const events = [{ provider: 'openai', model: 'gpt-4o', input_tokens: 3_600_000, user_id: 'ann' }];
  await own.fetch('/v1/ingest', { apiKey: own.seed.apiKey, events });
  const filtered = async (filter: string): Promise<{ status: number; names: string[]; error: string }> => {
    const reply = await own.fetch(`${path}&filter=${encodeURIComponent(filter)}`, { bearer });
    const body = (await reply.json()) as { budgets?: Budget[]; error?: string; message?: string };
    const names = (body.budgets ?? []).map(({ name }) => name);
    return { status: reply.status, names, error: JSON.stringify(body) };
  };
  for (const [filter, names] of [
    ['', ['All', 'Ann', 'One', 'Red']],
    ['kind:user,tag', ['Ann', 'Red']],
    ['status:near', ['Ann', 'One']],
    ['status:ok', ['All', 'Red']],
    [`project:"${project?.name}"`, ['Ann', 'One']],
    [`-project:${projectId}`, ['All', 'Red']],
    ['tag.team:red', ['Red']],
    ['used>=90', ['Ann', 'One']],
    ['limit>10 period:month', ['All']],
    ['user:ann spent:9', ['Ann']],
    ['re', ['Red']],
  ] as const)
    expect([filter, (await filtered(filter)).names]).toEqual([filter, [...names]]);
  const refused = await filtered('colour:red');
  expect([refused.status, refused.error.includes('filter: there is no field')]).toEqual([400, true]);
  await own.close();
});

test('periods begin at midnight UTC, on Mondays and on the first', () => {
  const at = (iso: string): number => Date.parse(iso);
  expect(periodAt('day', at('2026-02-28T23:59:59.999Z'))).toEqual({
    from: at('2026-02-28'),
    to: at('2026-03-01'),
  });
  expect(periodAt('week', at('2026-11-22T23:59:59.999Z'))).toEqual({
    from: at('2026-11-16'),
    to: at('2026-11-23'),
  });
  expect(periodAt('week', at('2026-11-23'))).toEqual({ from: at('2026-11-23'), to: at('2026-11-30') });
  expect(periodAt('month', at('2026-12-31T23:59:59.999Z'))).toEqual({
    from: at('2026-12-01'),
    to: at('2027-01-01'),
  });
  expect(periodAt('month', at('2027-01-01'))).toEqual({ from: at('2027-01-01'), to: at('2027-02-01') });
});

test('the end is what was spent and the forecast of the days left', () => {
  const window = { from: 0, to: 10 * DAY_MS };
  const of = (spent: number, daily: number[], limit = 100, today = 0) =>
    projectSpending({ spent, recent: { daily, spent: today } }, { now: 4 * DAY_MS, window, limit });
  expect(of(40, [10, 10, 10, 10])).toEqual({
    projected: 100,
    exhaustedAt: 10 * DAY_MS,
    basis: 'the last 4 full days',
  });
  // Today lacks 4 of its 10; the day after is the first that is spent evenly from midnight.
  expect(of(46, [10, 10], 55, 6)).toMatchObject({ projected: 100, exhaustedAt: 5.5 * DAY_MS });
  expect(of(40, [5]).basis).toBe('the last full day');
  expect(of(100, [10]).exhaustedAt).toBeNull();
  expect(of(0, [0, 0])).toMatchObject({ projected: 0, exhaustedAt: null });
  expect(of(3, [])).toMatchObject({ projected: null, exhaustedAt: null });
});
