import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { checkBudgets } from '../../src/core/budgets/check.ts';
import type { Budget } from '../../src/core/budgets/contract.ts';
import { runJob } from '../../src/core/jobs/index.ts';
import { numberText, percentText } from '../../src/lib/figures.ts';
import { moneyColumn } from '../../src/lib/money-column.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

/** Fields in which one chooses. */
const CHOSEN = ['For', 'Project', 'API key', 'Per'];

describe.skipIf(!hasBrowser)('the budgets page', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const path = (): string => `/v1/budgets?organizationId=${world.app.seed.organizationId}`;
  const list = async (): Promise<Budget[]> => {
    const reply = await world.app.fetch(path(), { bearer: world.app.seed.bearer });
    return ((await reply.json()) as { budgets: Budget[] }).budgets;
  };
  const row = (name: string) =>
    window.page.getByLabel('Budgets', { exact: true }).locator('tbody tr', { hasText: name });
  /** Fills the form that is open and waits until it is gone. */
  const save = async (fields: Record<string, string>, button: string): Promise<void> => {
    const form = window.page.getByRole('dialog');
    for (const [label, value] of Object.entries(fields)) {
      const field = form.getByLabel(label).first();
      if (CHOSEN.includes(label)) await field.selectOption({ label: value });
      else await field.fill(value);
    }
    await form.getByRole('button', { name: button }).click();
    await form.waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    world = await openWorld();
    const events = Array.from({ length: 30 }, (_, i) => ({
      provider: i % 10 === 9 ? 'acme' : 'openai',
      model: i % 10 === 9 ? 'no-such-model' : 'gpt-4o',
      input_tokens: 400_000,
      user_id: i % 3 === 0 ? 'maya' : 'jonas',
      tags: { team: i % 2 === 0 ? 'search' : 'chat' },
    }));
    const sent = await world.app.fetch('/v1/ingest', { apiKey: world.app.seed.apiKey, events });
    expect(sent.status).toBe(202);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('without any it says what one is for, and to a viewer not how to make one', async () => {
    await window.go(at('overview'));
    await window.page.getByRole('link', { name: 'Budgets' }).click();
    await window.page.getByText('No budgets yet').waitFor();
    expect(await window.page.getByRole('button', { name: 'New budget' }).count()).toBe(1);
    const { bearer } = await world.app.addUser('viewer');
    const other = await world.open({ bearer });
    await other.go(at('budgets'));
    await other.page.getByText('No budgets yet').waitFor();
    expect(await other.page.getByRole('button', { name: 'New budget' }).count()).toBe(0);
    await other.close();
  }, 60_000);

  test('one is made for the organization, a project, a key, a user and a tag', async () => {
    const { page } = window;
    await window.go(at('budgets'));
    const key = await page.evaluate(
      `fetch('/v1/projects/${world.app.seed.projectId}/keys').then((reply) => reply.json()).then(({ keys }) => keys[0].name)`,
    );
    const kinds: [string, Record<string, string>][] = [
      ['Everything', { For: 'Organization', Limit: '20' }],
      ['This project', { For: 'Project', Limit: '1000', Per: 'Day' }],
      ['By key', { For: 'API key', 'API key': String(key), Limit: '30.5' }],
      ['Maya', { For: 'End user', User: 'maya', Limit: '9.5', 'Warn at': '60, 90' }],
      ['Search', { For: 'Tag value', Tag: 'team', Value: 'search', Limit: '40', Per: 'Week' }],
    ];
    for (const [name, fields] of kinds) {
      await page.getByRole('button', { name: 'New budget' }).click();
      await save({ ...fields, Name: name }, 'Create budget');
      await row(name).waitFor();
    }
    const { projectId, keyId } = world.app.seed;
    const made = new Map((await list()).map((budget) => [budget.name, budget]));
    expect(kinds.map(([name]) => made.get(name)?.of)).toEqual([
      { kind: 'organization' },
      { kind: 'project', projectId },
      { kind: 'key', keyId },
      { kind: 'user', projectId, userId: 'maya' },
      { kind: 'tag', projectId, tag: 'team', value: 'search' },
    ]);
    expect(made.get('Maya')?.levels).toEqual([60, 90]);
    expect(made.get('By key')).toMatchObject({ limitUsd: 30.5, period: 'month', levels: [50, 80, 100] });
  }, 60_000);

  test('its figures are those of the API, with one number of decimals in a column', async () => {
    await window.go(at('budgets'));
    const budgets = await list();
    const spent = moneyColumn(
      budgets.map(({ status }) => status.spentUsd),
      4,
    );
    const limit = moneyColumn(budgets.map(({ limitUsd }) => limitUsd));
    for (const { name, limitUsd, status } of budgets) {
      const cells = await row(name).locator('td').allTextContents();
      expect([name, cells[1], cells[2], cells[3]]).toEqual([
        name,
        percentText(status.fraction),
        spent(status.spentUsd),
        limit(limitUsd),
      ]);
      expect(cells[0]?.includes(`${numberText(status.unpriced)} unpriced`)).toBe(status.unpriced > 0);
    }
    expect(await row('Everything').getByText('Exceeded').count()).toBe(1);
  }, 60_000);

  for (const name of ['Everything', 'This project', 'By key', 'Maya', 'Search'])
    test(`what ${name} has spent leads to the calls that it counts`, async () => {
      await window.follow(at('budgets'));
      const budget = (await list()).find((one) => one.name === name);
      await row(name).locator('td').nth(2).getByRole('link').click();
      await window.page.waitForURL('**/events?*');
      await window.page.locator('[class*=pageTitle_] [role=status]').waitFor();
      expect(await window.page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
        numberText(budget?.status.calls ?? -1),
      );
    }, 60_000);

  test('a filter is typed, kept in the address, and says which of its parts leaves nothing', async () => {
    const { page } = window;
    await window.go(at('budgets'));
    const names = async (): Promise<string[]> =>
      (
        await page.getByLabel('Budgets', { exact: true }).locator('tbody a.row-link').allTextContents()
      ).sort();
    await row('Everything').waitFor();
    const box = page.getByRole('combobox', { name: 'Filter' });
    await box.click();
    await box.fill('tag.');
    await page.getByRole('option', { name: 'tag.team' }).click();
    await page.getByRole('option', { name: 'search' }).click();
    await page.waitForURL('**/budgets?q=tag.team*');
    expect(await names()).toEqual(['Search']);
    await box.fill('used:1000..2000');
    await box.press('Enter');
    await page.getByText('No matching budgets').waitFor();
    await page.getByText('There are 1 without used:1000..2000').waitFor();
    await page.getByText('There are none without tag.team:search').waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await row('Everything').waitFor();
    await box.fill('stats:ok');
    await box.press('Enter');
    await page.getByText('did you mean status?').waitFor();
    await window.go(at(`budgets?q=${encodeURIComponent('kind:user,tag -search')}`));
    await row('Maya').waitFor();
    expect(await names()).toEqual(['Maya']);
    await window.go(at(`budgets?q=${encodeURIComponent('nothing:x')}`));
    await page.getByText('The filter cannot be read').waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await row('Maya').waitFor();
  }, 60_000);

  test('a click in a row opens its budget, which the address keeps; a viewer sees it and changes nothing', async () => {
    const { page } = window;
    await window.go(at('budgets?q=maya'));
    await row('Maya').locator('td').nth(3).click();
    await page.waitForURL('**/budgets?q=maya&budget=*');
    const form = page.getByRole('dialog', { name: 'Edit budget' });
    expect(await form.getByLabel('User').inputValue()).toBe('maya');
    const address = page.url();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/budgets?q=maya');
    const { bearer } = await world.app.addUser('viewer');
    const other = await world.open({ bearer });
    await other.go(new URL(address).pathname + new URL(address).search);
    const seen = other.page.getByRole('dialog', { name: 'Budget' });
    await seen.getByRole('button', { name: 'Close', exact: true }).last().waitFor();
    expect(await seen.getByLabel('User').isDisabled()).toBe(true);
    expect(await seen.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await seriousFindings(other.page)).toEqual([]);
    await other.close();
  }, 60_000);

  test('levels that were crossed are listed, the newest first', async () => {
    await runJob(world.app.ctx, checkBudgets, 'schedule');
    await window.go(at('budgets'));
    const crossed = window.page.getByLabel('Threshold history', { exact: true });
    expect(await crossed.locator('tbody tr', { hasText: 'Everything' }).count()).toBe(3);
    expect(await crossed.locator('tbody tr', { hasText: 'Maya' }).count()).toBe(2);
    await row('Everything').getByRole('img', { name: 'past the 100% threshold' }).waitFor();
  }, 60_000);

  test('one is changed and removed; what the server refuses is said once, in the form', async () => {
    const { page } = window;
    await window.go(at('budgets'));
    await row('Maya').getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('User').inputValue()).toBe('maya');
    await form.getByLabel('Warn at').fill('90, 60');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('must rise').waitFor();
    expect(await page.getByText('must rise').count()).toBe(1);
    expect(await page.getByText('The budget was not saved').count()).toBe(0);
    await save({ 'Warn at': '75', Limit: '12.25' }, 'Save');
    await row('Maya').getByText('$12.25').waitFor();
    expect((await list()).find(({ name }) => name === 'Maya')).toMatchObject({
      limitUsd: 12.25,
      levels: [75],
      of: { kind: 'user', userId: 'maya' },
    });
    await row('Search').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove budget' }).click();
    await row('Search').waitFor({ state: 'detached' });
    expect((await list()).map(({ name }) => name)).not.toContain('Search');
  }, 60_000);

  test('a form that is closed before the server refuses leaves a notice of what failed', async () => {
    const { page } = window;
    await window.go(at('budgets'));
    await row('Maya').getByRole('button', { name: 'Edit' }).click();
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/budgets/*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const form = page.getByRole('dialog');
    await form.getByLabel('Warn at').fill('90, 60');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    held.resolve();
    await page.getByRole('alert').filter({ hasText: 'The budget was not saved' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  }, 60_000);

  test('a member sees all and changes nothing; nothing serious by axe in both themes and at 360 px', async () => {
    const { bearer } = await world.app.addUser('member');
    for (const scheme of ['light', 'dark'] as const) {
      const other = await world.open({ bearer, scheme, width: scheme === 'light' ? 1280 : 360 });
      await other.go(at('budgets'));
      await other.page.getByLabel('Budgets', { exact: true }).waitFor();
      for (const name of ['New budget', 'Edit', 'Remove'])
        expect([name, await other.page.getByRole('button', { name }).count()]).toEqual([name, 0]);
      expect(await seriousFindings(other.page, { rules: scheme === 'dark' ? 'contrast' : 'all' })).toEqual(
        [],
      );
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await other.page.evaluate(over)).toBe(0);
      expect(other.complaints).toEqual([]);
      await other.close();
    }
    const budget = { of: { kind: 'organization' }, period: 'day', limitUsd: 1 };
    expect((await world.app.fetch(path(), { bearer, json: budget })).status).toBe(403);
  }, 60_000);

  test('nothing was complained about on the way, but what was refused', () => {
    expect(window.complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });
});
