import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

/**
 * What people do every day, from the overview with the mouse only: a click on something, or a value typed into a field,
 * counts one. The tenth, ending sessions and turning on two-factor, is in `account.test.ts`.
 */
describe.skipIf(!hasBrowser)('the tasks of a day', () => {
  let world: World;
  let window: Window;
  let done = 0;
  const click = async (what: Locator): Promise<void> => {
    done++;
    await what.click();
  };
  const type = async (what: Locator, text: string): Promise<void> => {
    done++;
    await what.fill(text);
    await what.press('Enter');
  };
  const link = (name: string): Locator =>
    window.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
  const button = (name: string | RegExp): Locator => window.page.getByRole('button', { name, exact: true });
  const rows = (list: string): Locator => window.page.getByLabel(list, { exact: true }).getByRole('row');
  const pick = async (range: string): Promise<void> => {
    await click(window.page.getByRole('button', { name: /^Last 30 days/ }));
    await click(button(range));
  };
  const filter = (text: string) => type(window.page.getByRole('combobox', { name: 'Filter' }), text);

  /** Calls that the tasks look for, beside those of the demo. */
  const sendOwn = async (): Promise<void> => {
    const { fetch, seed, clock } = world.app;
    const reply = await fetch(`/v1/projects/${seed.projectId}/sdk-config`, {
      method: 'PUT',
      bearer: seed.bearer,
      json: { sampleRate: 1, redactKeys: [], storePrompts: true },
    });
    expect(reply.status).toBe(200);
    const ago = (hours: number): string => new Date(clock.now() - hours * 3_600_000).toISOString();
    const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 10, output_tokens: 5 };
    const lastMonth = new Date(clock.now());
    lastMonth.setUTCDate(0);
    const asked = { user_id: 'walter', session_id: 'of-walter', cost_usd: 900, input: 'Where is my parcel?' };
    const events = [
      { ...call, timestamp: ago(24), status: 'error', error_code: 'of_yesterday' },
      { provider: 'openai', model: 'gpt-4o', timestamp: ago(0), name: 'counted nothing' },
      { ...call, timestamp: lastMonth.toISOString(), cost_usd: 12, tags: { customer: 'Initech' } },
      { ...call, ...asked, timestamp: ago(1), trace_id: 'the-dearest', output: 'It is on its way.' },
    ];
    expect((await fetch('/v1/ingest', { apiKey: seed.apiKey, events })).status).toBe(202);
  };

  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(40);
    await sendOwn();
    window = await world.open();
  }, 120_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });
  beforeEach(async () => {
    await window.go(`/projects/${world.app.seed.projectId}/overview`);
    done = 0;
  }, 60_000);
  afterEach(() => expect(window.complaints.splice(0)).toEqual([]));

  test("1. yesterday's failed calls of a model, newest first", async () => {
    await click(link('Events'));
    await pick('Yesterday');
    await filter('status:failed model:gpt-4o');
    await rows('Events').filter({ hasText: 'of_yesterday' }).waitFor();
    expect(done).toBeLessThanOrEqual(4);
  });

  test('2. the most expensive trace of this month', async () => {
    await click(link('Traces'));
    await pick('Month to date');
    await click(window.page.getByRole('button', { name: /^Cost/ }));
    await window.page.waitForURL(/sort=cost/);
    await rows('Traces').nth(1).filter({ hasText: 'walter' }).waitFor();
    expect(done).toBeLessThanOrEqual(4);
  });

  test('3. what a user asked in their last session', async () => {
    await click(link('Users'));
    await click(rows('Users').filter({ hasText: 'walter' }));
    await click(rows('Recent sessions').nth(1));
    await window.page.getByText('Where is my parcel?').first().waitFor();
    expect(done).toBeLessThanOrEqual(5);
  });

  test('4. why a call cost what it did', async () => {
    await click(link('Events'));
    await click(rows('Events').nth(1));
    await click(button('Explain cost'));
    await window.page.getByText('How the cost was calculated').waitFor();
    expect(done).toBeLessThanOrEqual(3);
  });

  test('5. the cost by customer for last month, as CSV', async () => {
    await click(link('Costs'));
    await pick('Last month');
    await click(window.page.getByText('customer', { exact: true }));
    await window.page.getByRole('link', { name: 'Initech' }).waitFor();
    const saved = window.page.waitForEvent('download');
    await click(button('CSV').first());
    const file = await saved;
    expect(file.suggestedFilename()).toEndWith('.csv');
    expect(await Bun.file(await file.path()).text()).toContain('\nInitech,');
    expect(done).toBeLessThanOrEqual(5);
  });

  test('6. the 99th percentile of a model in the last hour, by the minute', async () => {
    await click(link('Performance'));
    await pick('Last hour');
    await filter('model:gpt-4o');
    await window.page.waitForURL(/filter=/);
    expect(done).toBeLessThanOrEqual(4);
    // What the chart has drawn, read as a table: a column of p99, a row for each minute.
    await button('Show as a table').first().click();
    const table = window.page.locator('[class*=chartTable_]').first();
    await table.getByRole('columnheader', { name: 'p99 latency' }).waitFor();
    const times = await table.locator('tbody tr td:first-child, tbody tr th').allTextContents();
    const minutes = times.map((text) => Number(/:(\d\d)/.exec(text)?.[1]));
    expect(minutes.length).toBeGreaterThan(50);
    expect(
      minutes.slice(1).filter((minute, i) => (Math.abs(minute - (minutes[i] ?? 0)) - 1) % 58 !== 0),
    ).toEqual([]);
  });

  test('7. all calls without tokens', async () => {
    await click(link('Events'));
    await filter('tokens=0');
    await rows('Events').filter({ hasText: 'unpriced' }).first().waitFor();
    expect(done).toBeLessThanOrEqual(3);
  });

  test('8. a price for a model without one, applied to the past', async () => {
    const { page } = window;
    await click(page.getByRole('link', { name: /calls unpriced$/ }));
    // Calls without token counts are named, and no price is asked for.
    await rows('Models without a price').filter({ hasText: 'no token counts' }).waitFor();
    await click(rows('Models without a price').getByRole('button', { name: 'Set price' }));
    const form = page.getByRole('dialog', { name: 'Set price' });
    for (const [label, usd] of [
      ['Input', '1'],
      ['Output', '4'],
    ] as const) {
      done++;
      await form.getByLabel(label, { exact: true }).fill(usd);
    }
    await click(form.getByRole('button', { name: 'Set price' }));
    await click(page.getByRole('button', { name: /^Apply to [\d,]+ events$/ }));
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    expect(done).toBeLessThanOrEqual(6);
    // Going back begins no other dry run.
    await page.goBack();
    await page.getByRole('button', { name: 'Dry run' }).waitFor();
    expect(await rows('Past re-pricings').count()).toBe(2);
  });

  test('9. a chart of the cost of each release on a dashboard of one’s own', async () => {
    await click(link('Dashboards'));
    await click(button('New dashboard').first());
    await click(button('Create'));
    await window.page
      .getByRole('heading', { name: /cost .*release/i })
      .first()
      .waitFor();
    await window.page.locator('.recharts-bar-rectangle').first().waitFor({ state: 'attached' });
    expect(done).toBeLessThanOrEqual(6);
  });
});
