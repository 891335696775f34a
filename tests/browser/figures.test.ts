import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Me } from '../../src/core/auth/contract.ts';
import type { CostsReply, ErrorsReply, OverviewReply } from '../../src/features/analytics/contract.ts';
import { compactText, moneyText, numberText, percentText } from '../../src/lib/figures.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('what the pages show', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const WEEK = 'range=7d';
  const read = async <T>(path: string, query = ''): Promise<T> => {
    const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000).toISOString();
    const given = query.includes('start=') ? '' : `&start=${start}`;
    const url = `${path}?projectId=${world.app.seed.projectId}${given}${query}`;
    return (await (await world.app.fetch(url, { bearer: world.app.seed.bearer })).json()) as T;
  };

  test('the figures of the overview are those of the API', async () => {
    await window.go(`${at('overview')}?${WEEK}`);
    const { kpis, topModels } = await read<OverviewReply>(
      `/v1/projects/${world.app.seed.projectId}/overview`,
    );
    const tile = (label: string) =>
      window.page.locator('[class*=kpi_]', { hasText: label }).locator('[class*=kpiValue_]').textContent();
    expect(await tile('Requests')).toBe(compactText(kpis.totalRequests));
    expect(await tile('Cost')).toBe(moneyText(kpis.totalCost));
    expect(await tile('Error rate')).toBe(percentText(kpis.errorRate));
    expect(await tile('Tokens')).toBe(compactText(kpis.inputTokens + kpis.outputTokens));
    expect(await tile('Cache rate')).toBe(percentText(kpis.cacheRate));
    const rows = await window.page.getByLabel('Top models').locator('tbody tr').count();
    expect(rows).toBe(topModels.length);
    expect(await window.page.getByText(`${numberText(kpis.unpriced)} of`).count()).toBe(
      kpis.unpriced > 0 ? 1 : 0,
    );
  }, 60_000);

  test('a drag over a chart chooses its time; presets choose days that have ended', async () => {
    await window.go(`${at('overview')}?${WEEK}`);
    const bars = window.page.locator('.recharts-bar-rectangle path');
    await bars.first().waitFor();
    const boxes = await Promise.all([bars.first(), bars.nth(1)].map((bar) => bar.boundingBox()));
    const [from, to] = boxes.map((box) => ({
      x: (box?.x ?? 0) + 5,
      y: (box?.y ?? 0) + (box?.height ?? 0) - 2,
    }));
    if (from === undefined || to === undefined) throw new Error('two bars were expected');
    await window.page.mouse.move(from.x, from.y);
    await window.page.mouse.down();
    await window.page.mouse.move(to.x, to.y, { steps: 4 });
    await window.page.locator('[class*=drag_]').waitFor();
    await window.page.mouse.up();
    await window.page.waitForURL(/start=/);
    const { searchParams } = new URL(window.page.url());
    const days = [searchParams.get('start'), searchParams.get('end')].map((time) => Date.parse(time ?? ''));
    expect((days[1] ?? 0) - (days[0] ?? 0)).toBe(2 * 86_400_000 - 1);
    // What the pointer was on is gone with its values.
    await window.page.locator('[class*=tip_]').waitFor({ state: 'hidden' });

    await window.page.getByRole('button', { name: /–/ }).click();
    await window.page.getByRole('dialog').getByRole('button', { name: 'Yesterday' }).click();
    await window.page.getByRole('dialog').waitFor({ state: 'detached' });
    await window.page.getByRole('button', { name: 'Yesterday' }).waitFor();
    const end = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 1).toISOString();
    const { kpis } = await read<OverviewReply>(
      `/v1/projects/${world.app.seed.projectId}/overview`,
      `&end=${end}&start=${end.slice(0, 10)}T00:00:00.000Z`,
    );
    const requests = window.page
      .locator('[class*=kpi_]', { hasText: 'Requests' })
      .locator('[class*=kpiValue_]');
    await requests.getByText(compactText(kpis.totalRequests), { exact: true }).waitFor();
  }, 60_000);

  test('another zone changes the times that are shown, not the range; it is kept for the person', async () => {
    const { page, go } = window;
    await go(`${at('events')}?start=2026-11-20T10:00:00.000Z&end=2026-11-20T10:59:59.999Z`);
    await page.getByRole('button', { name: '20 Nov, 10:00 – 10:59 UTC' }).click();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    // Found by its current name, also where the browser lists a former one.
    await zone.fill('Kolkata');
    await page.getByRole('option', { name: 'Asia/Kolkata' }).waitFor();
    await zone.fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: '20 Nov, 19:00 – 19:59 Tokyo' }).waitFor();
    expect(await page.getByLabel(/^From/).inputValue()).toBe('2026-11-20T19:00');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('start'), searchParams.get('end')]).toEqual([
      '2026-11-20T10:00:00.000Z',
      '2026-11-20T10:59:59.999Z',
    ]);
    const { user } = await read<Me>('/v1/auth/me');
    expect(user.timeZone).toBe('Asia/Tokyo');
    // Days of a named range begin at midnight of each zone, in the fields too.
    await go(`${at('events')}?range=7d`);
    await page.getByRole('button', { name: 'Last 7 days Tokyo' }).click();
    const field = page.getByLabel(/^From/);
    expect(await field.inputValue()).toEndWith('T00:00');
    await zone.fill('UTC');
    await page.getByRole('option', { name: 'UTC', exact: true }).click();
    await page.getByText('From (UTC)').waitFor();
    expect(await field.inputValue()).toEndWith('T00:00');
    await world.app.fetch('/v1/auth/preferences', {
      method: 'PUT',
      bearer: world.app.seed.bearer,
      json: { timeZone: 'UTC' },
    });
  }, 60_000);

  test('each day of a chart leads to the events behind it', async () => {
    await window.go(`${at('overview')}?${WEEK}`);
    await window.page.getByRole('button', { name: 'Show as a table' }).click();
    const row = window.page.locator('[class*=chartTable_] tbody tr').nth(1);
    await row.waitFor();
    const cells = await row.locator('td').allTextContents();
    const calls = cells.slice(1).reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    expect(calls).toBeGreaterThan(0);
    await row.getByRole('link').click();
    await window.page.waitForURL('**/events?*');
    await window.page.locator('[class*=pageTitle_] [role=status]').waitFor();
    expect(await window.page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
      numberText(calls),
    );
  }, 60_000);

  test('a click on a bar leads there too', async () => {
    await window.go(`${at('costs')}?${WEEK}`);
    const { dailyTrend } = await read<CostsReply>('/v1/costs');
    // The last bars are what is expected: no events lie behind them.
    const bar = window.page.locator('.recharts-bar-rectangle path').first();
    await bar.hover({ force: true });
    await window.page.locator('[class*=tip_]').waitFor();
    await bar.click({ force: true });
    await window.page.waitForURL('**/events?*');
    const start = new URL(window.page.url()).searchParams.get('start') ?? '';
    expect(dailyTrend.map(({ date }) => `${date}T00:00:00.000Z`)).toContain(start);
  }, 60_000);

  test('an error group leads to as many events as it counts', async () => {
    const { errorGroups } = await read<ErrorsReply>('/v1/errors');
    const [group] = errorGroups;
    if (group === undefined) throw new Error('the demo has no errors');
    await window.go(`${at('errors')}?${WEEK}`);
    await window.page
      .getByLabel('Error groups')
      .getByRole('link', { name: group.error_code })
      .first()
      .click();
    await window.page.waitForURL('**/events?*');
    await window.page.locator('[class*=pageTitle_] [role=status]').waitFor();
    expect(await window.page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
      numberText(group.count),
    );
  }, 60_000);

  test('by keyboard: search, page, row, details, and back', async () => {
    await window.go(`${at('overview')}?${WEEK}`);
    const { page } = window;
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a page').fill('Events');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/events?*');
    const first = page.locator('[data-row="0"] .vopen');
    await first.focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-row="1"] .vopen:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('heading', { name: 'Context' }).waitFor();
    expect(new URL(page.url()).searchParams.get('event')).not.toBeNull();
    await page.keyboard.press('Escape');
    // The search may still be fading out beside the details.
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  }, 60_000);

  test('nothing was complained about on the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
