import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import { reasonsOf } from '../../../src/features/reconcile/compare/reasons.ts';
import type { Reconciliation } from '../../../src/features/reconcile/contract.ts';
import { parseCsv } from '../../../src/features/reconcile/formats/parse-csv.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

// A week of June 2026 at a provider whose export is invented here, and books with five planted faults.
let world: TestApp;
const DAY = '2026-06-0';
const record = async (day: number, calls: number, call: object): Promise<void> => {
  for (let i = 0; i < calls; i += 100) {
    const events = Array.from({ length: Math.min(100, calls - i) }, (_, n) => ({
      timestamp: `${DAY}${day}T10:${String(Math.floor((i + n) / 60) % 60).padStart(2, '0')}:00Z`,
      ...call,
    }));
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  }
};
const reconcile = async (csv: string, status = 200): Promise<Reconciliation & { error: string }> => {
  const path = `/v1/reconcile?projectId=${world.seed.projectId}`;
  const response = await world.fetch(path, { method: 'POST', bearer: world.seed.bearer, body: csv });
  expect(response.status).toBe(status);
  return (await response.json()) as Reconciliation & { error: string };
};
const gpt = {
  provider: 'openai',
  model: 'gpt-4o-2024-08-06',
  input_tokens: 1000,
  cached_input_tokens: 400,
  output_tokens: 100,
};
/** 600 x 2.50 + 400 x 1.25 + 100 x 10 millionths */
const GPT_USD = 0.003;

beforeAll(async () => {
  world = await openTestApp();
  // Day 1 is right. On day 2 a quarter of the calls never came. Day 3 came twice, with other ids.
  await record(1, 200, gpt);
  await record(2, 150, gpt);
  await record(3, 400, gpt);
  // Day 4: the sender told only the input that was not cached, and 400 of it were taken for cached.
  await record(4, 200, { ...gpt, input_tokens: 600 });
  // Day 5: a model without a price. Day 6: a price that was agreed from day 6 on was set from day 7 on.
  await record(5, 200, { ...gpt, model: 'gpt-of-tomorrow' });
  const agreed = {
    provider: 'openai',
    model: 'gpt-4o-mini',
    rates: { input: 0.1, output: 0.4 },
    effectiveFrom: `${DAY}7`,
  };
  await world.app.act(setPricesAction, { organization: 'Acme', prices: [agreed] });
  await record(6, 200, {
    provider: 'openai',
    model: 'gpt-4o-mini',
    input_tokens: 10_000,
    output_tokens: 1000,
  });
});
afterAll(() => world.close());

const invoice = [
  'date,model,calls,input_tokens,cached_input_tokens,output_tokens,cost_usd',
  ...[1, 2, 3, 4].map((day) => `${DAY}${day},gpt-4o-2024-08-06,200,200000,80000,20000,${200 * GPT_USD}`),
  `${DAY}5,gpt-of-tomorrow,200,200000,80000,20000,1.00`,
  `${DAY}6,gpt-4o-mini,200,2000000,0,200000,${(2_000_000 * 0.1 + 200_000 * 0.4) / 1e6}`,
].join('\r\n');

describe('an invoice beside books with five planted faults', () => {
  test('names all five, each on its day, and nothing else', async () => {
    const doc = await reconcile(invoice);
    expect(doc).toMatchObject({
      layout: 'generic',
      from: `${DAY}1`,
      to: `${DAY}6`,
      usdFrom: 'export',
      ignored: [],
    });
    const found = Object.fromEntries(
      doc.lines.map(({ day, reasons }) => [day, reasons.map(({ code }) => code)]),
    );
    expect(found).toEqual({
      [`${DAY}1`]: [],
      [`${DAY}2`]: ['missing_events'],
      [`${DAY}3`]: ['duplicates'],
      [`${DAY}4`]: ['cache_layout'],
      [`${DAY}5`]: ['unpriced_model'],
      [`${DAY}6`]: ['price_date'],
    });
    expect(new Set<string>(doc.reasons.map(({ code }) => code))).toEqual(
      new Set(['missing_events', 'duplicates', 'cache_layout', 'unpriced_model', 'price_date']),
    );
    expect(doc.reasons.reduce((sum, { driftUsd }) => sum + driftUsd, 0)).toBeCloseTo(doc.driftUsd ?? 0, 9);
    expect(doc.books.unpriced).toBe(200);
    const missing = doc.lines.find(({ day }) => day === `${DAY}2`);
    expect(missing?.reasons[0]?.text).toContain('50 of 200 calls');
    expect(missing?.driftUsd).toBeCloseTo(-50 * GPT_USD, 9);
    expect(doc.counts).toEqual({ lines: 6, differing: 5, unexplained: 0 });
  });

  test('rows of a day without a number of calls are not taken for one call each', async () => {
    for (const column of ['cost_usd', 'usd']) {
      const doc = await reconcile(
        `day,provider,model,${column}\n${DAY}1,openai,gpt-4o-2024-08-06,${200 * GPT_USD}`,
      );
      expect(doc.counts).toEqual({ lines: 1, differing: 0, unexplained: 0 });
    }
    const { lines } = await reconcile(`timestamp,model\n${DAY}1T12:00:00Z,gpt-4o-2024-08-06`);
    expect(lines[0]?.invoice?.calls).toBe(1);
  });

  test('a line tells the name that its events have in the books, if it is one', async () => {
    await record(7, 1, gpt);
    await record(7, 1, { ...gpt, model: 'gpt-4o' });
    const { lines } = await reconcile(
      `date,model,calls\n${DAY}1,gpt-4o,200\n${DAY}7,gpt-4o,2\n${DAY}7,gpt-of-nobody,1`,
    );
    const of = (day: number, model: string) =>
      lines.find((line) => line.day === `${DAY}${day}` && line.model === model)?.stored;
    expect(of(1, 'gpt-4o')).toEqual({ provider: 'openai', model: 'gpt-4o-2024-08-06' });
    expect(of(7, 'gpt-4o')).toBeNull();
    expect(of(7, 'gpt-of-nobody')).toBeNull();
  });

  test('of very many lines the first are told, and how many there are', async () => {
    const rows = Array.from({ length: 5_010 }, (_, i) => `${DAY}8,model-${i},1,1000,100,1`);
    const { lines, counts } = await reconcile(
      `date,model,calls,input_tokens,output_tokens,cost_usd\n${rows.join('\n')}`,
    );
    expect(lines).toHaveLength(5_000);
    expect(counts).toEqual({ lines: 5_010, differing: 5_010, unexplained: 0 });
  });

  test('the layouts of OpenAI, Anthropic and OpenRouter are read, tokens without money priced', async () => {
    const openai = await reconcile(
      `start_time,end_time,start_time_iso,model,batch,num_model_requests,input_tokens,input_cached_tokens,output_tokens
1780272000,1780358400,2026-06-01T00:00:00+00:00,gpt-4o-2024-08-06,false,120,120000,48000,12000
1780272000,1780358400,2026-06-01T00:00:00+00:00,gpt-4o-2024-08-06,false,80,80000,32000,8000`,
    );
    expect(openai).toMatchObject({ layout: 'openai-usage', usdFrom: 'prices' });
    expect(openai.lines).toMatchObject([{ model: 'gpt-4o', driftTokens: 0, reasons: [] }]);
    expect(openai.invoice.usd).toBeCloseTo(200 * GPT_USD, 9);
    const costs = await reconcile(
      `start_time,end_time,start_time_iso,amount_value,amount_currency,line_item
1780272000,1780358400,2026-06-01T00:00:00+00:00,0.4,usd,"gpt-4o-2024-08-06, input"
1780272000,1780358400,2026-06-01T00:00:00+00:00,0.2,usd,"gpt-4o-2024-08-06, output"`,
    );
    expect(costs).toMatchObject({
      layout: 'openai-costs',
      invoice: { calls: null, usd: 0.6000000000000001 },
    });
    expect(costs.lines[0]?.reasons).toEqual([]);
    const anthropic = await reconcile(
      `usage_date_utc,model_version,api_key,workspace,usage_type,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count
2026-06-02,claude-sonnet-4-20250514,k,Default,standard,100,20,3,400,50,0`,
    );
    expect(anthropic).toMatchObject({
      layout: 'anthropic-usage',
      invoice: { inputTokens: 523, outputTokens: 50 },
    });
    expect(anthropic.reasons.map(({ code }) => code)).toEqual(['missing_events']);
    const openrouter = await reconcile(
      `generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_cached,model_permaslug,provider_name
gen-1,2026-06-02 02:37:51.271,0.01,100,200,0,openai/gpt-4o,OpenAI
gen-2,2026-06-02 03:37:51.271,0.02,150,250,0,openai/gpt-4o,OpenAI`,
    );
    expect(openrouter).toMatchObject({ layout: 'openrouter-activity', invoice: { calls: 2, usd: 0.03 } });
  });

  test('what is no export is refused with what it should be, and a bad row is told', async () => {
    expect((await reconcile('', 400)).error).toContain('no rows');
    expect((await reconcile('a,b\n1,2', 400)).error).toContain('header row');
    expect((await reconcile('date,model\nsoon,x', 400)).error).toContain('is no time');
    const doc = await reconcile(`${invoice}\nsoon,gpt-4o,1,1,0,1,1`);
    expect(doc.ignored).toEqual([{ row: 8, why: '"soon" is no time' }]);
    for (const day of ['0001-01-01', '1969-12-31', '9999-12-31'])
      expect((await reconcile(`date,model,calls\n${day},gpt-4o,1`)).counts.lines).toBe(1);
    expect((await reconcile('date,model\n2026-06-01,x\n2027-07-07,x', 400)).error).toContain(
      'spans 402 days',
    );
    const models = Array.from({ length: 20_001 }, (_, i) => `${DAY}1,m${i}`);
    expect((await reconcile(`date,model\n${models.join('\n')}`, 400)).error).toContain(
      'more than 20000 models',
    );
    const other = await world.addTenant();
    const path = `/v1/reconcile?projectId=${world.seed.projectId}`;
    expect((await world.fetch(path, { method: 'POST', bearer: other.bearer, body: invoice })).status).toBe(
      403,
    );
  });
});

describe('exports that name models for people, or none', () => {
  const haiku = {
    ...{ provider: 'anthropic', model: 'claude-haiku-4-5-20251001' },
    ...{ input_tokens: 10_000, output_tokens: 1000 },
  };
  /** 10000 x 1 + 1000 x 5 millionths */
  const HAIKU_USD = 0.015;
  const costs = (rows: string[]): string =>
    ['usage_date_utc,model,workspace,api_key,token_type,cost_usd,list_price_usd,cost_type', ...rows].join(
      '\n',
    );

  test('display names meet the ids of the calls; a discount that is stated explains, money alone does not', async () => {
    for (const day of [11, 12, 13]) {
      const events = Array.from({ length: 100 }, () => ({ timestamp: `2026-06-${day}T10:00:00Z`, ...haiku }));
      const { status } = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
      expect(status).toBe(202);
    }
    const usd = 100 * HAIKU_USD;
    const row = (day: number, factor: number, list = factor) =>
      `2026-06-${day},Claude Haiku 4.5,Default,k,output,${usd * factor},${usd * list},token`;
    const doc = await reconcile(
      costs([row(11, 1), row(12, 0.9, 1), row(13, 0.5), '2026-06-13,,Default,k,,0.2,0.2,web_search']),
    );
    expect(doc).toMatchObject({ layout: 'anthropic-costs', per: 'day', by: 'model' });
    const line = (day: number) => doc.lines.find((one) => one.day === `2026-06-${day}`);
    for (const day of [11, 12, 13]) expect(line(day)?.model).toBe('claude-haiku-4-5');
    expect(
      [11, 12, 13].map((day) => [line(day)?.differs, line(day)?.reasons.map(({ code }) => code)]),
    ).toEqual([
      [false, []],
      [true, ['discount']],
      [true, []],
    ]);
    expect(doc.counts).toEqual({ lines: 3, differing: 2, unexplained: 1 });
    expect(doc.apart).toEqual([{ kind: 'tool', label: 'web_search', currency: 'USD', amount: 0.2, rows: 1 }]);
    expect(doc.invoice.usd).toBeCloseTo(usd * 2.4, 9);
    expect(doc.parts).toContainEqual({
      by: 'account',
      name: 'Default',
      usd: expect.closeTo(usd * 2.4),
      rows: 3,
    });
  });

  test('an export without models is compared with the sum of the provider’s calls', async () => {
    const day = 'start_time_iso,amount_value,amount_currency,line_item';
    const doc = await reconcile(`${day}\n2026-06-01T00:00:00+00:00,${200 * GPT_USD},usd,`);
    expect(doc).toMatchObject({ by: 'provider', lines: [{ model: 'all models', differs: false }] });
  });

  test('lines over a month are compared with the whole month', async () => {
    const bill = [
      'Service description,SKU description,Cost type,Usage start date,Usage end date,Usage amount,Usage unit,Cost ($)',
      'Vertex AI,Claude Opus 5 Input Tokens,Usage,2026-05-01,2026-05-30,1000,count,1',
    ].join('\n');
    expect(await reconcile(bill)).toMatchObject({
      ...{ layout: 'google-billing', per: 'month', from: '2026-05-01', to: '2026-05-30' },
      lines: [{ day: '2026-05-01', model: 'claude-opus-5', reasons: [{ code: 'missing_events' }] }],
    });
  });
});

test('rates that fit no day are told as such', () => {
  const side = {
    calls: 10,
    fresh: 1000,
    cacheRead: 0,
    cacheWrite: 0,
    output: 100,
    usd: 5,
    listUsd: null,
    slack: 0,
  };
  const codes = (usd: number) =>
    reasonsOf({ ...side, usd }, { ...side, unpriced: 0 }, []).map(({ code }) => code);
  expect(codes(5)).toEqual([]);
  expect(codes(7)).toEqual(['rates']);
});

/** The header row and the rows of a CSV. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  parseCsv(new TextEncoder().encode(csv), (row) => rows.push(row));
  return rows;
}

test('CSV with quotes, line breaks, semicolons and a byte order mark', () => {
  expect(rowsOf('\uFEFFA;"b ""x"""\r\n"1\n2";3\n\n;\n')).toEqual([
    ['A', 'b "x"'],
    ['1\n2', '3'],
    ['', ''],
  ]);
});

test('CSV with blanks around quoted fields keeps the rest of the row', () => {
  expect(rowsOf('day,model ,usd\n"2026-06-01" ,  "gpt-4o", 1.5 \n')).toEqual([
    ['day', 'model', 'usd'],
    ['2026-06-01', 'gpt-4o', '1.5'],
  ]);
});

test('CSV that is broken is refused with the line, and one that is too long or empty with the limit', () => {
  expect(() => rowsOf('a,b\n1,2\n"3" x,4\n')).toThrow('line 3 of the export is not CSV');
  expect(() => rowsOf('a,b\n"1,2\n')).toThrow('of the export is not CSV');
  expect(() => rowsOf(`a\n${'1\n'.repeat(500_001)}`)).toThrow('the export has more than 500000 rows');
  expect(() => rowsOf('a,b\n')).toThrow('the export has no rows');
});
