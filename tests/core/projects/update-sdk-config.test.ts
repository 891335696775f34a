import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { auditRows } from '../audit/rows.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const path = () => `/v1/projects/${world.seed.projectId}/sdk-config`;
const put = (json: unknown, bearer = world.seed.bearer) =>
  world.fetch(path(), { method: 'PUT', bearer, json });
const DEFAULTS = {
  version: 1,
  sampleRate: 1,
  redactKeys: [],
  storePrompts: false,
  flushIntervalMs: 5_000,
  maxBatchSize: 100,
};

test('a change counts the version up, and reaches clients with the next ingest reply', async () => {
  const read = await world.fetch(path(), { bearer: world.seed.bearer });
  expect(await read.json()).toEqual(DEFAULTS);
  const wanted = {
    sampleRate: 0.5,
    redactKeys: ['iban'],
    storePrompts: true,
    flushIntervalMs: 1_000,
    maxBatchSize: 20,
  };
  const changed = await put(wanted);
  expect([changed.status, await changed.json()]).toEqual([200, { version: 2, ...wanted }]);
  const events = [{ provider: 'openai', model: 'gpt-4o' }];
  const reply = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  expect(await reply.json()).toMatchObject({ configVersion: 2 });
  const config = await world.fetch('/v1/sdk/config', { apiKey: world.seed.apiKey });
  expect(await config.json()).toMatchObject({ version: 2, sampleRate: 0.5, maxBatchSize: 20 });
});

test('a field that is left out keeps its value, and what changes nothing counts and tells nothing', async () => {
  await put({ sampleRate: 0.5 });
  expect(await (await put({ maxBatchSize: 10 })).json()).toEqual({
    ...DEFAULTS,
    version: 3,
    sampleRate: 0.5,
    maxBatchSize: 10,
  });
  const told = (await auditRows(world.ctx)).length;
  expect(await (await put({ maxBatchSize: 10, sampleRate: 0.5 })).json()).toMatchObject({ version: 3 });
  expect(await auditRows(world.ctx)).toHaveLength(told);
});

test('of changes made from the same version one happens', async () => {
  const replies = await Promise.all([0.1, 0.2, 0.3].map((sampleRate) => put({ version: 1, sampleRate })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const late = await put({ version: 1, sampleRate: 0.9 });
  expect(await late.json()).toEqual({
    error: 'The settings were changed meanwhile and are at version 2; read them again',
  });
});

test('the log has both states', async () => {
  await put({ redactKeys: ['iban'] });
  const row = (await auditRows(world.ctx, world.seed.organizationId)).at(-1);
  expect(row).toMatchObject({ action: 'sdk_config.updated', project_id: world.seed.projectId });
  const { version: configVersion, ...rest } = DEFAULTS;
  expect(JSON.parse(row?.before ?? '')).toEqual({ configVersion, ...rest });
  expect(JSON.parse(row?.after ?? '')).toEqual({ configVersion: 2, ...rest, redactKeys: ['iban'] });
});

test('only owners and admins change it, and only to what makes sense', async () => {
  for (const role of ['viewer', 'member'] as const) {
    const { bearer } = await world.addUser(role);
    expect((await world.fetch(path(), { bearer })).status).toBe(200);
    const refused = await put({ sampleRate: 0 }, bearer);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: `This requires the role admin; yours is ${role}` },
    ]);
  }
  const wrong = [
    { sampleRate: 2 },
    { maxBatchSize: 101 },
    { redactKeys: [''] },
    { flushIntervalMs: 0 },
    { sampelRate: 1 },
  ];
  for (const change of wrong) expect((await put(change)).status).toBe(400);
  expect((await put({ sampleRate: 0.5 }, (await world.addUser('admin')).bearer)).status).toBe(200);
});
