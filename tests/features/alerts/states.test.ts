import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createKey, rotateKey } from '../../../src/core/keys/index.ts';
import type { Alert, AlertDetail, AlertDraft } from '../../../src/features/alerts/contract.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { ask, calls, historyOf, make, pass } from './support.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const read = async (id: string): Promise<AlertDetail> =>
  (await ask<AlertDetail>(world, 'GET', `alerts/${id}`)).body;
const states = async (id: string): Promise<string[]> =>
  (await historyOf(world, id)).map(({ from, to }) => `${from} ${to}`);

test('an alert warns, becomes critical and resolves, and says with which figures', async () => {
  const { id } = await make(world);
  await pass(world, 1);
  await calls(world, 4);
  await calls(world, 2, { status: 'error' });
  await pass(world, 2);
  expect(await read(id)).toMatchObject({
    state: 'warning',
    groups: { warning: 1, total: 1 },
    states: [{ group: null, state: 'warning', threshold: 0.2 }],
  });
  expect((await read(id)).value).toBeCloseTo(1 / 3);
  await calls(world, 8, { status: 'error' });
  await pass(world, 2);
  expect(await read(id)).toMatchObject({ state: 'critical', value: 10 / 14 });
  // The window of five minutes moves on.
  await calls(world, 10);
  await pass(world, 6);
  expect(await read(id)).toMatchObject({ state: 'ok', value: 0, error: null });
  expect(await states(id)).toEqual(['ok warning', 'warning critical', 'critical warning', 'warning ok']);
});

test('every group has a state of its own', async () => {
  const { id } = await make(world, { groupBy: 'model' });
  await calls(world, 5);
  await calls(world, 5, { model: 'gpt-4o-mini', status: 'error' });
  await pass(world, 2);
  expect(await read(id)).toMatchObject({
    state: 'critical',
    worstGroup: 'gpt-4o-mini',
    groups: { critical: 1, total: 2, left: 0 },
    states: [{ group: 'gpt-4o-mini', state: 'critical', value: 1 }],
  });
});

test('a filter by a key follows the key when it is replaced, and the state of the alert lasts', async () => {
  const send = async (apiKey: string, status: string): Promise<void> => {
    const timestamp = new Date(world.clock.now()).toISOString();
    const events = Array.from({ length: 5 }, () => ({
      provider: 'openai',
      model: 'gpt-4o',
      status,
      timestamp,
    }));
    expect((await world.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
  };
  const { projectId } = world.seed;
  const old = await world.app.act(createKey, { project: projectId, name: 'worker' });
  const byId = await make(world, { filters: { keyId: old.id } });
  const byText = await make(world, { name: 'By text', filters: { filter: `key:${old.id}` } });
  await send(old.apiKey, 'success');
  await pass(world, 2);
  const newest = await world.app.act(rotateKey, { id: old.id });
  await calls(world, 5, { status: 'error' });
  await send(newest.apiKey, 'error');
  await pass(world, 2);
  for (const { id } of [byId, byText]) {
    expect(await read(id)).toMatchObject({ state: 'warning', value: 0.5 });
  }
});

test('a condition must hold for forMinutes, and the alert is pending until then', async () => {
  const { id } = await make(world, { forMinutes: 3 });
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  expect((await read(id)).state).toBe('pending');
  await pass(world, 2);
  expect((await read(id)).state).toBe('pending');
  await pass(world, 1);
  expect((await read(id)).state).toBe('critical');
});

test('a late event changes what was judged: the state begins where it would have', async () => {
  const { id } = await make(world);
  const start = world.clock.now();
  await calls(world, 4);
  await pass(world, 4);
  expect((await read(id)).state).toBe('ok');
  await calls(world, 16, { status: 'error' }, start + 1_000);
  await pass(world, 1);
  const [entry] = await historyOf(world, id);
  expect(entry).toMatchObject({ from: 'ok', to: 'critical', superseded: false });
  expect(entry?.at).toBe(new Date(start + MINUTE_MS).toISOString());
});

test('late events that take a state back are told as such', async () => {
  const { id } = await make(world);
  const start = world.clock.now();
  await calls(world, 4, { status: 'error' });
  await pass(world, 3);
  expect((await read(id)).state).toBe('critical');
  await calls(world, 60, {}, start + 1_000);
  await pass(world, 1);
  expect((await read(id)).state).toBe('ok');
  expect((await historyOf(world, id)).map(({ to, superseded }) => [to, superseded])).toEqual([
    ['critical', true],
  ]);
});

test('events that are more than an hour late, and calls that are deleted, count in later windows', async () => {
  const busy = {
    measure: 'requests',
    window: '7d',
    condition: { kind: 'threshold', operator: 'gte', critical: 5 },
  };
  const { id } = await make(world, busy as Partial<AlertDraft>);
  await calls(world, 3);
  await pass(world, 3);
  expect(await read(id)).toMatchObject({ state: 'ok', value: 3 });
  const start = world.clock.now();
  await calls(world, 1, {}, start - 3 * 60 * MINUTE_MS);
  await calls(world, 4, { user_id: 'eve' }, start - 3 * 1_440 * MINUTE_MS);
  await pass(world, 10);
  expect(await read(id)).toMatchObject({ state: 'critical', value: 8 });
  // What was decided before stays.
  expect((await historyOf(world, id)).every(({ at }) => Date.parse(at) > start)).toBe(true);
  const { projectId, bearer } = world.seed;
  await world.fetch(`/v1/projects/${projectId}/erasures`, { bearer, json: { userId: 'eve' } });
  await erasureJob.run(world.ctx, new AbortController().signal);
  await pass(world, 10);
  expect(await read(id)).toMatchObject({ state: 'ok', value: 4 });
});

test('no calls: a rate keeps its state, a count is 0, and `notify` says so', async () => {
  const rate = await make(world, { name: 'rate' });
  const least = await make(world, {
    name: 'least',
    measure: 'requests',
    condition: { kind: 'threshold', operator: 'lt', critical: 3 },
  });
  const silent = await make(world, { name: 'silent', noData: 'notify' });
  const fine = await make(world, { name: 'fine', noData: 'ok' });
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  expect((await read(least.id)).state).toBe('ok');
  await pass(world, 6);
  const now = async ({ id }: Alert): Promise<string> => (await read(id)).state;
  expect(await Promise.all([rate, least, silent, fine].map(now))).toEqual([
    'critical',
    'critical',
    'no_data',
    'ok',
  ]);
});

test('a rule that is changed begins anew, and says so', async () => {
  const alert = await make(world);
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  const { id, name, measure, window } = alert;
  await ask(world, 'PUT', `alerts/${id}`, {
    name,
    measure,
    window,
    condition: { kind: 'threshold', operator: 'gt', critical: 1 },
  });
  expect((await historyOf(world, id)).at(-1)).toMatchObject({ to: 'ok', reason: 'rule_changed' });
  await pass(world, 1);
  expect((await read(id)).state).toBe('ok');
});

test('after a restart and missed minutes the evaluation goes on where it was', async () => {
  const { id } = await make(world);
  await pass(world, 1);
  await calls(world, 5, { status: 'error' });
  await world.reopen();
  world.clock.advance(10 * MINUTE_MS);
  await pass(world, 1);
  // It fired and ended meanwhile: a window without calls keeps a rate's state.
  expect(await states(id)).toEqual(['ok critical']);
  await world.reopen();
  await pass(world, 2);
  expect(await states(id)).toEqual(['ok critical']);
});
