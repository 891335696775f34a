import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { appCode } from '../helpers/totp.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the page Your account', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  test('is found in the menu, and changes the name', async () => {
    const window = await world.open();
    await window.go(`/projects/${world.app.seed.projectId}/keys`);
    await window.page.click('text=ada@example.com');
    await window.page.click('text=Your account');
    await window.page.fill('[name=name]', 'Ada Lovelace');
    await window.page.click('text=Save name');
    await window.page.waitForSelector('text=Saved.');
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('is asked who they are before a key is created, and the key comes after the password', async () => {
    world.app.clock.advance(10 * 60_000);
    const window = await world.open();
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/keys`);
    const create = async (): Promise<void> => {
      await page.fill('[name=name]', 'production');
      await page.click('button:has-text("Create key")');
    };
    await create();
    await page.waitForSelector('text=Confirm that it is you');
    await page.keyboard.press('Escape');
    await page.waitForSelector('text=Cancelled: nothing was changed');
    await create();
    await page.fill('[name=password]', 'a wrong one');
    await page.click('button:has-text("Confirm")');
    await page.waitForSelector('text=The password is wrong');
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.click('button:has-text("Confirm")');
    await page.waitForSelector('text=/slk_[0-9a-f]{64}/');
    expect(window.complaints.filter((text) => !text.includes('status of 403'))).toEqual([]);
    await window.close();
  }, 60_000);

  test('ends all other login sessions and turns on the second factor in four clicks, the password and a code', async () => {
    const person = await world.app.addUser('member');
    await world.app.signIn(person.email);
    const window = await world.open({ bearer: person.bearer });
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/overview`);
    let clicks = 0;
    const click = async (name: string): Promise<void> => {
      clicks++;
      await page.click(`text=${name}`);
    };
    await click(person.email);
    await click('Your account');
    await click('End all others');
    const isAlone = 'document.body.innerText.match(/This one/g)?.length === 1';
    expect(await waitInPage(page, isAlone)).toBe(true);
    await click('Add an app');
    await page.locator('svg[aria-label="QR code for the authenticator app"]').waitFor();
    const secret = (await page.locator('[role=dialog] code').textContent()) ?? '';
    await page.locator('[name=password]:focus').waitFor();
    await page.keyboard.type(TEST_PASSWORD);
    await page.locator('[name=code]').focus();
    await page.keyboard.type(appCode(secret, world.app.clock.now()));
    await page.locator('[aria-label="Recovery codes"] li').first().waitFor();
    expect(clicks).toBe(4);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).last().click();
    expect((await download).suggestedFilename()).toBe('spanledger-account.json');
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('the organization is renamed, and deleted only after its name was typed', async () => {
    const other = await world.app.addTenant('Beta');
    const window = await world.open({ bearer: other.bearer });
    const { page } = window;
    await window.go(`/projects/${other.projectId}/organization`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Beta Ltd');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('text=Saved');
    await page.getByRole('button', { name: 'Delete organization' }).click();
    const confirm = page.getByRole('button', { name: 'Delete Beta Ltd' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type Beta Ltd to confirm').fill('Beta');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type Beta Ltd to confirm').fill('Beta Ltd');
    await confirm.click();
    await page.waitForURL((url) => !url.pathname.includes(other.projectId));
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('deletes the account after the password, and says why it does not', async () => {
    const viewer = await world.app.addUser('viewer');
    const owner = await world.open();
    await owner.go('/account');
    await owner.page.click('text=Delete account …');
    await owner.page.fill('[name=password] >> nth=-1', TEST_PASSWORD);
    await owner.page.click('text=Delete my account');
    await owner.page.waitForSelector('text=You are the only owner of Acme');
    await owner.close();
    const window = await world.open({ bearer: viewer.bearer });
    await window.go('/account');
    await window.page.click('text=Delete account …');
    await window.page.fill('[name=password] >> nth=-1', TEST_PASSWORD);
    await window.page.click('text=Delete my account');
    await window.page.waitForURL(/\/sign-in/);
    await window.close();
  }, 60_000);
});
