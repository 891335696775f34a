import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('what a role may not do', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;

  test('a viewer is not offered it, and the server refuses it', async () => {
    const { bearer } = await world.app.addUser('viewer');
    const { page, complaints, go, close } = await world.open({ bearer });
    await go(at('keys'));
    await page.getByLabel('API keys').waitFor();
    for (const name of ['Create key', 'Rotate', 'Revoke'])
      expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    await go(at('members'));
    await page.getByLabel('Members', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await go(at('project'));
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    const path = `/v1/projects/${world.app.seed.projectId}/keys`;
    expect((await world.app.fetch(path, { bearer, json: { name: 'mine' } })).status).toBe(403);
    await close();
  }, 60_000);

  test('an owner makes a key, sees it once, and revokes it', async () => {
    const { page, go, close } = await world.open();
    await go(at('keys'));
    await page.getByLabel('Name of the key').fill('backend');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('[class*=secret_] code').textContent()) ?? '';
    const send = () =>
      world.app.fetch('/v1/ingest', { apiKey: key, events: [{ provider: 'openai', model: 'gpt-4o' }] });
    expect((await send()).status).toBe(202);
    const row = page.locator('tr', { hasText: 'backend' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await send()).status).toBe(401);
    await go(at('keys'));
    expect(await page.locator('[class*=secret_]').count()).toBe(0);
    await close();
  }, 60_000);
});
