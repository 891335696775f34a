import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Statement } from '../../src/features/costs/contract.ts';
import { numberText } from '../../src/lib/figures.ts';
import { DAY_MS, formatInstant } from '../../src/lib/time.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)("the page of a day's statement", () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const dayBefore = (days: number): string => formatInstant(Date.now() - days * DAY_MS).slice(0, 10);
  const read = async (day: string, environment = ''): Promise<Statement> => {
    const only = environment === '' ? '' : `&environment=${environment}`;
    const path = `/v1/costs/statement?projectId=${world.app.seed.projectId}&day=${day}${only}`;
    return (await (await world.app.fetch(path, { bearer: world.app.seed.bearer })).json()) as Statement;
  };
  const table = () => window.page.getByLabel('Statement', { exact: true });
  const nanoOf = (text: string): number => Math.round(Number(text.replace(/[$,]/g, '')) * 1e9);

  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('is of the last whole day; its lines add up to each model and to the stored cost', async () => {
    await window.go(at('costs'));
    await window.page.getByRole('navigation', { name: 'Costs' }).getByText('Statement').click();
    await table().waitFor();
    const statement = await read(dayBefore(1));
    const [total = ''] = await table().locator('tfoot td:last-child').allTextContents();
    expect(statement.adds_up).toBe(true);
    expect(nanoOf(total)).toBe(statement.total_nano);
    expect(await table().locator('tbody').count()).toBe(statement.models.length);
    let sum = 0;
    for (const body of await table().locator('tbody').all()) {
      const amount = (await body.locator('[class*=account_] td:last-child').textContent()) ?? '';
      const lines = (await body.locator('[class*=entry_] td:last-child').allTextContents()).filter(
        (text) => text !== '',
      );
      if (!amount.startsWith('$')) continue;
      const own = lines.map(nanoOf).reduce((all, nano) => all + nano, 0);
      expect(own).toBe(nanoOf(amount));
      sum += own;
    }
    expect(sum).toBe(statement.total_nano);
    await window.page.getByText('to the nano-dollar').waitFor();
  }, 60_000);

  test("the month's costs are a file for finance tools", async () => {
    const { page } = window;
    await window.go(at('costs/statement'));
    await table().waitFor();
    for (const [item, ending] of [
      ['CSV', 'csv'],
      ['Parquet', 'parquet'],
    ] as const) {
      await page.getByRole('button', { name: 'FOCUS' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`spanledger-focus-${dayBefore(1).slice(0, 7)}.${ending}`);
      expect(await download.failure()).toBeNull();
    }
  }, 60_000);

  test('another day is in the address, and a model leads to its calls of that day', async () => {
    const { page } = window;
    await window.go(at('costs/statement'));
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.waitForURL(`**/statement?day=${dayBefore(2)}`);
    const [model] = (await read(dayBefore(2))).models;
    if (model === undefined) throw new Error('the demo has no calls on that day');
    await table().getByRole('link', { name: model.model }).first().click();
    await page.waitForURL('**/events?*');
    await page.locator('[class*=pageTitle_] [role=status]').waitFor();
    expect(await page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
      numberText(model.calls),
    );
    await window.go(`${at('costs/statement')}?day=2020-01-01`);
    await page.getByText('No calls on this day').waitFor();
    await window.go(`${at('costs/statement')}?day=yesterday`);
    await table().waitFor();
  }, 60_000);

  test('is of the environment that the address names, and so is what it leads to', async () => {
    const { page } = window;
    const day = dayBefore(2);
    const [all, staging] = [await read(day), await read(day, 'staging')];
    expect(staging.calls).toBeGreaterThan(0);
    expect(staging.calls).toBeLessThan(all.calls);
    await window.go(`${at('costs/statement')}?day=${day}&environment=staging`);
    await page.getByText('environment staging').waitFor();
    expect(await table().locator('tfoot td').nth(1).textContent()).toBe(numberText(staging.calls));
    const [model] = staging.models;
    await table()
      .getByRole('link', { name: model?.model ?? '' })
      .first()
      .click();
    await page.waitForURL('**/events?*environment=staging*');
    await page.locator('[class*=pageTitle_] [role=status]').waitFor();
    expect(await page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
      numberText(model?.calls ?? 0),
    );
  }, 60_000);

  test('is not printed while the day before stands under the new date', async () => {
    const { page } = window;
    await window.go(`${at('costs/statement')}?day=${dayBefore(1)}`);
    await table().waitFor();
    const print = page.getByRole('button', { name: 'Print' });
    expect(await print.isEnabled()).toBe(true);
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/costs/statement?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.waitForURL(`**/statement?day=${dayBefore(2)}`);
    expect(await print.isDisabled()).toBe(true);
    answer();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    expect(await print.isEnabled()).toBe(true);
    await page.unroute('**/v1/costs/statement?*');
  }, 60_000);

  test('is printed without what surrounds it; nothing serious by axe, nothing sticks out at 360 px', async () => {
    await window.go(at('costs/statement'));
    await window.page.emulateMedia({ media: 'print' });
    expect(await window.page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    expect(await table().isVisible()).toBe(true);
    await window.page.emulateMedia({ media: 'screen' });
    expect(await seriousFindings(window.page)).toEqual([]);
    const narrow = await world.open({ width: 360, scheme: 'dark' });
    await narrow.go(at('costs/statement'));
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await narrow.page.evaluate(over)).toBe(0);
    // What a line comes to is in sight, and so is the tab of the open page.
    const amount = await narrow.page
      .getByLabel('Statement', { exact: true })
      .locator('td')
      .last()
      .boundingBox();
    expect((amount?.x ?? 360) + (amount?.width ?? 0)).toBeLessThanOrEqual(360);
    await narrow.go(at('costs/what-if'));
    const tab = await narrow.page.getByRole('link', { name: 'What-if' }).boundingBox();
    expect((tab?.x ?? 360) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
    await narrow.go(at('costs/statement'));
    expect(await seriousFindings(narrow.page, { rules: 'contrast' })).toEqual([]);
    expect([...narrow.complaints, ...window.complaints]).toEqual([]);
    await narrow.close();
  }, 60_000);
});
