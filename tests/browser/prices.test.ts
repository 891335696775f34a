import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { PriceRow } from '../../src/core/pricing/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('prices', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const ingest = async (event: object): Promise<string> => {
    const event_id = crypto.randomUUID();
    await world.app.fetch('/v1/ingest', { apiKey: world.app.seed.apiKey, events: [{ event_id, ...event }] });
    return event_id;
  };
  const listPrices = async (): Promise<PriceRow[]> => {
    const { organizationId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`/v1/prices?organizationId=${organizationId}`, { bearer });
    return ((await reply.json()) as { prices: PriceRow[] }).prices;
  };

  test('from the explanation of an estimate to the missing rate, and on to re-pricing', async () => {
    const { page, complaints } = window;
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 5 } };
    const event = { provider: 'openai', model: 'gpt-4o', input_tokens: 10, output_tokens: 1, usage };
    await window.go(at(`events?range=24h&event=${await ingest(event)}`));
    await page.getByRole('button', { name: 'Explain cost' }).click();
    await page.getByRole('link', { name: 'Add the missing rate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set price' });
    await dialog.locator('input[name=audioInput]:focus').fill('40');
    expect(await dialog.locator('input[name=input]').inputValue()).toBe('2.5');
    expect(await dialog.locator('input[name=cacheRead]').inputValue()).toBe('1.25');
    await dialog.getByRole('button', { name: 'Add rates for long inputs' }).click();
    await dialog.locator('input[name="tier0.input"]').fill('5');
    await dialog.getByLabel('Valid until').fill('2030-01-01');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Set price' }).click();
    await page.getByRole('link', { name: 'Re-price past calls' }).waitFor();
    const [made] = await listPrices();
    expect(made).toMatchObject({
      provider: 'openai',
      model: 'gpt-4o',
      rates: { input: 2.5, output: 10, cacheRead: 1.25, audioInput: 40, perSearch: 0.01 },
      tiers: [{ above: 200_000, input: 5 }],
      effectiveUntil: '2030-01-01T00:00:00.000Z',
    });

    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change price' });
    expect(await change.locator('input[name="tier0.above"]').inputValue()).toBe('200000');
    await change.getByRole('button', { name: 'Remove' }).click();
    await change.locator('input[name=audioInput]').fill('32');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
    expect(await listPrices()).toMatchObject([
      { id: made?.id, rates: { input: 2.5, audioInput: 32 }, tiers: [] },
    ]);

    await page.getByRole('link', { name: 'Re-price past calls' }).click();
    await page.waitForURL(/costs\/repricing.*model=gpt-4o/);
    expect(complaints).toEqual([]);
  }, 60_000);

  test('the catalogue is searched, and models are compared by the address', async () => {
    const { page, complaints } = window;
    await window.go(at('prices/catalogue'));
    await page.getByLabel('Part of the name').fill('gemini-flash-latest');
    const row = page.getByLabel('Catalogue').getByRole('row', { name: /^google\/gemini-flash-latest/ });
    await row.getByText('→ gemini-3.8-flash').waitFor();
    await row.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('stands for gemini-2.5-flash').waitFor();
    await window.go(at('prices/catalogue?models=openai%2Fgpt-4.1,anthropic%2Fclaude-sonnet-4-5'));
    const rates = page.getByLabel('Rates of the chosen models');
    const cells = rates.getByRole('row', { name: /^Input/ }).getByRole('cell');
    expect(await cells.allTextContents()).toEqual(['$2.00', '$3.00']);
    await page.getByText('over 200,000 tokens').waitFor();
    await rates.getByRole('button', { name: 'Hide openai/gpt-4.1' }).click();
    await page.waitForURL(/models=anthropic%2Fclaude-sonnet-4-5(?:&|$)/);
    expect(complaints).toEqual([]);
  }, 60_000);
});
