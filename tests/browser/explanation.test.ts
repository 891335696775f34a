import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { EventPage } from '../../src/core/events/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const RANGE = 'range=7d';

describe.skipIf(!hasBrowser)('a cost in the browser', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const explain = async (model: string): Promise<void> => {
    await window.go(`${at('events')}?${RANGE}&model=${model}`);
    await window.page.locator('[data-row="0"] .vopen').click();
    await window.page.getByRole('button', { name: 'Explain cost' }).click();
    await window.page.getByText('How the cost was calculated').waitFor();
  };
  const fact = (label: string) =>
    window.page
      .getByRole('dialog')
      .locator('dl > div', { has: window.page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
      .locator('dd')
      .first();
  const dollars = (text: string): number => Math.round(Number(text.replace('$', '')) * 1e9);

  beforeAll(async () => {
    world = await openWorld();
    const { organizationId, bearer, apiKey } = world.app.seed;
    const price = { model: 'house-', match: 'prefix', rates: { input: 1.5, output: 6 } };
    const set = await world.app.fetch(`/v1/prices?organizationId=${organizationId}`, { bearer, json: price });
    expect(set.status).toBe(201);
    const cached = {
      input_tokens: 10_001,
      cached_input_tokens: 4_000,
      output_tokens: 777,
      reasoning_tokens: 500,
    };
    const events = [
      { provider: 'openai', model: 'o4-mini', ...cached, trace_id: 'one', span_id: 'a' },
      { provider: 'acme', model: 'house-7b', input_tokens: 1_000, output_tokens: 10 },
      { provider: 'acme', model: 'nobody-knows', input_tokens: 1_000 },
      { provider: 'acme', model: 'stated', input_tokens: 1_000, cost_usd: 0.25 },
    ];
    expect((await world.app.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('is bucket × rate = amount, and its lines add up to what is stored', async () => {
    await explain('o4-mini');
    const lines = window.page.locator('[class*=explain_] tbody tr');
    const amounts = await lines.locator('td:last-child').allTextContents();
    const [total = ''] = await window.page.locator('[class*=explain_] tfoot td:last-child').allTextContents();
    expect(amounts).toHaveLength(4);
    expect(amounts.map(dollars).reduce((sum, nano) => sum + nano, 0)).toBe(dollars(total));
    const query = `projectId=${world.app.seed.projectId}&model=o4-mini`;
    const reply = await world.app.fetch(`/v1/events?${query}`, { bearer: world.app.seed.bearer });
    const [event] = ((await reply.json()) as EventPage).events;
    expect(dollars(total)).toBe(Math.round((event?.cost_usd ?? 0) * 1e9));
    expect(new Set([...amounts, total].map((text) => text.split('.')[1]?.length)).size).toBe(1);
    for (const row of await lines.all()) {
      const [tokens = '', rate = '', amount = ''] = await row.locator('td').allTextContents();
      const product = Number(tokens.replaceAll(',', '')) * Number(rate.replace('$', '')) * 1_000;
      expect(Math.abs(product - dollars(amount))).toBeLessThanOrEqual(1);
    }
    expect(await fact('Sent').textContent()).toBe('10,001 input, 4,000 cached, 777 output, 500 reasoning');
    expect(await fact('Read as').textContent()).toContain('input includes cached tokens');
    expect(await fact('Price').textContent()).toContain('openai/o4-mini');
    expect(await fact('Source').textContent()).toContain('genai-prices');
    expect(await fact('Valid').textContent()).not.toBe('');
    expect(await seriousFindings(window.page)).toEqual([]);
  }, 60_000);

  test('has its amounts in sight on a phone', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 844 });
    const table = page.locator('table[class*=explain_]');
    const box = await table.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  test('names a price of the own, without a price leads to one, and says what the sender stated', async () => {
    await explain('house-7b');
    await fact('Price').getByRole('link', { name: 'custom price' }).waitFor();
    await explain('nobody-knows');
    await window.page.getByRole('dialog').getByRole('link', { name: 'Set price' }).click();
    await window.page.waitForURL('**/prices?*model=nobody-knows*');
    await window.page.getByRole('dialog', { name: 'Set price' }).waitFor();
    await explain('stated');
    await window.page.getByText('The sender or its gateway stated this cost').waitFor();
  }, 60_000);

  test('is explained beside a trace too', async () => {
    await window.go(`${at('traces/one')}?${RANGE}&span=a`);
    await window.page.getByRole('button', { name: 'Explain cost' }).click();
    await window.page.locator('[class*=explain_] tfoot').waitFor();
    expect(await window.page.locator('[class*=explain_] tbody tr').count()).toBe(4);
    expect(window.complaints).toEqual([]);
  }, 60_000);
});
