import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PriceRow } from '../../../src/core/pricing/contract.ts';
import type { CostsReply } from '../../../src/features/analytics/contract.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import type { PricedModels, UnpricedReply } from '../../../src/features/prices/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

const call = async <T>(method: string, path = '', json?: unknown): Promise<{ status: number; body: T }> => {
  const response = await world.fetch(`/v1/prices${path}?organizationId=${world.seed.organizationId}`, {
    method,
    bearer: world.seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
};

/** Sends one call and gives what it cost. */
async function costOf(event: object): Promise<{ cost_usd: number | null; cost_status: string }> {
  const event_id = crypto.randomUUID();
  const response = await world.fetch('/v1/ingest', {
    apiKey: world.seed.apiKey,
    events: [{ event_id, input_tokens: 1_000_000, output_tokens: 0, ...event }],
  });
  expect(response.status).toBe(202);
  const page = await world.fetch(`/v1/events?projectId=${world.seed.projectId}&limit=200`, {
    bearer: world.seed.bearer,
  });
  const { events } = (await page.json()) as {
    events: { event_id: string; cost_usd: number; cost_status: string }[];
  };
  const found = events.find((one) => one.event_id === event_id);
  if (found === undefined) throw new Error('the event is not listed');
  return { cost_usd: found.cost_usd, cost_status: found.cost_status };
}

describe('prices of an organization', () => {
  test('hold from the next call on, and no longer once they are removed', async () => {
    const event = { provider: 'openai', model: 'gpt-4o' };
    expect(await costOf(event)).toEqual({ cost_usd: 2.5, cost_status: 'priced' });
    const made = await call<PriceRow>('POST', '', { ...event, rates: { input: 7 } });
    expect(made).toMatchObject({ status: 201, body: { rates: { input: 7 }, currency: 'USD' } });
    expect((await costOf(event)).cost_usd).toBe(7);
    const path = `/${made.body.id}`;
    expect((await call('PUT', path, { ...event, rates: { input: 9 } })).status).toBe(200);
    expect((await costOf(event)).cost_usd).toBe(9);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await costOf(event)).cost_usd).toBe(2.5);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  test('of the same made at once are one price', async () => {
    const event = { provider: 'acme', model: 'twice' };
    const replies = await Promise.all(
      [1, 7, 9].map((input) => call<PriceRow>('POST', '', { ...event, rates: { input } })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const made = replies.find(({ status }) => status === 201);
    expect((await call('DELETE', `/${made?.body.id}`)).status).toBe(204);
  });

  test('say by name, start and pattern what they are of; the one that says most wins', async () => {
    const made: PriceRow[] = [];
    for (const price of [
      { provider: null, match: 'glob', model: '*llama*', rates: { input: 1 } },
      { provider: 'Ollama', match: 'prefix', model: 'Llama-3', rates: { input: 2 } },
      {
        provider: 'ollama',
        model: 'llama-3-70b',
        rates: { input: 3 },
        tiers: [{ above: 2_000_000, input: 4 }],
      },
      { provider: 'ollama', model: 'llama-3-70b', rates: { input: 5 }, serviceTier: 'batch' },
    ]) {
      const { status, body } = await call<PriceRow>('POST', '', price);
      expect(status).toBe(201);
      made.push(body);
    }
    const of = async (model: string, more = {}) =>
      (await costOf({ provider: 'ollama', model, ...more })).cost_usd;
    expect(await of('llama-3-8b')).toBe(2);
    expect(await of('my-llama')).toBe(1);
    expect(await of('LLAMA-3-70B')).toBe(3);
    expect(await of('llama-3-70b', { input_tokens: 2_000_001 })).toBe(8.000004);
    expect(await of('llama-3-70b', { usage: { service_tier: 'batch' } })).toBe(5);
    expect(await of('mistral')).toBeNull();
    for (const { id } of made) await call('DELETE', `/${id}`);
  });

  test('hold from and until their dates', async () => {
    const of = { provider: 'acme', model: 'dated' };
    const day = (offset: number): string => new Date(TEST_NOW + offset * 86_400_000).toISOString();
    await call('POST', '', { ...of, rates: { input: 1 }, effectiveUntil: day(-2) });
    await call('POST', '', { ...of, rates: { input: 2 }, effectiveFrom: day(-2), effectiveUntil: day(-1) });
    const at = async (timestamp: string) => (await costOf({ ...of, timestamp })).cost_usd;
    expect(await at(new Date(Date.parse(day(-2)) - 1).toISOString())).toBe(1);
    expect(await at(day(-2))).toBe(2);
    expect(await at(day(-1))).toBeNull();
    const overlap = await call<{ error: string }>('POST', '', {
      ...of,
      rates: { input: 3 },
      effectiveFrom: day(-3),
    });
    expect(overlap).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('at the same time') },
    });
  });

  test('end when the next one starts, if that is asked for, in one change', async () => {
    const of = { provider: 'acme', model: 'raised' };
    const post = (json: object, more = ''): Promise<Response> =>
      world.fetch(`/v1/prices?organizationId=${world.seed.organizationId}${more}`, {
        bearer: world.seed.bearer,
        json,
      });
    const first = (await (await post({ ...of, rates: { input: 1 }, note: 'old' })).json()) as PriceRow;
    const next = { ...of, rates: { input: 2 }, effectiveFrom: '2026-06-10' };
    expect((await post(next)).status).toBe(409);
    const reply = await post(next, '&endPrevious=true');
    expect(await reply.json()).toMatchObject({
      rates: { input: 2 },
      effectiveFrom: '2026-06-10T00:00:00.000Z',
    });
    const { body } = await call<{ prices: PriceRow[] }>('GET');
    expect(body.prices.find(({ id }) => id === first.id)).toMatchObject({
      rates: { input: 1 },
      note: 'old',
      effectiveUntil: '2026-06-10T00:00:00.000Z',
    });
    expect((await costOf({ ...of, timestamp: '2026-06-09T23:59:59.999Z' })).cost_usd).toBe(1);
    expect((await costOf({ ...of, timestamp: '2026-06-10T00:00:00Z' })).cost_usd).toBe(2);
  });

  test('may be per call alone: then tokens are free, and one that failed is not paid', async () => {
    await call('POST', '', { provider: 'acme', model: 'search', rates: { perRequest: 0.0123 } });
    const event = { provider: 'acme', model: 'search' };
    expect(await costOf(event)).toEqual({ cost_usd: 0.0123, cost_status: 'priced' });
    expect((await costOf({ ...event, input_tokens: 0 })).cost_usd).toBe(0.0123);
    expect((await costOf({ ...event, input_tokens: 0, status: 'error' })).cost_usd).toBe(0);
  });

  test.each([
    [{ model: 'x', rates: {} }, 'rates'],
    [{ model: 'x', rates: { output: 1 } }, 'rates'],
    [{ model: '', rates: { input: 1 } }, 'model'],
    [{ model: 'x', rates: { input: -1 } }, 'rates.input'],
    [{ model: 'x', rates: { input: 1, inptu: 1 } }, 'inptu'],
    [{ model: 'x', rates: { input: 1 }, currency: 'EUR' }, 'only USD'],
    [{ model: 'x', rates: { input: 1 }, effectiveFrom: 'soon' }, 'effectiveFrom'],
    [
      { model: 'x', rates: { input: 1 }, effectiveFrom: '2026-02-01', effectiveUntil: '2026-01-01' },
      'effectiveUntil',
    ],
    [{ model: 'x', rates: { input: 1 }, tiers: [{ above: 1 }, { above: 1 }] }, 'tiers'],
  ])('%j is refused: %s', async (price, named) => {
    const { status, body } = await call<{ error: string }>('POST', '', price);
    expect(status).toBe(400);
    expect(body.error).toContain(named);
  });

  test('are read by everybody of the organization, changed by admins, and seen by nobody else', async () => {
    const viewer = await world.addUser('viewer');
    const other = await world.addTenant();
    const path = `/v1/prices?organizationId=${world.seed.organizationId}`;
    const json = { provider: 'acme', model: 'mine', rates: { input: 1 } };
    expect((await world.fetch(path, { bearer: viewer.bearer })).status).toBe(200);
    expect((await world.fetch(path, { bearer: viewer.bearer, json })).status).toBe(403);
    expect((await world.fetch(path, { bearer: other.bearer })).status).toBe(403);
    const { body } = await call<PriceRow>('POST', '', json);
    const foreign = `/v1/prices/${body.id}?organizationId=${other.organizationId}`;
    expect((await world.fetch(foreign, { method: 'DELETE', bearer: other.bearer })).status).toBe(404);
  });
});

describe('how many prices an organization has', () => {
  test('is limited to 500, also for requests at the same time; a price can still be replaced then', async () => {
    const full = await openTestApp();
    const write = (method: string, path: string, json: object) =>
      full.fetch(`/v1/prices${path}?organizationId=${full.seed.organizationId}`, {
        method,
        bearer: full.seed.bearer,
        json,
      });
    const of = (i: number) => ({ match: 'prefix', model: `model-${i}-`, rates: { input: 1 } });
    try {
      const prices = Array.from({ length: 498 }, (_, i) => of(i));
      await full.app.act(setPricesAction, { organization: full.seed.organizationId, prices });
      const replies = await Promise.all([498, 499, 500, 501].map((i) => write('POST', '', of(i))));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
      const refused = replies.find(({ status }) => status === 409);
      expect(await refused?.json()).toEqual({
        error: 'An organization has at most 500 prices; remove some, or use a pattern for several models',
      });
      const listed = await full.fetch(`/v1/prices?organizationId=${full.seed.organizationId}`, {
        bearer: full.seed.bearer,
      });
      const [first, ...others] = ((await listed.json()) as { prices: PriceRow[] }).prices;
      expect(others).toHaveLength(499);
      expect((await write('PUT', `/${first?.id}`, of(1_000))).status).toBe(200);
    } finally {
      await full.close();
    }
  });

  test('a pattern has at most 16 wildcards', async () => {
    const of = (model: string) => call('POST', '', { match: 'glob', model, rates: { input: 1 } });
    expect(await of('*a'.repeat(17))).toEqual({
      status: 400,
      body: { error: 'model: must have at most 16 wildcards (* and ?)' },
    });
    expect((await of('*a'.repeat(16))).status).toBe(201);
  });
});

test('what was seen without a price is listed with its counts, times and reason', async () => {
  const own = await openTestApp();
  try {
    const at = (minutes: number): string => new Date(TEST_NOW - minutes * 60_000).toISOString();
    const events = [
      { provider: 'acme', model: 'a', input_tokens: 10, output_tokens: 1, timestamp: at(90) },
      { provider: 'acme', model: 'a', input_tokens: 20, output_tokens: 2, timestamp: at(30) },
      { provider: 'openai', model: 'gpt-4o', timestamp: at(20) },
      { provider: 'openai', model: 'gpt-4o', input_tokens: 5, timestamp: at(10) },
      { provider: 'openai', model: 'gpt-4o', status: 'error', timestamp: at(5) },
    ];
    await own.fetch('/v1/ingest', { apiKey: own.seed.apiKey, events });
    const response = await own.fetch(`/v1/prices/unpriced?projectId=${own.seed.projectId}`, {
      bearer: own.seed.bearer,
    });
    const reply = (await response.json()) as UnpricedReply;
    expect(reply).toMatchObject({ unpriced: 3, calls: 5 });
    expect(reply.models[0]).toEqual({
      provider: 'acme',
      model: 'a',
      unpriced: 2,
      calls: 2,
      inputTokens: 30,
      outputTokens: 3,
      firstSeen: at(90),
      lastSeen: at(30),
      reason: 'unknown_provider',
      missingRate: null,
    });
    expect(reply.models[1]).toMatchObject({ model: 'gpt-4o', unpriced: 1, calls: 3, reason: 'no_usage' });
    const read = async (path: string): Promise<object> =>
      (await (await own.fetch(path, { bearer: own.seed.bearer })).json()) as object;
    for (const filter of [
      'model=gpt-4o',
      'filter=provider:acme',
      'environment=none',
      'status=error',
      'filter=input>5',
    ]) {
      const query = `projectId=${own.seed.projectId}&${filter}`;
      const { models, ...counts } = (await read(`/v1/prices/unpriced?${query}`)) as UnpricedReply;
      const { unpriced, calls, unpricedModels } = (await read(`/v1/costs?${query}`)) as CostsReply;
      expect([filter, counts]).toEqual([filter, { unpriced, calls }]);
      expect(models.map((one) => [one.model, one.unpriced])).toEqual(
        unpricedModels.map((one) => [one.model, one.calls]),
      );
    }
  } finally {
    await own.close();
  }
});

test('models that have a price are found by a part of their name, own prices first', async () => {
  const { organizationId, bearer } = world.seed;
  const find = async (q: string): Promise<PricedModels['models']> => {
    const path = `/v1/prices/models?organizationId=${organizationId}&limit=5&q=${encodeURIComponent(q)}`;
    return ((await (await world.fetch(path, { bearer })).json()) as PricedModels).models;
  };
  const listed = { provider: 'openai', model: 'gpt-4o-mini', own: false, input: 0.15, output: 0.6 };
  expect((await find('openai/gpt-4o-m'))[0]).toEqual(listed);
  expect(await find('GPT-4o-Mini')).toContainEqual(listed);
  // A whole word of a name is nearer than the start of another one: minimax, ministral.
  for (const { model } of await find('mini')) expect(model).toMatch(/-mini\b/);
  expect((await find('sonnet'))[0]?.provider).toBe('anthropic');
  expect((await find('gpt-4o'))[0]?.model).toBe('gpt-4o');
  expect(await find('no such model')).toEqual([]);
  expect(await find('')).toHaveLength(5);
  const price = { provider: 'openai', model: 'gpt-4o-mini', rates: { input: 0.1, output: 0.5 } };
  const made = await world.fetch(`/v1/prices?organizationId=${organizationId}`, { bearer, json: price });
  expect(made.status).toBe(201);
  expect((await find('openai/gpt-4o-mini'))[0]).toEqual({ ...listed, own: true, input: 0.1, output: 0.5 });
  // A price for all names that begin so is theirs too; one that is over is nobody's.
  const more = [
    { provider: 'anthropic', match: 'prefix', model: 'claude-3-5-haiku', rates: { input: 0.2, output: 0.3 } },
    { ...price, model: 'gpt-4.1-nano', effectiveUntil: new Date(TEST_NOW - 1).toISOString() },
  ];
  for (const json of more)
    expect((await world.fetch(`/v1/prices?organizationId=${organizationId}`, { bearer, json })).status).toBe(
      201,
    );
  const [haiku] = await find('anthropic/claude-3-5-haiku');
  expect(haiku).toMatchObject({ own: true, input: 0.2, output: 0.3 });
  const nano = { provider: 'openai', model: 'gpt-4.1-nano', own: false, input: 0.1, output: 0.4 };
  expect((await find('openai/gpt-4.1-nano'))[0]).toEqual(nano);
});
