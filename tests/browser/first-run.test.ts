import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { createSetupToken } from '../../src/core/auth/index.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('from an empty ledger to the first event', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ empty: true });
  });
  afterAll(() => world.close());

  test('the set-up link, a key, an event, and its figures on the overview', async () => {
    const { page, complaints, go, close } = await world.open({ bearer: null });
    // Before that, every way in says how to set the ledger up; an old link is refused before the form.
    await go('/');
    await page.getByText('This ledger has no owner yet.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/setup');
    const old = await createSetupToken(world.app.ctx);
    const made = await createSetupToken(world.app.ctx);
    await go(`/setup#token=${old?.token}`);
    await page.getByRole('alert').getByText('not valid any more').waitFor();
    expect(await page.getByLabel('Organization').count()).toBe(0);
    await go(`/setup#token=${made?.token}`);
    expect(new URL(page.url()).hash).toBe('');
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Project').fill('assistant');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
    await page.getByRole('button', { name: 'Create owner account' }).click();
    const key = (await page.locator('[class*=secret_] code').textContent()) ?? '';
    expect(key).toMatch(/^slk_[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Send your first event' }).click();
    await page.getByText('Waiting for the first event').waitFor();

    const sent = await world.app.fetch('/v1/ingest', {
      apiKey: key,
      events: [
        { provider: 'openai', model: 'gpt-4o', input_tokens: 1_000_000, output_tokens: 0, latency_ms: 840 },
      ],
    });
    expect(sent.status).toBe(202);
    await page.getByText('The first event is here.').waitFor();
    await page.getByRole('link', { name: 'Open event' }).click();
    await page.getByRole('dialog').getByText('gpt-4o').first().waitFor();
    await page.getByRole('dialog').getByText('$2.50').waitFor();

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: /Requests\s*1/ }).waitFor();
    await page.getByRole('button', { name: /Cost\s*\$2\.50/ }).waitFor();
    // The key is nowhere any more.
    expect(await page.content()).not.toContain(key.slice(0, 40));
    expect(complaints.filter((text) => !/40[13]/.test(text))).toEqual([]);
    await close();
  }, 60_000);

  test('sign-in refuses a wrong password in words, and leads back to where one wanted to go', async () => {
    const { page, go, close } = await world.open({ bearer: null });
    await go('/projects/any/costs?range=7d');
    await page.waitForURL('**/sign-in?next=*');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: false }).first().fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The email address or password is wrong.').waitFor();
    await page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/projects/any/costs?range=7d');
    await page.getByText('This project does not exist').waitFor();
    const [cookie] = await page.context().cookies();
    expect([cookie?.httpOnly, cookie?.sameSite]).toEqual([true, 'Lax']);
    await close();
  }, 60_000);
});
