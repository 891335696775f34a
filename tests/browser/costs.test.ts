import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { createKey } from '../../src/core/keys/index.ts';
import type { CostBreakdown, CostsReply, CostTags } from '../../src/features/analytics/contract.ts';
import { moneyText, numberText } from '../../src/lib/figures.ts';
import { moneyColumn } from '../../src/lib/money-column.ts';
import { act } from '../helpers/audit.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const WEEK = 'range=7d';
/** A value that has to be encoded, and holds what separates names from values. */
const ODD = 'a=b & "ü" <i>';

describe.skipIf(!hasBrowser)('the costs page', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const read = async <T>(path: string, query: Record<string, string> = {}): Promise<T> => {
    const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000).toISOString();
    const given = new URLSearchParams({ projectId: world.app.seed.projectId, start, ...query });
    return (await (await world.app.fetch(`${path}?${given}`, { bearer: world.app.seed.bearer })).json()) as T;
  };
  const table = (label: string) => window.page.getByLabel(`Cost by ${label}`, { exact: true });
  const cells = async (label: string, row: string): Promise<string[]> =>
    table(label).locator(row).first().locator('td').allTextContents();
  const eventsCount = async (): Promise<string | null> => {
    await window.page.waitForURL('**/events?*');
    await window.page.locator('[class*=pageTitle_] [role=status]').waitFor();
    return window.page.locator('[class*=pageTitle_] [role=status]').textContent();
  };

  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    const { projectId } = world.app.seed;
    const second = await world.app.app.act(createKey, { project: projectId, name: 'Nightly batch' });
    for (const [n, apiKey] of [world.app.seed.apiKey, second.apiKey].entries()) {
      const events = Array.from({ length: 40 }, (_, i) => ({
        provider: 'openai',
        model: i % 8 === 0 ? 'no-such-model' : 'gpt-4o',
        user_id: `customer-${n * 40 + i}`,
        input_tokens: 1_000,
        tags: { team: i % 2 === 0 ? ODD : 'blue' },
      }));
      expect((await world.app.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    }
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('its figures are those of the API, and what is expected adds up', async () => {
    await window.go(`${at('costs')}?${WEEK}`);
    const costs = await read<CostsReply>('/v1/costs');
    const tile = (label: string) =>
      window.page
        .locator('[class*=kpi_]', { hasText: label })
        .locator('[class*=kpiValue_]')
        .first()
        .textContent();
    expect(await tile('Cost')).toBe(moneyText(costs.total));
    expect(await tile('End of month')).toBe(moneyText(costs.monthEnd?.total ?? Number.NaN));
    expect(await tile('Next 30 days')).toBe(moneyText(costs.forecast30d));
    const { groups } = await read<CostBreakdown>('/v1/costs/breakdown');
    const rows = table('Model').locator('tbody tr');
    expect(await rows.count()).toBe(groups.length);
    const money = moneyColumn([...groups.map(({ cost }) => cost), costs.total]);
    const total = await cells('Model', 'tfoot tr');
    expect([total[0], total[1], total[2]]).toEqual(['Total', numberText(costs.calls), money(costs.total)]);
    const [first] = groups;
    expect((await cells('Model', 'tbody tr'))[2]).toBe(money(first?.cost ?? Number.NaN));
  }, 60_000);

  test('amounts of a column have one number of decimals', async () => {
    const texts = await table('Model').locator('tr td:nth-child(3)').allTextContents();
    const amounts = texts.filter((text) => text.startsWith('$'));
    expect(amounts.length).toBeGreaterThan(5);
    expect(new Set(amounts.map((text) => text.split('.')[1]?.length)).size).toBe(1);
    const align = `new Set([...document.querySelectorAll('[aria-label="Cost by Model"] td:nth-child(3)')].map((cell) => getComputedStyle(cell).textAlign))`;
    expect(await window.page.evaluate(`[...${align}]`)).toEqual(['right']);
  });

  test('it is split by user, environment, key, tag and day, in the address', async () => {
    const { page } = window;
    const choose = async (label: string, by: string): Promise<void> => {
      await page.getByRole('radiogroup', { name: 'Split by' }).getByText(label, { exact: true }).click();
      await page.waitForURL(`**/costs?*by=${by}*`);
    };
    await choose('User', 'userId');
    await table('User').waitFor();
    // More than a table begins with: the rest is one row, until it is asked for.
    const { groups } = await read<CostBreakdown>('/v1/costs/breakdown', { by: 'userId' });
    expect(await table('User').locator('tbody tr').count()).toBe(20);
    expect((await cells('User', 'tfoot tr'))[0]).toBe(`${groups.length - 20} others`);
    await page.getByRole('button', { name: `Show all ${groups.length}` }).click();
    expect(await table('User').locator('tbody tr').count()).toBe(groups.length);
    await choose('Environment', 'environment');
    await table('Environment').waitFor();
    await choose('Day', 'day');
    await table('Day').waitFor();
    await choose('API key', 'key');
    await table('API key').getByText('Nightly batch').waitFor();
    await choose('Tag', 'tag');
    await page.getByLabel('Name of the tag').selectOption('team');
    await table('team').getByText(ODD).waitFor();
    await page.reload();
    await table('team').getByText(ODD).waitFor();
    const { tags } = await read<CostTags>('/v1/costs/tags');
    expect(await page.getByLabel('Name of the tag').locator('option').allTextContents()).toEqual(
      tags.map(({ name }) => name),
    );
  }, 60_000);

  for (const [by, label] of [
    ['model', 'Model'],
    ['provider', 'Provider'],
    ['environment', 'Environment'],
    ['userId', 'User'],
    ['key', 'API key'],
    ['tag:team', 'team'],
    ['day', 'Day'],
  ] as const) {
    test(`each row by ${by} leads to as many events as it counts`, async () => {
      await window.follow(`${at('costs')}?${WEEK}&by=${encodeURIComponent(by)}`);
      const row = table(label)
        .locator('tbody tr', { has: window.page.locator('td:first-child a') })
        .last();
      await row.waitFor();
      const [, calls] = await row.locator('td').allTextContents();
      await row.getByRole('link').first().click();
      expect(await eventsCount()).toBe(calls ?? '');
    }, 60_000);
  }

  test('the value of a tag with signs in it leads to its events, under its name', async () => {
    await window.follow(`${at('costs')}?${WEEK}&by=tag:team`);
    await table('team').getByRole('link', { name: ODD }).click();
    expect(await eventsCount()).toBe('40');
    await window.page.locator('[class*=chip_]', { hasText: `team=${ODD}` }).waitFor();
  }, 60_000);

  test('calls without a price are named and lead to themselves and to the prices', async () => {
    await window.follow(`${at('costs')}?${WEEK}`);
    const { unpriced } = await read<CostsReply>('/v1/costs');
    const note = window.page.getByLabel('Calls without a price');
    await note.getByRole('link', { name: `${numberText(unpriced)} of` }).click();
    expect(await eventsCount()).toBe(numberText(unpriced));
    await window.page.locator('[class*=chip_]', { hasText: 'Without a price' }).waitFor();
    await window.follow(`${at('costs')}?${WEEK}`);
    await note.getByRole('link', { name: 'no-such-model' }).click();
    expect(await eventsCount()).toBe('10');
    await window.go(`${at('prices')}?${WEEK}&model=no-such-model&provider=openai`);
    const form = window.page.getByRole('dialog', { name: 'Set price' });
    expect(await form.getByLabel('Model').inputValue()).toBe('no-such-model');
    await window.page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(window.page.url()).not.toContain('no-such-model');
  }, 60_000);

  test('tags that can not be told are said to be so, and asked for again', async () => {
    const tags = /\/v1\/costs\/tags/;
    await window.page.route(tags, (route) => route.fulfill({ status: 503, json: { error: 'No tags now' } }));
    await window.go(`${at('costs')}?${WEEK}&by=tag`);
    await window.page.getByText('No tags now').waitFor();
    await window.page.unroute(tags);
    await window.page.getByRole('button', { name: 'Try again' }).click();
    await window.page.getByLabel('Name of the tag').waitFor();
    expect(window.complaints.splice(0).filter((text) => !text.includes('503'))).toEqual([]);
  }, 60_000);

  test('by key and by tag, one environment has its own calls', async () => {
    for (const [by, label] of [
      ['key', 'API key'],
      ['tag:team', 'team'],
    ] as const) {
      const callsOf = async (environment: Record<string, string>): Promise<number> => {
        const { groups } = await read<CostBreakdown>('/v1/costs/breakdown', { by, ...environment });
        return groups.reduce((sum, { calls }) => sum + calls, 0);
      };
      const calls = await callsOf({ environment: 'production' });
      expect(calls).toBeGreaterThan(0);
      expect(calls).toBeLessThan(await callsOf({}));
      await window.follow(`${at('costs')}?${WEEK}&by=${encodeURIComponent(by)}&environment=production`);
      await table(label).waitFor();
      expect((await cells(label, 'tfoot tr'))[1]).toBe(numberText(calls));
    }
  }, 60_000);

  test('a viewer is not asked to set prices; nothing serious by axe, nothing sticks out at 360 px', async () => {
    const { bearer } = await world.app.addUser('viewer');
    const narrow = await world.open({ bearer, width: 360 });
    for (const by of ['model', 'userId', 'tag:team', 'day']) {
      await narrow.go(`${at('costs')}?${WEEK}&by=${encodeURIComponent(by)}`);
      expect([by, await seriousFindings(narrow.page)]).toEqual([by, []]);
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([by, await narrow.page.evaluate(over)]).toEqual([by, 0]);
      const head = narrow.page.getByRole('columnheader', { name: 'Cost', exact: true }).last();
      const { x, width } = (await head.boundingBox()) ?? { x: 0, width: 1_000 };
      expect([by, x + width <= 360]).toEqual([by, true]);
    }
    expect(await narrow.page.getByText('Set price').count()).toBe(0);
    await narrow.page.getByLabel('Calls without a price').getByRole('link', { name: 'Prices' }).waitFor();
    expect(narrow.complaints).toEqual([]);
    await narrow.close();
  }, 120_000);

  test('what retention deleted stays in totals, and a split that lacks it says so', async () => {
    const { projectId, bearer } = world.app.seed;
    const kept = { method: 'PUT', bearer, json: { retentionDays: 1 } };
    expect((await world.app.fetch(`/v1/projects/${projectId}`, kept)).status).toBe(200);
    await act(world.app, 'jobs.run', { name: 'retention.delete_expired' });
    const total = (await read<CostsReply>('/v1/costs')).calls;
    const { groups } = await read<CostBreakdown>('/v1/costs/breakdown', { by: 'agent' });
    const left = groups.reduce((sum, { calls }) => sum + calls, 0);
    expect(left).toBeLessThan(total);
    const note = window.page.getByRole('note');
    await window.follow(`${at('costs')}?${WEEK}&by=model`);
    await table('Model').waitFor();
    expect((await cells('Model', 'tfoot tr'))[1]).toBe(numberText(total));
    expect(await note.count()).toBe(0);
    await window.follow(`${at('costs')}?${WEEK}&by=agent`);
    await note.getByText('have been deleted (retention). Figures by agent leave them out.').waitFor();
    expect((await cells('Agent', 'tfoot tr'))[1]).toBe(numberText(left));
    await window.follow(`${at('errors')}?${WEEK}&filter=agent:*`);
    await note.getByText('These figures, and those that they are compared with, leave them out.').waitFor();
    const json = { name: 'support/answer', template: 'Answer {{question}}' };
    expect((await world.app.fetch(`/v1/prompts?projectId=${projectId}`, { bearer, json })).status).toBe(201);
    const others = {
      'root-cause': 'These figures, and those that they are compared with, leave them out.',
      prompts: 'The figures of prompts leave them out.',
      anomalies: 'Hours of users and agents leave them out.',
      recommendations: 'Recommendations that read single calls leave them out.',
    };
    for (const [page, text] of Object.entries(others)) {
      await window.follow(`${at(page)}?${WEEK}`);
      await note.getByText(text).waitFor();
    }
  }, 60_000);

  test('nothing was complained about on the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
