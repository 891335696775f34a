import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { inviteLink } from '../../src/core/invitations/index.ts';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the link of an invitation', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  const path = async (email?: string): Promise<string> => {
    const { url } = await world.app.app.act(inviteLink, { organization: 'Acme', role: 'viewer', email });
    return url?.slice(url.indexOf('/invite')) ?? '';
  };
  const arrived = (window: Window) => window.page.waitForURL(/\/projects\/prj_\w+\/overview/);

  test('makes an account and leads to the project, and leaves the token out of the address', async () => {
    const window = await world.open({ bearer: null });
    await window.go(await path('grace@example.com'));
    await window.page.waitForSelector('text=You are invited as viewer.');
    expect(window.page.url()).toEndWith('/invite');
    expect(await window.page.inputValue('[autocomplete=username]')).toBe('grace@example.com');
    await window.page.fill('[name=name]', 'Grace');
    await window.page.fill('[name=password]', TEST_PASSWORD);
    await window.page.click('button[type=submit]');
    await arrived(window);
    expect(window.complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]);
    await window.close();
  }, 60_000);

  test('is kept while a person with an account signs in, who then joins', async () => {
    const stranger = await world.app.addTenant();
    const window = await world.open({ bearer: null });
    await window.go(await path(stranger.email));
    await window.page.click('text=Sign in with your account');
    await window.page.fill('[name=email]', stranger.email);
    await window.page.fill('[name=password]', TEST_PASSWORD);
    await window.page.click('button[type=submit]');
    await window.page.waitForSelector(`text=You are signed in as ${stranger.email}.`);
    await window.page.click('text=Join >> nth=-1');
    await arrived(window);
    const me = await world.app.fetch('/v1/auth/me', { bearer: stranger.bearer });
    expect(((await me.json()) as { memberships: unknown[] }).memberships).toHaveLength(2);
    await window.close();
  }, 60_000);

  test('whose link was cut off says so, not that a token is too short', async () => {
    const window = await world.open({ bearer: null });
    await window.go('/invite');
    await window.page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
    expect(await window.page.getByText('token').count()).toBe(0);
    await window.close();
  }, 60_000);

  test('that is over says so', async () => {
    const window = await world.open({ bearer: null });
    await window.go('/invite#token=nonsense');
    await window.page.waitForSelector('text=This link is not valid any more');
    await window.close();
  }, 60_000);
});

describe.skipIf(!hasBrowser)('signing up where it is open', () => {
  test('makes an account with an organization, and its first project', async () => {
    const world = await openWorld();
    await world.app.reopen({ SIGNUP: 'open' });
    const window = await world.open({ bearer: null });
    await window.go('/sign-in');
    await window.page.click('text=Create account');
    await window.page.fill('[name=email]', 'grace@example.com');
    await window.page.fill('[name=organization]', 'Navy');
    await window.page.fill('[name=password]', TEST_PASSWORD);
    await window.page.click('button[type=submit]');
    await window.page.waitForSelector('text=Your first project');
    await window.page.fill('[name=name]', 'Compiler');
    await window.page.click('button[type=submit]');
    await window.page.waitForURL(/\/projects\/prj_\w+\/overview/);
    await window.close();
    await world.close();
  }, 60_000);
});
