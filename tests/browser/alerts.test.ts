import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the pages of alerts', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const row = (name: string) =>
    window.page.getByLabel('Alerts', { exact: true }).getByRole('row').filter({ hasText: name });

  beforeAll(async () => {
    world = await openWorld();
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('a new project is offered three rules, and takes one with a click', async () => {
    const { page } = window;
    await window.go(at('alerts'));
    await page.getByText('No alerts yet').waitFor();
    expect(await page.getByRole('button', { name: /^Add / }).count()).toBe(4);
    expect(await seriousFindings(page, 'light')).toEqual([]);
    await page.getByRole('button', { name: 'Add Calls without a price' }).click();
    await page.getByRole('link', { name: 'Calls without a price' }).waitFor();
  }, 60_000);

  test('an alert is made from a chart, and silenced', async () => {
    const { page } = window;
    const call = { provider: 'openai', model: 'gpt-4o', status: 'error', error_code: '500' };
    await world.app.fetch('/v1/ingest', { apiKey: world.app.seed.apiKey, events: [call] });
    await window.go(at('errors?range=24h'));
    await page.locator('.chart-area').getByRole('link', { name: 'Create alert' }).click();
    await page.getByText(/^Fires when the error rate over 15 minutes is above 5%/).waitFor();
    await page.getByLabel('Critical (%)').fill('fifty');
    await page.getByText('Write a number').waitFor();
    await page.getByLabel('Critical (%)').fill('50');
    await page.getByText(/is above 50%/).waitFor();

    expect(await seriousFindings(page, 'light')).toEqual([]);
    await page.getByLabel('Of', { exact: true }).selectOption({ label: 'Each model' });
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByRole('heading', { name: 'Error rate by model' }).waitFor();
    await page.getByRole('button', { name: 'Silence' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('known outage');
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await page.getByLabel('Silences', { exact: true }).getByText('known outage').waitFor();
    expect(await seriousFindings(page, 'light')).toEqual([]);
    await window.go(at('alerts'));
  }, 120_000);

  test('it is disabled, duplicated and changed; what the server refuses is said in the form', async () => {
    const { page } = window;
    await row('Error rate by model').getByRole('link').click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Error rate by model (copy)');
    expect(await page.getByLabel('Critical (%)').inputValue()).toBe('50');
    await page.getByLabel('Name').fill('Error rate by model');
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Error rate by model/ })
      .first()
      .waitFor();
    await page.getByLabel('Name').fill('A second');
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByRole('heading', { name: 'A second' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Over').selectOption({ label: '1 hour' });
    await page.getByRole('button', { name: 'Save alert' }).click();
    await page.getByText(/over 1 hour is above 50%/).waitFor();
  }, 60_000);

  test('a viewer sees all and changes nothing, in the dark and at 390 px', async () => {
    const { bearer } = await world.app.addUser('viewer');
    const other = await world.open({ bearer, scheme: 'dark', width: 390 });
    await other.go(at('alerts'));
    await other.page.getByRole('link', { name: 'A second' }).click();
    await other.page.getByText(/over 1 hour is above 50%/).waitFor();
    for (const name of ['Silence', 'Disable', 'Delete'])
      expect([name, await other.page.getByRole('button', { name }).count()]).toEqual([name, 0]);
    expect(await seriousFindings(other.page, 'dark')).toEqual([]);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await other.page.evaluate(over)).toBe(0);
    await other.go(at('alerts/new'));
    await other.page.getByText('Viewers cannot create alerts').waitFor();
    expect(other.complaints).toEqual([]);
    await other.close();
  }, 60_000);
});
