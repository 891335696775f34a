import { expect, test } from 'bun:test';
import { findProject } from '../../../src/core/projects/index.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { act } from '../../helpers/audit.ts';

/** A project with a sealed day before and a damaged batch of today. */
async function openDamaged(): Promise<TestApp> {
  const world = await openTestApp({ events: 'file' });
  const send = async (time: number): Promise<void> => {
    const event = {
      provider: 'openai',
      model: 'gpt-4o',
      user_id: 'u',
      timestamp: new Date(time).toISOString(),
    };
    const reply = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [event] });
    expect(reply.status).toBe(202);
  };
  await send(TEST_NOW);
  await send(TEST_NOW - 60_000);
  await world.ctx.db.writer.write(sqlOp, [
    { sql: "UPDATE event_log SET pack = x'00' WHERE seq = 1", args: [] },
  ]);
  return world;
}

/** The error that the damage logs is expected. */
async function close(world: TestApp): Promise<void> {
  world.errors.length = 0;
  await world.close();
}

test('damaged events are told by the API, checked and given up; replies go on without them', async () => {
  const world = await openDamaged();
  const { projectId, bearer } = world.seed;
  const get = async (path: string) =>
    (await (await world.fetch(`${path}?projectId=${projectId}`, { bearer })).json()) as Record<
      string,
      unknown
    >;
  expect(await get('/v1/damage')).toEqual({ damage: [] });
  expect(await get('/v1/events')).toMatchObject({ total: 1 });
  const damage = {
    kind: 'batch',
    no: 1,
    state: 'damaged',
    events: 1,
    from: new Date(TEST_NOW).toISOString(),
    to: new Date(TEST_NOW).toISOString(),
  };
  expect(await get('/v1/damage')).toEqual({ damage: [damage] });
  expect(await act(world, 'events.check', {})).toMatchObject({
    projects: [{ projectId, segments: 0, batches: 2, restored: 0, damage: [damage] }],
  });
  expect(await act(world, 'events.drop_damaged', { project: projectId })).toMatchObject({
    dropped: [{ ...damage, state: 'lost' }],
  });
  expect(await act(world, 'events.drop_damaged', { project: projectId })).toEqual({ dropped: [] });
  expect(await get('/v1/damage')).toEqual({ damage: [{ ...damage, state: 'lost' }] });
  await close(world);
});

test('figures say how many events of their window are damaged and in none of them', async () => {
  const world = await openDamaged();
  const { projectId, bearer } = world.seed;
  const day = 86_400_000;
  const reads = [
    `/v1/projects/${projectId}/overview?`,
    ...['costs', 'costs/breakdown', 'performance', 'errors'].map(
      (noun) => `/v1/${noun}?projectId=${projectId}&`,
    ),
    `/v1/costs/breakdown?by=day&projectId=${projectId}&`,
  ];
  const missing = async (from: number, to: number): Promise<unknown[]> => {
    const window = `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`;
    const replies = reads.map(async (path) => {
      const reply = await world.fetch(`${path}${window}`, { bearer });
      expect(reply.status).toBe(200);
      return ((await reply.json()) as { missing?: number }).missing;
    });
    return Promise.all(replies);
  };
  const none = reads.map(() => undefined);
  // No read has met the damage before.
  expect(await missing(TEST_NOW - day, TEST_NOW)).toEqual(reads.map(() => 1));
  expect(await missing(TEST_NOW - day, TEST_NOW - 1_000)).toEqual(none);
  await act(world, 'events.drop_damaged', { project: projectId });
  expect(await missing(TEST_NOW - day, TEST_NOW)).toEqual(reads.map(() => 1));
  const other = await world.addTenant();
  const reply = await world.fetch(`/v1/costs?projectId=${other.projectId}`, { bearer: other.bearer });
  expect(await reply.json()).not.toHaveProperty('missing');
  await close(world);
});

test('an erasure waits while damaged events may be of the user, and other erasures go on', async () => {
  const world = await openDamaged();
  const other = await world.addTenant();
  const erase = async ({ projectId, bearer }: { projectId: string; bearer: string }) => {
    const path = `/v1/projects/${projectId}/erasures`;
    const reply = await world.fetch(path, { bearer, json: { userId: 'u' } });
    const { id } = (await reply.json()) as { id: string };
    return async () =>
      (await (await world.fetch(`${path}/${id}`, { bearer })).json()) as Record<string, unknown>;
  };
  const waiting = await erase(world.seed);
  const free = await erase(other);
  await act(world, 'jobs.run', { name: 'erasure.run' });
  expect(await free()).toMatchObject({ status: 'done', waitsFor: null });
  expect(await waiting()).toMatchObject({
    status: 'running',
    deleted: { events: 1 },
    waitsFor: expect.stringContaining('1 event of the project is damaged'),
  });
  await act(world, 'events.drop_damaged', {
    project: (await findProject(world.ctx, world.seed.projectId)).id,
  });
  await act(world, 'jobs.run', { name: 'erasure.run' });
  expect(await waiting()).toMatchObject({ status: 'done', waitsFor: null });
  await close(world);
});
