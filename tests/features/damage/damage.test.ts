import { expect, test } from 'bun:test';
import { findProject } from '../../../src/core/projects/index.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { act } from '../../helpers/audit.ts';

/** A project with a sealed day before and a damaged batch of today. */
async function openDamaged(): Promise<TestApp> {
  const world = await openTestApp();
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
    waitsFor: expect.stringContaining('1 events are damaged'),
  });
  await act(world, 'events.drop_damaged', {
    project: (await findProject(world.ctx, world.seed.projectId)).id,
  });
  await act(world, 'jobs.run', { name: 'erasure.run' });
  expect(await waiting()).toMatchObject({ status: 'done', waitsFor: null });
  await close(world);
});
