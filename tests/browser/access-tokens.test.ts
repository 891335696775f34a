import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { TokenRow, TokensPage } from '../../src/core/access-tokens/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('access tokens', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  const pagePath = (): string => `/projects/${world.app.seed.projectId}/access-tokens`;
  const api = (path = ''): string =>
    `/v1/access-tokens${path}?organizationId=${world.app.seed.organizationId}`;
  const listed = async (): Promise<TokenRow[]> => {
    const reply = await world.app.fetch(api(), { bearer: world.app.seed.bearer });
    return ((await reply.json()) as TokensPage).accessTokens;
  };
  const read = async (token: string): Promise<number> =>
    (await world.app.fetch(`/v1/events?projectId=${world.app.seed.projectId}`, { bearer: token })).status;

  test('an admin creates one, sees it once, and revokes it', async () => {
    const { page, go, complaints, close } = await world.open();
    await go(pagePath());
    await page.getByText('No access tokens yet').waitFor();
    await page.getByText(`/v1/costs?projectId=${world.app.seed.projectId}`).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New access token' });
    await dialog.getByLabel('Name').fill('cost report');
    await dialog.getByLabel('Project', { exact: true }).selectOption({ label: 'Acme project' });
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.waitFor({ state: 'detached' });
    const token = (await page.getByText(/^slt_[0-9a-f]{64}$/).textContent()) ?? '';
    expect(await read(token)).toBe(200);
    expect(await listed()).toMatchObject([
      { name: 'cost report', prefix: token.slice(0, 16), projectName: 'Acme project', scopes: ['read'] },
    ]);
    const row = page.getByRole('row', { name: /cost report/ });
    for (const text of ['Active', 'read', 'Acme project', 'ada@example.com'])
      await row.getByText(text).waitFor();

    await go(pagePath());
    await row.waitFor();
    expect(await page.getByText(token.slice(0, 20)).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await row.getByText('Revoked').waitFor();
    expect([await read(token), (await listed())[0]?.state]).toEqual([401, 'revoked']);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('a token without a scope is refused with a reason, and the form stays', async () => {
    const { page, go, close } = await world.open();
    await go(pagePath());
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New access token' });
    await dialog.getByLabel('Name').fill('nothing');
    await dialog.getByLabel(/^read:/).uncheck();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByRole('alert').getByText('scopes').waitFor();
    await close();
  }, 60_000);

  test('a viewer sees the tokens and is offered no change', async () => {
    const json = { name: 'of the owner', scopes: ['read'] };
    await world.app.fetch(api(), { bearer: world.app.seed.bearer, json });
    const { bearer } = await world.app.addUser('viewer');
    const { page, go, complaints, close } = await world.open({ bearer });
    await go(pagePath());
    await page.getByRole('row', { name: /of the owner/ }).waitFor();
    expect(await page.getByRole('button', { name: /New token|Revoke/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
