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
