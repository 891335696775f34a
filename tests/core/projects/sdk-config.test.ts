import { afterEach, beforeEach, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { projectsChanged } from '../../../src/core/projects/index.ts';
import { projects } from '../../../src/core/projects/table.ts';
import { DEFAULT_REDACT_KEYS } from '../../../src/lib/sensitive-keys.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const get = (headers: Record<string, string> = {}) =>
  world.fetch('/v1/sdk/config', { apiKey: world.seed.apiKey, headers });

test('a client is told its settings, with a tag', async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(response.headers.get('ETag')).toMatch(/^"[0-9a-f]{16}"$/);
  expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
  expect(await response.json()).toEqual({
    version: 1,
    sampleRate: 1,
    redactKeys: [...DEFAULT_REDACT_KEYS],
    storePrompts: false,
    flushIntervalMs: 5_000,
    maxBatchSize: 100,
    projectId: world.seed.projectId,
    publicUrl: null,
  });
});

test('a tag that still fits is answered 304 without a body', async () => {
  const tag = (await get()).headers.get('ETag') ?? '';
  for (const given of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const response = await get({ 'If-None-Match': given });
    expect([response.status, response.headers.get('ETag'), await response.text()]).toEqual([304, tag, '']);
  }
  expect((await get({ 'If-None-Match': '"x"' })).status).toBe(200);
});

test('a change of the settings changes the tag', async () => {
  const tag = (await get()).headers.get('ETag') ?? '';
  const changed = { redactKeys: ['iban', 'token'], sampleRate: 0.25, storePrompts: true, configVersion: 2 };
  await world.ctx.db.sql.update(projects).set(changed).where(eq(projects.id, world.seed.projectId));
  world.ctx.emit(projectsChanged);
  const response = await get({ 'If-None-Match': tag });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    version: 2,
    sampleRate: 0.25,
    storePrompts: true,
    redactKeys: [...DEFAULT_REDACT_KEYS, 'iban'],
  });
});
