import { afterAll, beforeAll, beforeEach, describe, expect } from 'bun:test';
import type { CDPSession, Page } from 'playwright-core';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { addApp } from '../helpers/factors.ts';
import { appCode } from '../helpers/totp.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const STEP_MS = 30_000;
const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

let world: World;
let window: Window;
let page: Page;
/** The same server under a name, because passkeys are bound to one. */
let origin: string;

const open = async (path: string): Promise<void> => {
  await page.goto(origin + path);
  await page.locator('h1').first().waitFor();
};
/** What should never happen in the window. A refused sign-in is a 401, which the console tells. */
const complaints = (): string[] =>
  window.complaints.filter((one) => !one.startsWith(`foreign: ${origin}`) && !/status of 40[13]/.test(one));
const arrived = () => page.waitForURL(/\/projects\/prj_\w+\/overview/);
const enterPassword = async (): Promise<void> => {
  await open('/sign-in');
  await page.fill('[name=email]', world.app.seed.email);
  await page.fill('[name=password]', TEST_PASSWORD);
  await page.click('button:has-text("Sign in"):not(:has-text("passkey"))');
};
const signOut = () => page.context().clearCookies();

async function expectGoodLooks(): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`[data-mantine-color-scheme=${scheme}]`).waitFor();
    expect(await seriousFindings(page, { rules: scheme === 'dark' ? 'contrast' : 'all' })).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(OVERHANG)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe.skipIf(!hasBrowser)('a second factor', () => {
  beforeAll(async () => {
    world = await openWorld();
    origin = world.url.replace('127.0.0.1', 'localhost');
  }, 60_000);
  afterAll(() => world.close());
  beforeEach(async () => {
    window = await world.open({ bearer: null });
    page = window.page;
  });

  test('an authenticator app is added by keyboard and signs in, and so does a recovery code', async () => {
    await enterPassword();
    await arrived();
    await open('/account/security');
    await expectGoodLooks();
    await page.locator('button:has-text("Add an app")').focus();
    await page.keyboard.press('Enter');
    await page.locator('svg[aria-label="QR code for the authenticator app"]').waitFor();
    const secret = (await page.locator('[role=dialog] code').textContent()) ?? '';
    const code = (steps = 0) => appCode(secret, world.app.clock.now() + steps * STEP_MS);
    await page.locator('[name=password]:focus').waitFor();
    await page.keyboard.type('wrong password');
    await page.fill('[name=code]', code());
    await page.waitForSelector('text=The password is wrong');
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.fill('[name=code]', code(9));
    await page.waitForSelector('text=The code is wrong');
    await expectGoodLooks();
    await page.fill('[name=code]', code());
    const codes = page.locator('[aria-label="Recovery codes"] li');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const [recoveryCode = ''] = await codes.allTextContents();
    await expectGoodLooks();
    await page.click('text=I have saved them');
    await page.waitForSelector('text=10 of 10 left');

    await signOut();
    world.app.clock.advance(STEP_MS);
    await enterPassword();
    await page.locator('[name=code]').waitFor();
    await expectGoodLooks();
    await page.keyboard.type(code(9));
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The code is wrong or was used before');
    await page.fill('[name=code]', code());
    await page.keyboard.press('Enter');
    await arrived();

    await signOut();
    await enterPassword();
    await page.click('text=Use a recovery code');
    await page.fill('[name=code]', recoveryCode);
    await page.keyboard.press('Enter');
    await arrived();
    await open('/account/security');
    await page.waitForSelector('text=9 of 10 left');
    await page.click('button:has-text("Remove")');
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('button:has-text("Add an app")').waitFor();
    expect(complaints()).toEqual([]);
    await window.close();
  }, 120_000);

  test('passkeys are added with names, sign in alone and as the second step, are renamed and removed', async () => {
    const device = await addAuthenticator(page);
    await enterPassword();
    await arrived();
    await open('/account/security');
    await page.click('text=Add a passkey');
    await page.fill('[name=name]', 'Laptop');
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Your recovery codes');
    await page.click('text=I have saved them');
    await page.waitForSelector('td:has-text("never")');
    await expectGoodLooks();

    await signOut();
    await open('/sign-in');
    await page.click('text=Sign in with a passkey');
    await arrived();

    await signOut();
    await enterPassword();
    await page.click('button:has-text("Use a passkey")');
    await arrived();

    await open('/account/security');
    await page.waitForSelector('td:has-text("just now")');
    await page.click('[aria-label="Rename Laptop"]');
    await page.fill('[name=name]', 'Old laptop');
    await page.keyboard.press('Enter');
    await page.click('[aria-label="Remove Old laptop"]');
    await page.waitForSelector('text=It is your only factor');
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Remove Old laptop"]').waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
    await device.detach();
    await window.close();
  }, 120_000);

  test('where passkeys cannot work, the page says why', async () => {
    const bearer = await world.app.signIn(world.app.seed.email);
    await window.close();
    window = await world.open({ bearer });
    await window.go('/account/security');
    await window.page.waitForSelector('text=Passkeys need a host name, and 127.0.0.1 is an IP address');
    await window.close();
  });

  test('an organization that requires one leads its members to add it', async () => {
    const member = await world.app.addUser('viewer');
    const bearer = await world.app.signIn(world.app.seed.email);
    await addApp(world.app, bearer);
    await window.close();
    window = await world.open({ bearer });
    await window.go(`/projects/${world.app.seed.projectId}/members`);
    await window.page.waitForSelector('text=Without a second factor: viewer-');
    await window.page.click('[role=switch]');
    await window.page.waitForSelector('text=The setting was changed');
    expect(window.complaints).toEqual([]);
    await window.close();

    window = await world.open({ bearer: member.bearer });
    page = window.page;
    await window.follow('/');
    await page.waitForSelector('text=Acme requires a second factor');
    await page.goto(`${world.url}/projects/${world.app.seed.projectId}/overview`);
    await page.waitForSelector('text=Acme requires a second factor');
    await expectGoodLooks();
    await page.click('text=Add a second factor');
    await page.waitForURL('**/account/security');
    await addApp(world.app, member.bearer);
    await page.click('text=Back to the dashboard');
    await page.reload();
    await arrived();
    await window.close();
  }, 120_000);
});

/** An authenticator in the browser that holds passkeys and confirms whatever it is asked. */
async function addAuthenticator(of: Page): Promise<CDPSession> {
  const session = await of.context().newCDPSession(of);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}
