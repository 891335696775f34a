import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { notificationStatement } from '../../src/core/deliveries/index.ts';
import { MESSAGE } from '../core/deliveries/world.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('channels and deliveries', () => {
  let world: World;
  let answer = 204;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(null, { status: answer }),
  });
  beforeAll(async () => {
    world = await openWorld();
    await world.app.reopen({ OUTBOUND_ALLOW: '127.0.0.1' });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await server.stop(true);
  });

  test('an admin creates a webhook, sees its secret once, tests it and sends a failed delivery again', async () => {
    const { ctx, seed } = world.app;
    const { page, go, complaints, close } = await world.open();
    await go(`/projects/${seed.projectId}/channels`);
    await page.getByText('No channels yet').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'New channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    await dialog.getByLabel('Kind').selectOption('webhook');
    await dialog.getByLabel('Name').fill('on-call');
    await dialog.getByLabel('URL').fill('https://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.getByText('10.0.0.1 is not a public address').waitFor();
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${server.port}/hook`);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create channel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^whsec_/).waitFor();
    const row = page.getByRole('row', { name: /on-call/ });
    // The URL is not shown again, and stays.
    await row.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit on-call' });
    expect(await edit.getByLabel('URL').inputValue()).toBe('');
    expect(await page.content()).not.toContain(`${server.port}/hook`);
    await edit.getByRole('button', { name: 'Save channel' }).click();
    await edit.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The test message arrived').waitFor();
    answer = 500;
    await row.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The endpoint replied 500').waitFor();

    const { organizationId } = seed;
    const notification = { organizationId, type: 'alert.fired', data: {}, message: MESSAGE } as const;
    const listed = await world.app.fetch(`/v1/channels?organizationId=${organizationId}`, {
      bearer: seed.bearer,
    });
    const { channels } = (await listed.json()) as { channels: { id: string }[] };
    const channelIds = channels.map(({ id }) => id);
    await ctx.db.sql.batch([notificationStatement(ctx, { ...notification, channelIds })]);
    await go(`/projects/${seed.projectId}/deliveries`);
    const delivery = page.getByRole('row', { name: /Errors are up/ });
    answer = 204;
    await delivery.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('The delivery is sent again').waitFor();
    await go(`/projects/${seed.projectId}/deliveries?status=delivered`);
    expect(await seriousFindings(page)).toEqual([]);
    // The refused address.
    expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await close();
  }, 60_000);
});
