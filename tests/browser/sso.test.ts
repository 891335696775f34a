import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { removeDomain, setDomain } from '../../src/core/auth/index.ts';
import { CLIENT, startProvider, type TestProvider } from '../core/auth/oidc/provider.ts';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('single sign-on', () => {
  let world: World;
  let provider: TestProvider;
  beforeAll(async () => {
    world = await openWorld();
    provider = await startProvider([world.url], 'acme');
    await provider.set({
      people: { ada: { email: world.app.seed.email, email_verified: true }, nobody: {} },
    });
    await world.app.reopen({
      PUBLIC_URL: world.url,
      OIDC_ISSUERS: JSON.stringify([{ id: 'acme', name: 'Acme SSO', issuer: provider.issuer, ...CLIENT }]),
    });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await provider.close();
  });

  const foreign = /^foreign: |Failed to load resource/;
  const expectCalm = ({ complaints }: Window): void =>
    expect(complaints.filter((complaint) => !foreign.test(complaint))).toEqual([]);
  const signIn = async ({ page }: Window, login: string): Promise<void> => {
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).click();
    await page.fill('[name=login]', login);
    await page.fill('[name=password]', 'x');
    await page.click('button[type=submit]');
    await page.getByText('Authorize').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  test('leads through the pages of the issuer to where one wanted to go, and signs out at both', async () => {
    const window = await world.open({ bearer: null, cold: true });
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/prices`);
    await page.waitForURL('**/sign-in?next=*');
    await signIn(window, 'ada');
    await page.waitForURL(`${world.url}/projects/*/prices*`);
    await page.getByText(world.app.seed.email).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${world.url}/sign-in*`);
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).click();
    // The issuer asks for the password again.
    await page.waitForSelector('[name=login]');
    expectCalm(window);
    await window.close();
  });

  test('shows on the sign-in page why somebody was not signed in', async () => {
    const window = await world.open({ bearer: null, cold: true });
    const { page } = window;
    await window.go('/sign-in');
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).click();
    await page.getByText('[ Cancel ]').click();
    await page.waitForSelector('[role=alert]:has-text("Acme SSO did not sign you in")');
    await signIn(window, 'nobody');
    await page.waitForSelector('[role=alert]:has-text("Acme SSO sent no email address")');
    expectCalm(window);
    await window.close();
  });

  test('is named to those who use a password although it is required', async () => {
    const domain = 'example.com';
    const window = await world.open({ bearer: null, cold: true });
    const { page } = window;
    await window.go('/sign-in');
    await signIn(window, 'ada');
    await page.waitForURL('**/projects/**');
    await page.context().clearCookies();
    const given = { organization: 'Acme', provider: 'acme', role: 'member', ssoRequired: true };
    await world.app.app.act(setDomain, { domain, ...given });
    await window.go('/sign-in');
    await page.fill('[name=email]', world.app.seed.email);
    await page.fill('[name=password]', TEST_PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForSelector('[role=alert]:has-text("People at example.com sign in with Acme SSO")');
    await world.app.app.act(removeDomain, { domain });
    expectCalm(window);
    await window.close();
  });
});
