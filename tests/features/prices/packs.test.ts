import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { waitForUpdate } from '@pydantic/genai-prices';
import type { PriceRow } from '../../../src/core/pricing/contract.ts';
import { findModel } from '../../../src/core/pricing/find-model.ts';
import { createPackKey, signPack } from '../../../src/core/pricing/index.ts';
import { catalogueOfPack, readPack } from '../../../src/core/pricing/packs/pack.ts';
import { updateCatalogueAction } from '../../../src/features/prices/actions.ts';
import { checkPricesJob } from '../../../src/features/prices/jobs.ts';
import type { CatalogueUpdate } from '../../../src/features/prices/update-catalogue.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const key = createPackKey();
const stranger = createPackKey();

/** What the stand-in of a publisher answers next. */
let publish: () => Response = () => new Response('nothing', { status: 404 });
const publisher = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => publish() });
const url = `http://127.0.0.1:${publisher.port}/prices.json`;

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ env: { PRICE_PACK_KEYS: key.publicKey, PRICE_PACK_URL: url } });
});
afterAll(async () => {
  await world.close();
  await publisher.stop(true);
});

type Input = Parameters<typeof updateCatalogueAction.run>[1];
const update = (input: Partial<Input> & Pick<Input, 'from'>): Promise<CatalogueUpdate> =>
  world.app.act(updateCatalogueAction, {
    unsigned: false,
    dryRun: false,
    ...input,
  }) as Promise<CatalogueUpdate>;
const file = (text: string, more: Partial<Input> = {}): Promise<CatalogueUpdate> =>
  update({ from: { file: 'pack.json', text }, ...more });

type Model = { id: string; prices: object; match?: object };
/** A pack that adds to the built-in catalogue. */
const packOf = (version: string, models: readonly Model[], more: object = {}): object => ({
  format: 'spanledger-prices/1',
  version,
  date: '2026-06-10',
  extends: 'built-in',
  providers: [{ id: 'openai', models }],
  ...more,
});
const signed = (pack: object, by = key): string =>
  JSON.stringify({ ...pack, signature: signPack(pack, by.privateKey).signature });

/** What a call of a million input tokens costs. */
async function costOf(model: string, timestamp?: string): Promise<number | null> {
  const event_id = crypto.randomUUID();
  const event = { event_id, provider: 'openai', model, input_tokens: 1_000_000, output_tokens: 0, timestamp };
  await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [event] });
  const path = `/v1/events/${event_id}/cost?projectId=${world.seed.projectId}`;
  const reply = await world.fetch(path, { bearer: world.seed.bearer });
  return ((await reply.json()) as { cost_usd: number | null }).cost_usd;
}

describe('a signed price pack', () => {
  test('is shown by a dry run, put in force whole, and replaced by an older one', async () => {
    const first = signed(packOf('1', [{ id: 'gpt-4o', prices: { input_mtok: 3, output_mtok: 10 } }]));
    const dry = await file(first, { dryRun: true });
    expect(dry).toMatchObject({
      changed: false,
      version: '1',
      models: 1694,
      replaces: { version: 'genai-prices 0.1.8' },
    });
    expect(dry.changes).toHaveLength(1);
    expect(dry.changes[0]).toMatchObject({ change: 'changed', provider: 'openai', model: 'gpt-4o' });
    const row = { above: null, from: null, daily: null };
    expect(dry.changes[0]?.rates).toContainEqual({ ...row, rate: 'input', before: 2.5, after: 3 });
    expect(dry.changes[0]?.rates).toContainEqual({ ...row, rate: 'perSearch', before: 0.01, after: null });
    expect(await costOf('gpt-4o')).toBe(2.5);

    expect(await file(first)).toMatchObject({ changed: true });
    expect(await file(first)).toMatchObject({ changed: false, changes: [] });
    // The pack leaves out the names of the model, so dated ones are the built-in ones.
    expect(await costOf('gpt-4o-2024-08-06')).toBe(3);
    expect(await costOf('gpt-4.1')).toBe(2);

    const models = [
      { id: 'gpt-4o', prices: { input_mtok: 4, output_mtok: 10 } },
      {
        id: 'gpt-new',
        prices: [
          { prices: { input_mtok: 1 } },
          {
            constraint: { start_date: '2026-06-12' },
            prices: { input_mtok: { base: 2, tiers: [{ start: 500_000, price: 5 }] } },
          },
        ],
      },
    ];
    const second = await file(signed(packOf('2', models)));
    expect(second.changes.map(({ change, model }) => `${change} ${model}`)).toEqual([
      'changed gpt-4o',
      'added gpt-new',
    ]);
    expect(second.changes[1]?.rates).toEqual([
      { ...row, rate: 'input', before: null, after: 1 },
      { ...row, rate: 'input', from: '2026-06-12', before: null, after: 2 },
      { ...row, rate: 'input', from: '2026-06-12', above: 500_000, before: null, after: 5 },
    ]);
    expect(await costOf('gpt-new', '2026-06-11T23:59:59Z')).toBe(1);
    expect(await costOf('gpt-new', '2026-06-12T00:00:00Z')).toBe(5);

    await world.reopen({ PRICE_PACK_KEYS: key.publicKey, PRICE_PACK_URL: url });
    expect(await costOf('gpt-4o')).toBe(4);
    expect(await update({ from: { kept: 1 } })).toMatchObject({
      changed: true,
      changes: [
        { change: 'changed', model: 'gpt-4o' },
        { change: 'ended', model: 'gpt-new' },
      ],
    });
    expect(await costOf('gpt-4o')).toBe(3);
    expect(await costOf('gpt-new')).toBeNull();
    expect(await update({ from: { builtIn: true } })).toMatchObject({ changed: true, models: 1694 });
    expect(await costOf('gpt-4o')).toBe(2.5);
    expect(update({ from: { kept: 9 } })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('kept are'),
    });
  });

  test('stays below custom prices, and does not change what stored calls cost', async () => {
    const path = `/v1/prices?organizationId=${world.seed.organizationId}`;
    const json = { provider: 'openai', model: 'gpt-4.1', rates: { input: 7 } };
    const made = (await (await world.fetch(path, { bearer: world.seed.bearer, json })).json()) as PriceRow;
    await file(signed(packOf('3', [{ id: 'gpt-4.1', prices: { input_mtok: 9 } }])));
    expect(await costOf('gpt-4.1')).toBe(7);
    const gone = `/v1/prices/${made.id}?organizationId=${world.seed.organizationId}`;
    await world.fetch(gone, { method: 'DELETE', bearer: world.seed.bearer });
    expect(await costOf('gpt-4.1')).toBe(9);
  });

  const plain = packOf('4', [{ id: 'gpt-4o', prices: { input_mtok: 5 } }]);
  test.each([
    ['no signature', JSON.stringify(plain), 'is not signed'],
    ['the key of a stranger', signed(plain, stranger), 'PRICE_PACK_KEYS does not name'],
    [
      'a changed amount',
      signed(plain).replace('"input_mtok":5', '"input_mtok":6'),
      'changed after it was signed',
    ],
    [
      'an added field',
      signed(plain).replace('"version"', '"note":"x","version"'),
      'changed after it was signed',
    ],
  ])('with %s is refused', async (_, text, named) => {
    expect(file(text)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(named) });
  });

  test('may be written in another order and with other white space', async () => {
    const { signature } = signPack(plain, key.privateKey);
    const text = JSON.stringify(
      { signature, ...Object.fromEntries(Object.entries(plain).reverse()) },
      null,
      4,
    );
    expect(await file(text, { dryRun: true })).toMatchObject({ version: '4', keyId: signature.key });
  });

  test('that was changed is refused even with --unsigned; one without a signature is not', async () => {
    const broken = signed(plain).replace('"input_mtok":5', '"input_mtok":6');
    expect(file(broken, { unsigned: true, dryRun: true })).rejects.toMatchObject({ status: 400 });
    const read = await file(JSON.stringify(plain), { unsigned: true, dryRun: true });
    expect(read).toMatchObject({ version: '4', keyId: null });
  });

  const provider = (more: object) => ({ id: 'a', models: [{ id: 'm', prices: { input_mtok: 1 }, ...more }] });
  test.each([
    ['{', 'not JSON'],
    ['[]', 'form of genai-prices'],
    ['{"a":1}', 'form of genai-prices'],
    [{ format: 'spanledger-prices/2' }, 'spanledger-prices/1'],
    [{ date: 'today' }, 'date'],
    [{ extends: undefined, providers: [] }, 'list models'],
    [{ providers: [provider({ prices: { input_mtok: -1 } })] }, 'a › m'],
    [{ providers: [provider({ match: { regex: '(' } })] }, 'match'],
    [{ providers: [provider({}), provider({})] }, 'provider a twice'],
    [
      { providers: [{ id: 'a', models: [...provider({}).models, ...provider({}).models] }] },
      'model a/m twice',
    ],
    [
      { aliases: [{ provider: 'openai', name: 'x', targets: [{ from: '2026-01-01', model: 'lost' }] }] },
      'lost',
    ],
    [{ aliases: [{ provider: 'openai', name: 'x', targets: [{ from: 'soon', model: 'gpt-4o' }] }] }, 'from'],
    [{ color: 'red' }, 'color'],
  ])('%j is refused, and what was there stays', async (given, named) => {
    const before = await costOf('gpt-4o');
    const text = typeof given === 'string' ? given : JSON.stringify({ ...packOf('x', []), ...given });
    expect(file(text, { unsigned: true })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(named),
    });
    expect(await costOf('gpt-4o')).toBe(before);
  });

  test("genai-prices' own list is a whole catalogue: what it leaves out ends", async () => {
    const list = ((await waitForUpdate()) ?? []).filter(({ id }) => id === 'openai' || id === 'anthropic');
    const read = await file(JSON.stringify(list), { unsigned: true, dryRun: true });
    expect(read).toMatchObject({ version: 'genai-prices of 2026-06-15', providers: 2 });
    expect(read.changes.some(({ change, provider: of }) => change === 'ended' && of === 'mistral')).toBe(
      true,
    );
    expect(read.unread).toContain('storage_searches_kcount');
  });

  test('states the price of an alias itself, which then applies', () => {
    const prices = { input_mtok: 9, output_mtok: 9 };
    const models = [{ id: 'deepseek-chat', prices }];
    const { pack } = readPack(
      JSON.stringify(packOf('own', [], { providers: [{ id: 'deepseek', models }] })),
      0,
    );
    const found = findModel(catalogueOfPack(pack), 'deepseek', 'deepseek-chat');
    expect(found).toMatchObject({ model: { id: 'deepseek-chat', prices } });
    expect(found).not.toHaveProperty('alias');
    // That of another model of the list leaves the alias as it is.
    const other = readPack(JSON.stringify(packOf('own', [{ id: 'gpt-4.1', prices }])), 0).pack;
    expect(findModel(catalogueOfPack(other), 'deepseek', 'deepseek-chat')).toHaveProperty('alias');
  });

  test('may move an alias, which holds from its day on', async () => {
    const targets = [
      { from: '2026-06-14', model: 'gpt-4.1' },
      { from: '2026-01-01', model: 'gpt-4.1-nano' },
    ];
    await file(signed(packOf('5', [], { aliases: [{ provider: 'openai', name: 'Ours-Latest', targets }] })));
    expect(await costOf('ours-latest', '2026-06-13T23:00:00Z')).toBe(0.1);
    expect(await costOf('OURS-LATEST', '2026-06-14T00:00:00Z')).toBe(2);
  });
});

describe('the nightly check', () => {
  const check = (): Promise<Record<string, unknown>> =>
    checkPricesJob.run(world.ctx, AbortSignal.timeout(30_000));
  const dated = (version: string, date: string, usd: number): string =>
    signed(packOf(version, [{ id: 'gpt-4o', prices: { input_mtok: usd } }], { date }));

  test('takes a newer pack, and no older one; one that was replaced by hand stays replaced', async () => {
    publish = () => new Response(dated('n1', '2026-06-11', 21));
    expect(await check()).toMatchObject({ version: 'n1', changed: true, changes: expect.any(Number) });
    expect(await costOf('gpt-4o')).toBe(21);
    expect(await check()).toMatchObject({ changed: false, why: 'known' });
    publish = () => new Response(dated('n0', '2026-06-01', 20));
    expect(await check()).toMatchObject({ changed: false, why: 'older' });
    await update({ from: { builtIn: true } });
    publish = () => new Response(dated('n1', '2026-06-11', 21));
    expect(await check()).toMatchObject({ changed: false });
    expect(await costOf('gpt-4o')).toBe(2.5);
  });

  test('refuses a pack that ends most prices, an unsigned one, a redirect, and a page that is too large', async () => {
    const whole = packOf('n2', [{ id: 'gpt-4o', prices: { input_mtok: 22 } }], {
      date: '2026-12-01',
      extends: undefined,
    });
    publish = () => new Response(signed(JSON.parse(JSON.stringify(whole)) as object));
    expect(check()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('would end the prices'),
    });
    publish = () => new Response(JSON.stringify(whole));
    expect(check()).rejects.toMatchObject({ message: expect.stringContaining('not signed') });
    publish = () => Response.redirect('https://example.com/', 302);
    expect(check()).rejects.toMatchObject({
      message: expect.stringContaining('redirects to https://example.com/'),
    });
    publish = () => new Response(new Uint8Array(20_000_001));
    expect(check()).rejects.toMatchObject({ message: expect.stringContaining('longer than 20000000 bytes') });
    expect(update({ from: { url: 'http://example.com/prices.json' } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('not an https address'),
    });
  });

  test('does nothing without the setting', async () => {
    publish = () => new Response(dated('n9', '2026-12-09', 99));
    const config = { ...world.ctx.config, PRICE_PACK_URL: undefined };
    expect(await checkPricesJob.run({ ...world.ctx, config }, AbortSignal.timeout(30_000))).toEqual({});
  });
});

test('a catalogue older than 30 days is stale', async () => {
  const catalogue = async () => {
    const path = `/v1/prices?organizationId=${world.seed.organizationId}`;
    const reply = await world.fetch(path, { bearer: world.seed.bearer });
    return ((await reply.json()) as { catalogue: object }).catalogue;
  };
  await file(signed(packOf('today', [], { date: '2026-05-16', aliases: [] })));
  expect(await catalogue()).toMatchObject({ date: '2026-05-16', ageDays: 30, stale: false });
  world.clock.advance(86_400_000);
  expect(await catalogue()).toMatchObject({ ageDays: 31, stale: true });
});
