import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
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
