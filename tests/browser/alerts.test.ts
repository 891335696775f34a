import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { runJob } from '../../src/core/jobs/index.ts';
import { modules } from '../../src/features.ts';
import { MINUTE_MS } from '../../src/lib/time.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const evaluate = modules.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'alerts.evaluate');

describe.skipIf(!hasBrowser)('alerts, from a chart to the end', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  /** Calls of the last minutes, and a minute later the evaluation. */
  const evaluated = async (status: string): Promise<void> => {
    const { app } = world;
    const timestamp = new Date(app.clock.now() - MINUTE_MS).toISOString();
    const events = Array.from({ length: 40 }, () => ({
      provider: 'openai',
      model: 'gpt-4o',
      input_tokens: 10,
      output_tokens: 5,
      status,
      timestamp,
      ...(status === 'error' && { error_code: '500' }),
    }));
    expect((await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events })).status).toBe(202);
    app.clock.advance(3 * MINUTE_MS);
    if (evaluate === undefined) throw new Error('there is no job alerts.evaluate');
    await runJob(app.ctx, evaluate, 'schedule');
  };
  const row = (name: string) =>
    window.page.getByLabel('Alerts', { exact: true }).getByRole('row').filter({ hasText: name });
  const firing = () => window.page.getByRole('navigation', { name: 'Pages' }).getByText(/^\d+ firing$/);

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
    expect(await seriousFindings(page)).toEqual([]);
    await window.go(at('alerts/new'));
    await page.getByText('In the last 30 days there was nothing to judge by this rule.').waitFor();
    await window.go(at('alerts'));
    await page.getByRole('button', { name: 'Add Calls without a price' }).click();
    await page.getByRole('link', { name: 'Calls without a price' }).waitFor();
    expect(await firing().count()).toBe(0);
  }, 60_000);

  test('an alert made from a chart fires, is counted, silenced, and resolves', async () => {
    const { page } = window;
    await evaluated('error');
    await window.go(at('errors?range=24h'));
    await page.locator('.chart-area').getByRole('link', { name: 'Create alert' }).click();
    await page.getByText(/^Fires when the error rate over 15 minutes is above 5%/).waitFor();
    await page.getByLabel('Critical (%)').fill('fifty');
    await page.getByText('Write a number').waitFor();
    await page.getByLabel('Critical (%)').fill('50');
    await page.getByText(/is above 50%/).waitFor();
    await page.getByText(/^It would have fired 1 time in the last 30 days/).waitFor();
    await page
      .getByLabel('When it would have fired')
      .getByText(/began at \d+%/)
      .waitFor();

    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Of', { exact: true }).selectOption({ label: 'Each model' });
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByRole('heading', { name: 'Error rate by model' }).waitFor();

    await evaluated('error');
    await window.go(at('alerts'));
    await firing().filter({ hasText: '1' }).waitFor();
    await page.getByRole('link', { name: 'Error rate by model' }).click();
    const groups = page.getByLabel('Groups', { exact: true });
    await groups.getByRole('row', { name: /Critical gpt-4o 100%/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await window.go(at('overview?range=24h'));
    await page
      .getByRole('link', { name: /^Alert Error rate by model \(gpt-4o\)/ })
      .first()
      .click();
    await groups.waitFor();
    await groups.getByRole('button', { name: 'Silence' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('known outage');
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await page.getByLabel('Silences', { exact: true }).getByText('known outage').waitFor();

    world.app.clock.advance(20 * MINUTE_MS);
    await evaluated('success');
    await window.go(at('alerts'));
    await row('Error rate by model').getByText('OK', { exact: true }).waitFor();
    expect(await firing().count()).toBe(0);
  }, 120_000);

  test('the list is filtered by what is typed, which the address keeps; a part that leaves nothing is named', async () => {
    const { page } = window;
    const box = page.getByRole('combobox', { name: 'Filter' });
    await box.click();
    await box.fill('measure:err');
    await page.getByRole('option', { name: 'errorRate' }).click();
    await page.waitForURL('**/alerts?q=measure*');
    await row('Calls without a price').waitFor({ state: 'detached' });
    await row('Error rate by model').waitFor();
    await box.fill('silenced:maybe');
    await box.press('Enter');
    await page.getByText('silenced is one of true, false, not "maybe"').waitFor();
    await box.fill('window:7d');
    await box.press('Enter');
    await page.getByText('There are 1 without window:7d').waitFor();
    await page.getByText('There are none without measure:errorRate').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await row('Calls without a price').waitFor();
  }, 60_000);

  test('it is disabled, duplicated and changed; what the server refuses is said in the form', async () => {
    const { page } = window;
    await row('Error rate by model').getByRole('link').click();
    await page.getByLabel('History', { exact: true }).getByText('Critical', { exact: true }).waitFor();
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
    expect(await seriousFindings(other.page, { rules: 'contrast' })).toEqual([]);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await other.page.evaluate(over)).toBe(0);
    await other.go(at('alerts/new'));
    await other.page.getByText('Viewers cannot create alerts').waitFor();
    expect(other.complaints).toEqual([]);
    await other.close();
  }, 60_000);
});
