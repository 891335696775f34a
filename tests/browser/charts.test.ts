import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { MetricsReply } from '../../src/core/events/query/contract.ts';
import type { Dashboard } from '../../src/features/dashboards/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('charts', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const count = async (filter: string, range: object): Promise<number | null | undefined> => {
    const { bearer, projectId } = world.app.seed;
    const json = { measures: ['requests'], filter, ...range };
    const reply = await world.app.fetch(`/v1/metrics/query?projectId=${projectId}`, { bearer, json });
    return ((await reply.json()) as MetricsReply).total.values.requests;
  };
  const shownEvents = async (): Promise<number> => {
    await window.page.waitForURL('**/events?*');
    const status = window.page.locator('[class*=pageTitle_] [role=status]');
    await status.waitFor();
    return Number((await status.textContent())?.replace(/\D/g, ''));
  };
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(4);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('cost per release is a chart of a dashboard of one’s own in six clicks', async () => {
    const { page, go } = window;
    await go(at('overview?range=7d'));
    let clicks = 0;
    const click = async (name: string, role: 'link' | 'button' = 'button'): Promise<void> => {
      clicks++;
      await page.getByRole(role, { name, exact: true }).first().click();
    };
    await click('Costs', 'link');
    clicks++;
    await page.getByRole('radiogroup', { name: 'Split by' }).getByText('Release', { exact: true }).click();
    await page.getByLabel('Cost by Release over time').first().waitFor();
    await click('Add to dashboard');
    await page.getByRole('dialog').getByLabel('Name of the new dashboard').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await click('Add');
    await page.waitForURL('**/dashboards/*');
    await page.getByRole('heading', { name: 'Cost by release' }).first().waitFor();
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
    const { bearer, projectId } = world.app.seed;
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const reply = await world.app.fetch(`/v1/dashboards/${id}?projectId=${projectId}`, { bearer });
    const { tiles } = (await reply.json()) as Dashboard;
    expect(tiles).toMatchObject([{ kind: 'bars', measures: ['cost'], groupBy: ['release'], filter: '' }]);
  }, 60_000);

  test('the previous period is a dashed line that the address keeps from page to page', async () => {
    const { page, go, complaints } = window;
    await go(at('overview?range=24h'));
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    expect(await page.locator('.chart-before').count()).toBe(0);
    await page.getByRole('button', { name: 'Compare with the previous period' }).click();
    await page.locator('.chart-before').first().waitFor();
    expect(page.url()).toContain('compare=1');
    await page.getByRole('link', { name: 'Performance', exact: true }).click();
    await page.waitForURL('**/performance?*compare=1*');
    await page.locator('.chart-before').nth(2).waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).first().click();
    await page.getByRole('columnheader', { name: 'p95 latency, previous period' }).waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  test('a part of a stack leads to the calls of its group in its time', async () => {
    const { page, go } = window;
    await go(at('costs?range=7d'));
    // A whole day: the part of the last one has no height in the first hours.
    const part = page.locator('.recharts-bar').first().locator('.recharts-bar-rectangle path').nth(1);
    await part.click();
    const shown = await shownEvents();
    const { searchParams } = new URL(page.url());
    const filter = searchParams.get('filter') ?? '';
    expect(filter).toStartWith('model:');
    const [start, end] = [searchParams.get('start'), searchParams.get('end')];
    expect(await count(filter, { start, end })).toBe(shown);
  }, 60_000);

  test('a tap, which the mouse does not come near before, opens the time that it is on', async () => {
    const { page, go } = window;
    await go(at('overview?range=7d'));
    const bar = page.locator('.recharts-bar').first().locator('.recharts-bar-rectangle path').nth(1);
    await bar.hover({ force: true });
    const day = /\d+ \w+/.exec((await page.locator('[class*=tip_]').textContent()) ?? '')?.[0] ?? '';
    const { x, y, width, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await go(at('overview?range=7d'));
    await bar.waitFor();
    await page.mouse.click(x + width / 2, y + height / 2);
    await shownEvents();
    const start = new URL(page.url()).searchParams.get('start') ?? '';
    expect(new Date(start).getUTCDate()).toBe(Number.parseInt(day, 10));
  }, 60_000);

  test('a bin of the histogram and a cell of a table of two dimensions lead to as many calls as they say', async () => {
    const { page, go } = window;
    await go(at('performance?range=7d'));
    const bars = page.getByRole('button', { name: /Latency distribution/ });
    // Which bins have calls depends on the minute: the first that has.
    let calls = 0;
    for (let bin = 0; bin < 40 && calls === 0; bin++) {
      await bars.press('ArrowRight');
      const name = (await bars.getAttribute('aria-label')) ?? '';
      calls = Number(/: ([\d,]+) calls?,/.exec(name)?.[1]?.replaceAll(',', ''));
    }
    expect(calls).toBeGreaterThan(0);
    expect(await seriousFindings(page)).toEqual([]);
    await bars.press('Enter');
    expect(await shownEvents()).toBe(calls);

    await go(at('costs?range=7d&by=model&across=userId&cell=requests'));
    const cell = page.locator('[class*=matrix_] tbody td a').first();
    const text = Number((await cell.textContent())?.replaceAll(',', ''));
    expect(await seriousFindings(page)).toEqual([]);
    await cell.click();
    expect(await shownEvents()).toBe(text);
    const filter = new URL(page.url()).searchParams.get('filter') ?? '';
    expect(await count(filter, { range: '7d' })).toBe(text);
  }, 60_000);
});
