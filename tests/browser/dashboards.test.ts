import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Dashboard } from '../../src/features/dashboards/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('dashboards', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const stored = async (): Promise<Dashboard> => {
    const { bearer, projectId } = world.app.seed;
    const id = window.page.url().split('/').at(-1)?.split('?')[0];
    return (await (
      await world.app.fetch(`/v1/dashboards/${id}?projectId=${projectId}`, { bearer })
    ).json()) as Dashboard;
  };
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('one is made from a template, gets a tile, and the keyboard moves and resizes it', async () => {
    const { page, go, complaints } = window;
    await go(at('dashboards'));
    await page.getByRole('button', { name: 'New dashboard' }).first().click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Releases' }).waitFor();
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // A click on the legend hides a series, with Shift all others, then none.
    const legend = page.locator('[class*=legend_] button');
    // The chart draws after the click has been handled.
    const draws = (bars: number) =>
      waitInPage(page, `document.querySelectorAll('.recharts-bar').length === ${bars}`);
    const all = await legend.count();
    expect(all).toBeGreaterThan(1);
    await legend.first().click();
    expect(await draws(all - 1)).toBe(true);
    await legend.first().click({ modifiers: ['Shift'] });
    expect(await draws(1)).toBe(true);
    expect(await legend.first().getAttribute('aria-pressed')).toBe('true');
    await legend.first().click({ modifiers: ['Shift'] });
    expect(await draws(all)).toBe(true);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add tile' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Measure').selectOption({ label: 'p99 latency' });
    await form.getByLabel('Group by').selectOption({ label: 'Model' });
    await form.getByLabel('Preview').locator('.recharts-surface').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const put = page.waitForResponse((reply) => reply.request().method() === 'PUT');
    await form.getByRole('button', { name: 'Add to dashboard' }).click();
    await page.getByRole('heading', { name: 'p99 latency by model' }).waitFor();
    await put;
    const added = async () => (await stored()).tiles.find(({ title }) => title === 'p99 latency by model');
    expect(await added()).toMatchObject({ x: 0, y: 12, w: 6, h: 5 });

    await page
      .getByRole('button', { name: 'Move p99 latency by model with the arrow keys' })
      .press('ArrowRight');
    await page.getByText('p99 latency by model: column 2, row 13').waitFor();
    const saved = page.waitForResponse((reply) => reply.request().postData()?.includes('"w":7') === true);
    await page
      .getByRole('button', { name: 'Resize p99 latency by model with the arrow keys' })
      .press('ArrowRight');
    await page.getByText('7 wide').waitFor();
    await saved;
    expect(await added()).toMatchObject({ x: 1, w: 7 });
    await page.reload();
    await page.getByRole('heading', { name: 'p99 latency by model' }).waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  test('a change on top of somebody else’s is refused, not lost', async () => {
    const { page } = window;
    const { bearer, projectId } = world.app.seed;
    const { id, name, shared } = await stored();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const put = await world.app.fetch(`/v1/dashboards/${id}?projectId=${projectId}`, {
      method: 'PUT',
      bearer,
      json: { name, shared, tiles: [] },
    });
    expect(put.status).toBe(200);
    await page.getByRole('button', { name: 'Move Releases with the arrow keys' }).press('ArrowUp');
    await page.getByText('was changed meanwhile').waitFor();
    expect((await stored()).tiles).toEqual([]);
  }, 60_000);
});
