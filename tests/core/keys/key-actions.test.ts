import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createKey, listKeys, revokeKey, rotateKey } from '../../../src/core/keys/index.ts';
import { apiKeys } from '../../../src/core/keys/table.ts';
import { createProject, deleteProject } from '../../../src/core/projects/index.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

test('a created key has the documented form, and only its bcrypt hash is kept', async () => {
  const { seed } = world;
  const made = await world.app.act(createKey, { project: 'Acme project', name: 'CI' });
  expect(made).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
    apiKey: expect.stringMatching(/^slk_[0-9a-f]{64}$/),
    projectId: seed.projectId,
    name: 'CI',
    expiresAt: null,
  });
  const rows = await world.ctx.db.sql.select().from(apiKeys);
  const row = rows.find(({ id }) => id === made.id);
  expect(row?.hash).toStartWith('$2b$');
  expect(row?.prefix).toBe(made.apiKey.slice(4, 16));
  expect(JSON.stringify(rows)).not.toContain(made.apiKey.slice(16));
});

test('createdBy is the person who did it, or nobody for the operator', async () => {
  const actor = { kind: 'user', userId: world.seed.userId, email: world.seed.email } as const;
  const mine = await world.app.act(createKey, { project: world.seed.projectId, name: 'mine' }, actor);
  const theirs = await world.app.act(createKey, { project: world.seed.projectId, name: 'theirs' });
  const rows = await world.ctx.db.sql.select().from(apiKeys);
  const by = (id: string) => rows.find((row) => row.id === id)?.createdBy;
  expect([by(mine.id), by(theirs.id)]).toEqual([world.seed.userId, null]);
});

test('an ambiguous project name is 409 and names the candidates, an unknown one 404', async () => {
  const { seed, app } = world;
  const twin = await app.act(createProject, { organization: 'Acme', name: 'Acme project' });
  const create = (project: string) => app.act(createKey, { project, name: 'x' });
  await expect(create('Acme project')).rejects.toMatchObject({
    status: 409,
    message: `Acme project matches more than one project: ${seed.projectId}, ${twin.id}. Use the id`,
  });
  await expect(create('nowhere')).rejects.toMatchObject({
    status: 404,
    message: 'There is no project nowhere',
  });
  await expect(create('')).rejects.toMatchObject({ status: 400 });
  await app.act(deleteProject, { project: twin.id });
  expect((await create('Acme project')).projectId).toBe(seed.projectId);
  await expect(create(twin.id)).rejects.toMatchObject({ status: 404 });
});

test('a key is rotated once; in grace, revoked or unknown it is not', async () => {
  const { app, seed } = world;
  const { id, previousId } = await app.act(rotateKey, { id: seed.keyId });
  expect(previousId).toBe(seed.keyId);
  await expect(app.act(rotateKey, { id: seed.keyId })).rejects.toMatchObject({
    status: 409,
    message: `The key ${seed.keyId} was already rotated; rotate ${id}`,
  });
  await app.act(revokeKey, { id });
  await expect(app.act(rotateKey, { id })).rejects.toMatchObject({ status: 409 });
  await expect(app.act(rotateKey, { id: 'key_0' })).rejects.toMatchObject({ status: 404 });
  expect(await listKeys(world.ctx)).toHaveLength(2);
});

test('of rotations at the same time one happens', async () => {
  const { app, seed } = world;
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => app.act(rotateKey, { id: seed.keyId })),
  );
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []));
  expect(refused).toEqual([409, 409, 409, 409]);
  expect((await listKeys(world.ctx)).map((key) => key.state)).toEqual(['grace', 'active']);
});

test('a key in grace can be revoked, and revoking again changes nothing', async () => {
  const { app, seed, clock } = world;
  await app.act(rotateKey, { id: seed.keyId });
  const first = await app.act(revokeKey, { id: seed.keyId });
  clock.advance(5_000);
  expect(await app.act(revokeKey, { id: seed.keyId })).toEqual(first);
  await expect(app.act(revokeKey, { id: 'key_0' })).rejects.toMatchObject({ status: 404 });
});

test('the list shows states and prefixes, and never a key or a hash', async () => {
  const { app, seed, clock } = world;
  await world.addTenant();
  const rotated = await app.act(rotateKey, { id: seed.keyId });
  const revoked = await app.act(createKey, { project: seed.projectId, name: 'old' });
  await app.act(revokeKey, { id: revoked.id });
  clock.advance(24 * 3_600_000);
  const keys = await listKeys(world.ctx, seed.projectId);
  expect(keys.map(({ id, state }) => [id, state])).toEqual([
    [seed.keyId, 'expired'],
    [rotated.id, 'active'],
    [revoked.id, 'revoked'],
  ]);
  expect(keys[1]?.prefix).toBe(rotated.apiKey.slice(0, 16));
  expect(JSON.stringify(keys)).not.toContain('$2b$');
  expect(await listKeys(world.ctx)).toHaveLength(4);
});
