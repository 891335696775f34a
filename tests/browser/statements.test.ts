import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

/** What text is read on, as the browser computes it. */
const COLOURS = "getComputedStyle(document.querySelector('article')).colorScheme";

describe.skipIf(!hasBrowser)('statements', () => {
  let world: World;
  /** The month before this one, in which all calls are. */
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 7);
  beforeAll(async () => {
    world = await openWorld();
    const { seed, fetch } = world.app;
    const events = Array.from({ length: 90 }, (_, i) => ({
      timestamp: `${month}-${String(1 + (i % 28)).padStart(2, '0')}T12:00:00Z`,
      provider: i % 2 === 0 ? 'openai' : 'anthropic',
      model: i % 2 === 0 ? 'gpt-4o' : 'claude-haiku-4-5',
      input_tokens: 20_000 + i * 1_000,
      output_tokens: 500 + i * 10,
      ...(i % 10 === 0 ? {} : { tags: { customer: `Customer ${i % 4}` } }),
    }));
    await fetch('/v1/ingest', { apiKey: seed.apiKey, events });
  }, 60_000);
  afterAll(() => world.close());

  test('an admin defines statements, reads one as an invoice and closes the month', async () => {
    const { seed } = world.app;
    const { page, go, complaints, close } = await world.open();
    const root = `/projects/${seed.projectId}/statements`;
    await go(`${root}?month=${month}`);
    await page.getByLabel('Statements by').selectOption('Tag …');
    const named = page.getByRole('dialog', { name: 'Statements by a tag' });
    await named.getByLabel('Name of the tag').fill('customer');
    await named.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No statements by tag customer are defined').waitFor();
    await page.getByRole('link', { name: 'Customer 1' }).waitFor();
    await page.getByText('Calls without tag:customer').waitFor();
    const terms = page.getByText('The total adds the markup, fees and minimum of the settings');
    expect(await terms.count()).toBe(0);
    await page.getByRole('button', { name: 'Define' }).click();
    const dialog = page.getByRole('dialog', { name: 'Statements: Tag customer' });
    await dialog.getByLabel('Markup, %').fill('20');
    await dialog.getByLabel('Currency').fill('eur');
    await dialog.getByLabel('For one USD').fill('0.92');
    await dialog.getByLabel('Flat fees per party').fill('Platform = 50');
    await dialog.getByLabel('Sender').fill('Acme GmbH');
    await dialog.getByLabel('Address and tax number').fill('Main Street 1\nVAT DE123');
    await dialog.getByLabel('Footer').fill('Payable within 14 days.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'Total, EUR' }).waitFor();
    await terms.waitFor();

    await page.getByRole('button', { name: 'Close month' }).click();
    const asked = page.getByRole('dialog', { name: /^Close / });
    const confirm = asked.getByRole('button', { name: 'Close month' });
    expect(await confirm.isDisabled()).toBe(true);
    await asked.getByLabel(`Type ${month} to confirm`).fill(month);
    await confirm.click();
    await page.getByText('does not change').waitFor();
    expect(await page.getByRole('button', { name: 'Close month' }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Customer 1' }).click();
    const sheet = page.getByRole('article', { name: 'Statement' });
    await sheet.getByText('Acme GmbH').waitFor();
    await sheet.getByText('Markup of 20 %').waitFor();
    await sheet.getByText('Platform').waitFor();
    await sheet.getByText('Payable within 14 days.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    // The page hears of it before its next frame, which on a busy machine is later than the next question.
    await page.locator('[data-mantine-color-scheme=dark]').waitFor();
    await page.evaluate(`addEventListener('beforeprint', () => { window.printed = ${COLOURS}; })`);
    expect(await page.evaluate(COLOURS)).toBe('dark');
    await page.pdf();
    expect(await page.evaluate('window.printed')).toBe('light');
    expect(await page.evaluate(COLOURS)).toBe('dark');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await go(`${root}/party?by=tag:customer&month=${month}&party=nobody`);
    await page.getByText('No calls in').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
