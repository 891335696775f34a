import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Explanation } from '../../../src/features/costs/contract.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

async function record(event: object): Promise<string> {
  const event_id = crypto.randomUUID();
  const events = [{ event_id, timestamp: new Date(TEST_NOW).toISOString(), ...event }];
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  return event_id;
}

async function explain(id: string, more = ''): Promise<Explanation> {
  const path = `/v1/events/${id}/cost?projectId=${world.seed.projectId}${more}`;
  const response = await world.fetch(path, { bearer: world.seed.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as Explanation;
}

const anthropic = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-20250514',
  input_tokens: 160,
  output_tokens: 77,
  usage: {
    input_tokens: 160,
    output_tokens: 77,
    cache_read_input_tokens: 2048,
    cache_creation_input_tokens: 256,
    cache_creation: { ephemeral_5m_input_tokens: 56, ephemeral_1h_input_tokens: 200 },
    server_tool_use: { web_search_requests: 2 },
  },
};

test('tells usage, buckets, rates and amounts, and which price it was', async () => {
  const doc = await explain(await record(anthropic));
  expect(doc.normalised).toMatchObject({
    fresh: 160,
    cache_read: 2048,
    cache_write_5m: 56,
    cache_write_1h: 200,
    output: 77,
    cache: 'exclusive',
  });
  expect(doc.normalised.reason).toContain('exceed the input');
  // 160 x 3 + 2048 x 0.30 + 56 x 3.75 + 200 x 6 + 77 x 15 millionths, and two searches at $10 per 1,000
  expect(doc.lines.map(({ bucket, tokens, amount_nano }) => [bucket, tokens, amount_nano])).toEqual([
    ['fresh', 160, 480_000],
    ['cacheRead', 2048, 614_400],
    ['cacheWrite5m', 56, 210_000],
    ['cacheWrite1h', 200, 1_200_000],
    ['output', 77, 1_155_000],
    ['webSearch', 2, 20_000_000],
  ]);
  expect(doc).toMatchObject({ adds_up: true, cost_nano: 23_659_400, lines_nano: 23_659_400 });
  expect(doc.price).toMatchObject({ source: 'catalogue', provider: 'anthropic', recorded: true });
});

test('stays as it was when prices change, and tells what it would be today', async () => {
  const id = await record(anthropic);
  const before = await explain(id);
  const price = { provider: 'anthropic', match: 'prefix', model: 'claude-', rates: { input: 1, output: 1 } };
  await world.app.act(setPricesAction, { organization: 'Acme', prices: [price] });
  const after = await explain(id, `&timestamp=${new Date(TEST_NOW).toISOString()}`);
  expect({ ...after, today: null }).toEqual({ ...before, today: null });
  expect(after.today).toMatchObject({ cost_nano: (160 + 2048 + 256 + 77) * 1000 });
  const anew = await explain(await record(anthropic));
  expect(anew).toMatchObject({ adds_up: true, price: { source: 'override', model: 'claude-*' } });
  await world.app.act(setPricesAction, {
    organization: 'Acme',
    prices: [{ ...price, rates: { input: 2, output: 2 } }],
  });
  expect(await explain(anew.event_id)).toMatchObject({ cost_nano: anew.cost_nano, adds_up: true });
});

test('half price for a batch, an estimate for a tier without a known price, audio by its own rate', async () => {
  const gpt = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100 };
  const batch = await explain(await record({ ...gpt, usage: { service_tier: 'batch' } }));
  expect(batch).toMatchObject({ cost_nano: 1_750_000, cost_status: 'priced', price: { factor: 0.5 } });
  // Priority costs $4.25 and $17 instead of $2.50 and $10.
  const priority = await explain(await record({ ...gpt, service_tier: 'priority' }));
  expect(priority).toMatchObject({ cost_nano: 5_950_000, cost_status: 'priced', adds_up: true });
  const scale = await explain(await record({ ...gpt, service_tier: 'scale' }));
  expect(scale).toMatchObject({ cost_nano: 3_500_000, cost_status: 'estimated', adds_up: true });
  expect(scale.summary).toContain('estimate');
  const audio = await explain(
    await record({
      ...gpt,
      model: 'gpt-4o-realtime-preview',
      usage: { input_token_details: { audio_tokens: 400 }, output_token_details: { audio_tokens: 90 } },
    }),
  );
  // 600 x 5 + 400 x 40 + 10 x 20 + 90 x 80 millionths
  expect(audio).toMatchObject({ cost_nano: 26_400_000, adds_up: true });
});

test('media, seconds and pages are explained as they are billed', async () => {
  const gemini = await explain(
    await record({
      provider: 'google',
      model: 'gemini-2.5-flash',
      usage: {
        promptTokenCount: 10_000,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 100 },
          { modality: 'AUDIO', tokenCount: 9_900 },
        ],
        candidatesTokenCount: 28,
      },
    }),
  );
  // 100 x 0.30 + 9,900 x 1 + 28 x 2.50 millionths
  expect(gemini).toMatchObject({ cost_nano: 10_000_000, cost_status: 'priced', adds_up: true });
  expect(gemini.lines.map(({ bucket, tokens }) => [bucket, tokens])).toEqual([
    ['fresh', 100],
    ['output', 28],
    ['audioInput', 9_900],
  ]);
  const speech = { provider: 'openai', model: 'whisper-1', usage: { type: 'duration', seconds: 61 } };
  expect(await explain(await record(speech))).toMatchObject({
    cost_nano: 6_100_000,
    cost_status: 'priced',
    adds_up: true,
    lines: [{ bucket: 'audioSeconds', tokens: 61 }],
  });
  const unread = await explain(
    await record({
      ...speech,
      model: 'gpt-4o',
      usage: { prompt_tokens: 10, completion_tokens: 1, poem_tokens: 4 },
    }),
  );
  expect(unread).toMatchObject({ cost_nano: 35_000, cost_status: 'estimated', adds_up: true });
  expect(unread.summary).toContain('poem_tokens');
  expect(unread.unbilled).toEqual(['poem_tokens']);
});

test('what a gateway says it charges is the cost, and the price list stands beside it', async () => {
  const call = {
    provider: 'openrouter',
    model: 'openai/gpt-4o',
    usage: { prompt_tokens: 1_000, completion_tokens: 100, cost: 0.004 },
  };
  const stated = await explain(await record(call));
  expect(stated).toMatchObject({
    cost_nano: 4_000_000,
    cost_status: 'client',
    price: null,
    today: { cost_nano: 3_500_000 },
  });
  expect(stated.summary).toContain('$0.0005 less: $0.0035');
  const own = {
    ...call.usage,
    cost: 0.0002,
    is_byok: true,
    cost_details: { upstream_inference_cost: 0.0035 },
  };
  expect(await explain(await record({ ...call, usage: own }))).toMatchObject({ cost_nano: 3_700_000 });
  // Elsewhere the name may mean anything.
  expect(await explain(await record({ ...call, provider: 'openai', model: 'gpt-4o' }))).toMatchObject({
    cost_nano: 3_500_000,
    cost_status: 'priced',
  });
});

test('a custom price has rates for media and units', async () => {
  const rates = { input: 1, output: 2, audioInput: 10, audioOutput: 20, perSearch: 0.01, perAudioHour: 3.6 };
  await world.app.act(setPricesAction, {
    organization: 'Acme',
    prices: [{ provider: 'acme', model: 'voice', rates }],
  });
  const usage = {
    prompt_tokens: 100,
    prompt_tokens_details: { audio_tokens: 40 },
    completion_tokens: 30,
    completion_tokens_details: { audio_tokens: 10 },
    server_tool_use: { web_search_requests: 2 },
  };
  // 60 x 1 + 40 x 10 + 20 x 2 + 10 x 20 millionths, and two searches of a cent
  expect(await explain(await record({ provider: 'acme', model: 'voice', usage }))).toMatchObject({
    cost_nano: 700_000 + 20_000_000,
    cost_status: 'priced',
    adds_up: true,
  });
  const spoken = { provider: 'acme', model: 'voice', usage: { type: 'duration', seconds: 2 } };
  expect(await explain(await record(spoken))).toMatchObject({ cost_nano: 2_000_000, adds_up: true });
});

test('says why there is no cost, or whose it is', async () => {
  const of = async (event: object) => explain(await record(event));
  expect(await of({ provider: 'acme', model: 'a', input_tokens: 1 })).toMatchObject({
    cost_nano: null,
    lines: [],
    price: null,
    today: { reason: 'unknown_provider' },
  });
  const silent = await of({ provider: 'openai', model: 'gpt-4o' });
  expect(silent).toMatchObject({ cost_status: 'unpriced', cost_nano: null, today: { reason: 'no_usage' } });
  expect(await of({ provider: 'openai', model: 'gpt-4o', status: 'error' })).toMatchObject({ cost_nano: 0 });
  const stated = await of({ provider: 'openai', model: 'gpt-4o', input_tokens: 5, cost_usd: 0.5 });
  expect(stated).toMatchObject({ cost_status: 'client', cost_nano: 500_000_000, price: null });
  expect((await of({ kind: 'tool', name: 'search' })).summary).toContain('not a call');
});

test('an event of somebody else is as unknown as one that never was', async () => {
  const id = await record(anthropic);
  const other = await world.addTenant();
  const ask = async (eventId: string) => {
    const path = `/v1/events/${eventId}/cost?projectId=${other.projectId}`;
    return (await world.fetch(path, { bearer: other.bearer })).status;
  };
  expect(await ask(id)).toBe(404);
  expect(await ask(crypto.randomUUID())).toBe(404);
  expect(await ask('nonsense')).toBe(400);
});
