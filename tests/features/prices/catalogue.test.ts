import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PriceRow } from '../../../src/core/pricing/contract.ts';
import type { Explanation } from '../../../src/features/costs/contract.ts';
import { updateCatalogueAction } from '../../../src/features/prices/actions.ts';
import type { CatalogueList, CatalogueModels } from '../../../src/features/prices/catalogue/contract.ts';
import { currentPrice } from '../../../src/features/prices/catalogue/current-price.ts';
import type { UnpricedReply } from '../../../src/features/prices/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ now: Date.parse('2026-11-20T12:00:00Z') });
});
afterAll(() => world.close());

async function get<T>(
  path: string,
  query: Record<string, string> = {},
  bearer = world.seed.bearer,
): Promise<T> {
  const search = new URLSearchParams({ organizationId: world.seed.organizationId, ...query });
  return (await (await world.fetch(`${path}?${search}`, { bearer })).json()) as T;
}
const list = (query: Record<string, string> = {}) => get<CatalogueList>('/v1/prices/catalogue', query);
const show = async (...names: string[]): Promise<CatalogueModels['models']> =>
  (await get<CatalogueModels>('/v1/prices/catalogue/models', { names: names.join(',') })).models;
const setPrice = async (json: object): Promise<PriceRow> => {
  const path = `/v1/prices?organizationId=${world.seed.organizationId}`;
  return (await (await world.fetch(path, { bearer: world.seed.bearer, json })).json()) as PriceRow;
};

describe('the catalogue', () => {
  test('is searched by name and provider, page by page, without retired models', async () => {
    const all = await list({ limit: '200' });
    expect(all.catalogue).toMatchObject({ date: '2026-09-23', ageDays: 58, stale: true });
    expect(all.providers).toContainEqual({ id: 'anthropic', name: 'Anthropic', models: 23 });
    const names = new Set<string>();
    let page = all;
    for (;;) {
      for (const { provider, model } of page.models) names.add(`${provider}/${model}`);
      if (page.nextCursor === null) break;
      page = await list({ limit: '200', cursor: page.nextCursor });
    }
    expect(names.size).toBe(all.total);
    expect((await list({ deprecated: 'true' })).total).toBeGreaterThan(all.total);
    const mistral = await list({ provider: 'Mistral', q: 'OCR', limit: '200' });
    expect(
      mistral.models.every(({ provider, model }) => provider === 'mistral' && model.includes('ocr')),
    ).toBe(true);
    expect(mistral.models.find(({ model }) => model === 'mistral-ocr-2512')?.rates).toEqual({
      perPage: 0.002,
    });
    expect(await list({ q: 'no such model' })).toMatchObject({ total: 0, models: [], nextCursor: null });
  });

  test('shows what an alias stands for, and rates that do not only repeat another', async () => {
    const [alias] = (await list({ q: 'google/gemini-flash-latest' })).models;
    expect(alias).toMatchObject({ alias: 'gemini-3.8-flash', custom: false, conditional: true });
    expect(alias?.rates).toEqual({ input: 0.75, cacheRead: 0.075, output: 3.75 });
    const [opus] = (await list({ q: 'anthropic/claude-opus-4-7' })).models;
    expect(opus?.rates).toEqual({
      input: 5,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      cacheWrite1h: 10,
      output: 25,
      perSearch: 0.01,
    });
  });

  test('compares models: by date, tier and hour, with custom prices and what packs changed', async () => {
    const [gpt, sonnet, deepseek, whisper, none] = await show(
      'openai/gpt-4o-2024-08-06',
      'claude-sonnet-4-5',
      'deepseek/deepseek-v4-flash',
      'whisper-1',
      'acme/none',
    );
    expect(gpt).toMatchObject({ provider: 'openai', model: 'gpt-4o', found: true, custom: [], changes: [] });
    expect(sonnet).toMatchObject({ provider: 'anthropic', asked: 'claude-sonnet-4-5' });
    expect(sonnet?.listed).toHaveLength(1);
    expect(sonnet?.listed[0]?.tiers).toMatchObject([{ above: 200_000, input: 6, output: 22.5 }]);
    expect(deepseek?.listed.map(({ from, daily, rates }) => [from, daily, rates.input])).toEqual([
      [null, null, 0.14],
      ['2026-08-17', null, 0.22],
      [null, '01:00:00Z/04:00:00Z', 0.44],
      [null, '06:00:00Z/10:00:00Z', 0.44],
    ]);
    expect(whisper?.inForce?.rates).toEqual({ perAudioHour: 0.36 });
    expect(none).toMatchObject({ found: false, inForce: null, provider: 'acme', model: 'none' });

    const pack = (usd: number, date: string) => ({
      format: 'spanledger-prices/1',
      version: date,
      date,
      extends: 'built-in',
      providers: [{ id: 'openai', models: [{ id: 'gpt-4.1', prices: { input_mtok: usd, output_mtok: 8 } }] }],
    });
    for (const [usd, date] of [
      [2, '2026-11-01'],
      [1.5, '2026-11-15'],
    ] as const)
      await world.app.act(updateCatalogueAction, {
        from: { file: 'x', text: JSON.stringify(pack(usd, date)) },
        unsigned: true,
        dryRun: false,
      });
    const own = await setPrice({
      provider: 'openai',
      match: 'prefix',
      model: 'gpt-4.1',
      rates: { input: 1, output: 2 },
    });
    const [model] = await show('openai/gpt-4.1');
    expect(model?.inForce).toMatchObject({
      source: 'override',
      reference: own.id,
      rates: { input: 1, output: 2 },
    });
    expect(model?.custom.map(({ id }) => id)).toEqual([own.id]);
    expect(model?.changes.map(({ version, change }) => [version, change])).toEqual([
      ['2026-11-15', 'changed'],
      ['2026-11-01', 'changed'],
    ]);
    expect(model?.changes[0]?.rates).toEqual([
      { rate: 'input', above: null, from: null, daily: null, before: 2, after: 1.5 },
    ]);
    // A name alone means the provider that the reply names.
    const { asked: _, ...named } = model ?? {};
    expect((await show('gpt-4.1'))[0]).toMatchObject(named);
    expect((await list({ q: 'openai/gpt-4.1-mini' })).models[0]).toMatchObject({ custom: true });
  });

  test('is a start for a custom price, with its tiers', async () => {
    const [sonnet] = await show('anthropic/claude-sonnet-4-5');
    const current = sonnet === undefined ? null : currentPrice(sonnet);
    expect(current?.rates).toMatchObject({ input: 3, output: 15 });
    expect(current?.tiers).toMatchObject([{ above: 200_000, input: 6, output: 22.5 }]);
    const made = await setPrice({ provider: 'anthropic', model: 'claude-sonnet-4-5', ...current });
    expect(made).toMatchObject({ rates: current?.rates, tiers: current?.tiers });
  });

  test.each([
    ['names=', 'names'],
    [`names=${'a,'.repeat(7)}a`, 'names'],
  ])('refuses %s', async (query, named) => {
    const path = `/v1/prices/catalogue/models?organizationId=${world.seed.organizationId}&${query}`;
    const reply = await world.fetch(path, { bearer: world.seed.bearer });
    expect(reply.status).toBe(400);
    expect(((await reply.json()) as { error: string }).error).toContain(named);
  });

  test("shows nobody another organization's prices", async () => {
    const other = await world.addTenant();
    const mine = { organizationId: other.organizationId, names: 'openai/gpt-4.1' };
    const { models } = await get<CatalogueModels>('/v1/prices/catalogue/models', mine, other.bearer);
    expect(models[0]).toMatchObject({ custom: [], inForce: { source: 'catalogue' } });
  });
});

describe('a price that lacks a rate which the usage needs', () => {
  const explain = async (event: object): Promise<Explanation> => {
    const event_id = crypto.randomUUID();
    await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [{ event_id, ...event }] });
    const path = `/v1/events/${event_id}/cost?projectId=${world.seed.projectId}`;
    return (await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as Explanation;
  };

  test('prices nothing, is named, and adding it is what the list asks for', async () => {
    const made = await setPrice({ provider: 'acme', model: 'half', rates: { input: 1 } });
    const call = { provider: 'acme', model: 'half', input_tokens: 10, output_tokens: 5 };
    const explained = await explain(call);
    expect(explained).toMatchObject({ cost_status: 'unpriced', missing_rates: ['output'] });
    expect(explained.summary).toContain(
      `the custom price ${made.id} has no rate output, which the usage needs: add it`,
    );
    const path = `/v1/prices/unpriced?projectId=${world.seed.projectId}`;
    const unpriced = async () =>
      ((await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as UnpricedReply).models.find(
        ({ model }) => model === 'half',
      );
    expect(await unpriced()).toMatchObject({ reason: 'no_rate', missingRate: 'output' });
    const put = `/v1/prices/${made.id}?organizationId=${world.seed.organizationId}`;
    const json = { provider: 'acme', model: 'half', rates: { input: 1, output: 2 } };
    expect((await world.fetch(put, { method: 'PUT', bearer: world.seed.bearer, json })).status).toBe(200);
    expect(await unpriced()).toMatchObject({ reason: null, missingRate: null });
    expect(await explain(call)).toMatchObject({ cost_status: 'priced', missing_rates: [] });
  });

  test.each([
    [
      'audioInput',
      {
        provider: 'openai',
        model: 'gpt-4o',
        usage: { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 5 } },
      },
    ],
    [
      'perSearch',
      {
        provider: 'anthropic',
        model: 'claude-2',
        usage: { input_tokens: 10, output_tokens: 1, server_tool_use: { web_search_requests: 1 } },
      },
    ],
  ])('makes an estimate of the rest, and %s is named', async (rate, { usage, ...names }) => {
    const explained = await explain({ ...names, input_tokens: 10, output_tokens: 1, usage });
    expect(explained).toMatchObject({ cost_status: 'estimated', missing_rates: [rate] });
  });

  test('citations have a rate in custom prices too', async () => {
    await setPrice({ provider: 'perplexity', model: 'cites', rates: { input: 2, output: 8, citations: 2 } });
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, citation_tokens: 1_000_000 };
    const call = { provider: 'perplexity', model: 'cites', input_tokens: 1_000_000, output_tokens: 0, usage };
    expect(await explain(call)).toMatchObject({ cost_status: 'priced', cost_usd: 4 });
  });
});
