import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Me } from '../../src/core/auth/contract.ts';
import { createProject } from '../../src/core/projects/index.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the switcher of projects', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const openMenu = async ({ page }: Window): Promise<void> => {
    await page.locator('[class*=sidebar_] [class*=switcher_]').first().click();
    await page.getByRole('menuitem', { name: 'Acme project' }).waitFor();
  };
  const choose = async ({ page }: Window, item: string): Promise<void> => {
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  const memberships = async (bearer: string): Promise<Me['memberships']> =>
    ((await (await world.app.fetch('/v1/auth/me', { bearer })).json()) as Me).memberships;

  test('an admin makes a project and is where its events are sent', async () => {
    const admin = await world.app.addUser('admin');
    const window = await world.open({ bearer: admin.bearer });
    const { page } = window;
    await window.go(at('costs?range=7d&environment=staging'));
    await openMenu(window);
    expect(await page.getByRole('menuitem', { name: 'New organization' }).count()).toBe(0);
    await choose(window, 'New project');
    await page.getByRole('dialog').getByText('Plan scale: 100,000,000 events a month').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Name').fill('  ');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page
      .getByRole('dialog')
      .getByText(/name: /)
      .waitFor();
    await page.getByLabel('Name').fill('Second');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(/\/projects\/prj_\w+\/start$/);
    await page.getByText('to Second').waitFor();
    await page.getByText('Waiting for the first event').waitFor();
    expect((await memberships(admin.bearer))[0]?.projects.map(({ name }) => name)).toContain('Second');
    expect(window.complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await window.close();
  }, 60_000);

  test('an owner makes an organization with its first project, and hears of its limits', async () => {
    const window = await world.open();
    const { page } = window;
    await window.go(at('overview'));
    await openMenu(window);
    await choose(window, 'New organization');
    await page.getByRole('textbox', { name: 'Organization' }).fill('Globex');
    await page.getByLabel('First project').fill('Rockets');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL(/\/projects\/prj_\w+\/start$/);
    await page.getByText('to Rockets').waitFor();
    await page.getByText('Globex is created. Plan free: 100,000 events a month').waitFor();
    const made = (await memberships(world.app.seed.bearer)).find((one) => one.organizationName === 'Globex');
    expect(made).toMatchObject({ role: 'owner', projects: [{ name: 'Rockets' }] });
    // Now two can be chosen from.
    await openMenu(window);
    await choose(window, 'New project');
    expect(
      await page.getByLabel('Organization', { exact: true }).locator('option').allTextContents(),
    ).toEqual(['Acme', 'Globex']);
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('says the reason when one owns as many organizations as one may', async () => {
    const owner = await world.app.addUser('owner');
    for (let i = 1; i < 20; i++) {
      const reply = await world.app.fetch('/v1/organizations', {
        bearer: owner.bearer,
        json: { name: `o${i}` },
      });
      expect(reply.status).toBe(201);
    }
    const window = await world.open({ bearer: owner.bearer });
    await window.go(at('overview'));
    await openMenu(window);
    await choose(window, 'New organization');
    await window.page.getByRole('textbox', { name: 'Organization' }).fill('One more');
    await window.page.getByLabel('First project').fill('p');
    await window.page.getByRole('button', { name: 'Create organization' }).click();
    await window.page.getByRole('dialog').getByText('each at most 20').waitFor();
    await window.close();
  }, 60_000);

  test('a member is offered neither', async () => {
    const member = await world.app.addUser('member');
    const window = await world.open({ bearer: member.bearer });
    await window.go(at('overview'));
    await openMenu(window);
    expect(await window.page.getByRole('menuitem', { name: /^New/ }).count()).toBe(0);
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('stays on the page, without what belongs to the one project', async () => {
    await world.app.app.act(createProject, { organization: 'Acme', name: 'Other' });
    const window = await world.open();
    const { page } = window;
    for (const [from, to] of [
      ['costs?range=7d&environment=staging', 'costs?range=7d'],
      ['events?range=24h&model=gpt-4o', 'events?range=24h'],
      ['traces/abc?range=7d', 'traces?range=7d'],
      ['members', 'members'],
    ] as const) {
      await window.go(at(from));
      await openMenu(window);
      await choose(window, 'Other');
      await page.waitForURL((url) => !url.pathname.includes(world.app.seed.projectId));
      const { pathname, search } = new URL(page.url());
      expect(`${pathname.replace(/^\/projects\/prj_\w+\//, '')}${search}`).toBe(to);
    }
    await window.close();
  }, 60_000);

  test('carries nothing that was shown or made in one project into another', async () => {
    const { projectId, bearer } = world.app.seed;
    const third = await world.app.app.act(createProject, { organization: 'Acme', name: 'Third' });
    // As often changed as the other: the version alone does not tell them apart.
    for (const [id, sampleRate, redactKeys, storePrompts] of [
      [projectId, 0.5, ['ssn'], true],
      [third.id, 0.25, ['card'], false],
    ] as const) {
      const json = { version: 1, sampleRate, redactKeys, storePrompts };
      const path = `/v1/projects/${id}/sdk-config`;
      expect((await world.app.fetch(path, { bearer, method: 'PUT', json })).status).toBe(200);
    }
    const window = await world.open();
    const { page } = window;
    const toThird = async (): Promise<void> => {
      await page.evaluate("document.querySelector('[class*=sidebar_]').dataset.stays = 'yes'");
      await openMenu(window);
      await choose(window, 'Third');
      await page.waitForURL((url) => url.pathname.includes(third.id));
    };

    await window.go(at('project'));
    const percent = page.getByLabel('Sample rate');
    const withheld = page.getByLabel('Redacted keys');
    expect([await percent.inputValue(), await withheld.inputValue()]).toEqual(['50 %', 'ssn']);
    await withheld.fill('typed and not saved');
    await toThird();
    await page.getByRole('heading', { name: 'Delete project' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Third');
    expect([await percent.inputValue(), await withheld.inputValue()]).toEqual(['25 %', 'card']);
    expect(await page.getByLabel('Store prompts and completions').isChecked()).toBe(false);
    // The frame around the page is still the same one.
    expect(await page.locator('[class*=sidebar_][data-stays=yes]').count()).toBe(1);

    await window.go(at('keys'));
    await page.getByLabel('Name of the key').fill('of Acme');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('shown only once').waitFor();
    await toThird();
    await page.getByText('No keys yet').waitFor();
    expect(await page.getByText('shown only once').count()).toBe(0);

    await window.go(at('start'));
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Copy it now').waitFor();
    await toThird();
    await page.getByText('to Third').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).waitFor();
    expect(await page.getByText('Copy it now').count()).toBe(0);

    // Who deletes a project is led to one that is left.
    await window.follow(`/projects/${third.id}/project`);
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.getByLabel('Type Third to confirm').fill('Third');
    await page.getByRole('button', { name: 'Delete Third' }).click();
    await page.waitForURL(`**${at('overview')}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);
});
