import { describe, expect, test } from 'bun:test';
import { sumExport } from '../../../src/features/reconcile/compare/sum-export.ts';
import type { ApartRow, InvoiceRow } from '../../../src/features/reconcile/formats/format.ts';
import { readExport } from '../../../src/features/reconcile/formats/read-export.ts';
import {
  ANTHROPIC_COSTS,
  ANTHROPIC_USAGE,
  AWS_CUR_1,
  AWS_CUR_2,
  AZURE_COSTS,
  GOOGLE_BIGQUERY,
  GOOGLE_COST_TABLE,
  OPENAI_COSTS,
  OPENAI_COSTS_BY_DAY,
  OPENAI_USAGE,
  OPENROUTER_ACTIVITY,
} from './exports.ts';

const encode = (csv: string): Uint8Array => new TextEncoder().encode(csv);
function read(csv: string, filter = {}) {
  const rows: InvoiceRow[] = [];
  const apart: ApartRow[] = [];
  const sink = { line: (line: InvoiceRow) => rows.push(line), apart: (line: ApartRow) => apart.push(line) };
  return { ...readExport(encode(csv), filter, sink), rows, apart };
}
/** Day, model and figures of each line, without what it does not state. */
const linesOf = (csv: string): Record<string, unknown>[] =>
  read(csv).rows.map(({ day, until, provider, ...line }) => ({
    ...Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null && value !== '')),
    from: new Date(day * 86_400_000).toISOString().slice(0, 10),
  }));
const apartOf = (csv: string) =>
  read(csv).apart.map(({ apart, label, amount, currency }) => [apart, label, amount, currency]);

describe('exports of providers', () => {
  test('Anthropic costs: display names, workspaces, keys and types; tools and credits apart', () => {
    expect(read(ANTHROPIC_COSTS)).toMatchObject({ layout: 'anthropic-costs', names: 'display', ignored: [] });
    expect(linesOf(ANTHROPIC_COSTS)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'Claude Haiku 4.5', account: 'Default', key: 'support' },
        ...{ type: 'input_no_cache', usd: 0.05, listUsd: 0.05 },
      },
      {
        ...{ from: '2026-10-04', model: 'Claude Haiku 4.5', account: 'Default', key: 'support' },
        ...{ type: 'output', usd: 0.02, listUsd: 0.02 },
      },
      {
        ...{ from: '2026-10-05', model: 'Claude Sonnet 4.5', account: 'Research', key: 'batch' },
        ...{ type: 'input_cache_read', usd: 0.9, listUsd: 1 },
      },
    ]);
    expect(apartOf(ANTHROPIC_COSTS)).toEqual([
      ['tool', 'web_search', 0.3, 'USD'],
      ['credit', 'Claude Haiku 4.5 output', -0.01, 'USD'],
    ]);
    expect(read(ANTHROPIC_COSTS, { account: 'Research' }).rows).toHaveLength(1);
    expect(read(ANTHROPIC_COSTS, { key: 'support' }).rows).toHaveLength(2);
    expect(() => read(ANTHROPIC_COSTS, { account: 'Sales' })).toThrow(
      'no line of this Anthropic costs export is of Sales',
    );
  });

  test('Anthropic usage: both kinds of cache writes', () => {
    expect(linesOf(ANTHROPIC_USAGE)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'claude-haiku-4-5-20251001', account: 'Default', key: 'support' },
        ...{ type: 'standard', fresh: 100, cacheRead: 400, cacheWrite: 23, output: 50 },
      },
    ]);
  });

  test('OpenAI costs with line items: tokens where it states them, tools and other currencies apart', () => {
    expect(linesOf(OPENAI_COSTS)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'gpt-4o-2024-08-06', type: 'input', account: 'Assistant' },
        ...{ key: 'key_1', usd: 0.6, fresh: 240_000, cacheRead: 0, cacheWrite: 0, output: 0 },
      },
      {
        ...{ from: '2026-10-04', model: 'gpt-4o-2024-08-06', type: 'cached input', account: 'Assistant' },
        ...{ key: 'key_1', usd: 0.1, fresh: 0, cacheRead: 80_000, cacheWrite: 0, output: 0 },
      },
      {
        ...{ from: '2026-10-04', model: 'gpt-4o-2024-08-06', type: 'output', account: 'Assistant' },
        ...{ key: 'key_1', usd: 0.4 },
      },
      { from: '2026-10-05', model: 'gpt-5-nano', type: 'input', account: 'Assistant', key: 'key_1' },
    ]);
    expect(apartOf(OPENAI_COSTS)).toEqual([
      ['tool', 'web search tool calls', 0.25, 'USD'],
      ['tool', 'file search, storage', 0.05, 'USD'],
      ['credit', 'gpt-4o-2024-08-06, output', -0.1, 'USD'],
      ['currency', 'gpt-5-nano, input', 0.3, 'EUR'],
    ]);
  });

  test('OpenAI costs without line items: the amount of a day, days without costs are no lines', () => {
    expect(linesOf(OPENAI_COSTS_BY_DAY)).toEqual([
      { from: '2026-10-04', usd: 1.1 },
      { from: '2026-10-05', usd: 0.003_835_98 },
    ]);
    expect(read(OPENAI_COSTS_BY_DAY).ignored).toEqual([]);
  });

  test('OpenAI usage: input includes cached tokens', () => {
    expect(linesOf(OPENAI_USAGE)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'gpt-4o-2024-08-06', account: 'Assistant', key: 'key_1' },
        ...{ calls: 120, fresh: 72_000, cacheRead: 48_000, cacheWrite: 0, output: 12_000 },
      },
    ]);
  });

  test('OpenRouter activity: a row for each call, and what was billed to an own key apart', () => {
    expect(linesOf(OPENROUTER_ACTIVITY)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'openai/gpt-4o-2024-08-06', account: 'Chat', key: 'prod' },
        ...{ calls: 1, fresh: 80, cacheRead: 20, cacheWrite: 0, output: 200, usd: 0.01 },
      },
      {
        ...{ from: '2026-10-04', model: 'anthropic/claude-4.5-sonnet', account: 'Chat', key: 'prod' },
        ...{ calls: 1, fresh: 150, cacheRead: 0, cacheWrite: 0, output: 250, usd: 0.02 },
      },
    ]);
    expect(apartOf(OPENROUTER_ACTIVITY)).toEqual([['tool', 'billed by the provider (own key)', 0.5, 'USD']]);
  });
});

describe('bills of clouds', () => {
  test('Google Cloud: the cost table of an invoice, with its facts above and its sum below', () => {
    const table = read(GOOGLE_COST_TABLE);
    expect(table.rows.map(({ model, usd, fresh, output }) => [model, usd, fresh, output])).toEqual([
      ['Gemini 2.5 Flash', 1.5, 5_000_000, 0],
      ['Gemini 2.5 Flash', 2.5, 0, 1_000_000],
      ['gemini 3.5 flash lite', 0.25, 1_000_000, 0],
    ]);
    expect(table.rows[0]).toMatchObject({ account: 'acme-prod', until: (table.rows[0]?.day ?? 0) + 29 });
    expect(apartOf(GOOGLE_COST_TABLE)).toEqual([
      ['service', 'Compute Engine', 1000.005, 'USD'],
      ['credit', 'Promotional credit', -1, 'USD'],
      ['tax', 'tax', 0.9, 'USD'],
      ['restated', 'rounding error', -0.003, 'USD'],
    ]);
    const euros = read(GOOGLE_COST_TABLE.replace('Currency,USD', 'Currency,EUR'));
    expect(euros.rows.map(({ usd }) => usd)).toEqual([null, null, null]);
    expect(euros.apart.filter(({ apart }) => apart === 'currency')).toHaveLength(3);
  });

  test('Google Cloud: the BigQuery export by hour, with its credits', () => {
    expect(linesOf(GOOGLE_BIGQUERY)).toEqual([
      {
        ...{ from: '2026-10-04', model: 'Gemini 2.5 Pro', account: 'acme-prod', usd: 0.75 },
        ...{ type: 'Gemini 2.5 Pro Thinking Text Output - Predictions' },
        ...{ fresh: 0, cacheRead: 0, cacheWrite: 0, output: 50_000 },
      },
    ]);
    expect(apartOf(GOOGLE_BIGQUERY)).toEqual([['credit', 'Free trial', -0.25, 'USD']]);
  });

  test.each([
    ['version 1', AWS_CUR_1],
    ['version 2', AWS_CUR_2],
  ])(
    'AWS Cost and Usage Report %s: Amazon’s models, those of the marketplace, and the rest apart',
    (_, csv) => {
      expect(linesOf(csv)).toMatchObject([
        { from: '2026-10-04', model: 'NovaMicro', account: '111122223333', usd: 0.035, fresh: 1_000_000 },
        { from: '2026-10-04', model: 'NovaMicro', account: '111122223333', usd: 0.014, output: 100_000 },
        { from: '2026-10-04', model: 'Claude Sonnet 4.5', usd: 6.6, fresh: 2_000_000 },
        { from: '2026-10-04', model: 'Claude Sonnet 4.5', usd: 1.5 },
      ]);
      // The marketplace bills `Units`, of which the report does not say how many tokens they are.
      expect(read(csv).rows[3]).toMatchObject({ output: null, cacheRead: null });
      expect(apartOf(csv)).toEqual([
        ['tax', 'Tax', 0.5, 'USD'],
        ['credit', 'Credit', -1, 'USD'],
        ['service', 'AmazonEC2', 12.5, 'USD'],
        ['tool', 'USE1-Guardrail-ContentPolicyUnitsConsumed', 0.1, 'USD'],
      ]);
    },
  );

  test('Azure: meters in their spellings, in USD where the export converts, refunds apart', () => {
    expect(linesOf(AZURE_COSTS)).toMatchObject([
      { from: '2026-10-04', model: 'gpt 4o mini', account: 'Prod', usd: 0.15, fresh: 1_000_000 },
      { from: '2026-10-04', model: 'gpt 4o mini', usd: 0.06, output: 100_000 },
      { from: '2026-10-04', model: 'gpt 5.4 nano', usd: 0.02, cacheRead: 1_000_000 },
    ]);
    expect(apartOf(AZURE_COSTS)).toEqual([
      ['service', 'Virtual Machines', 9, 'USD'],
      ['credit', 'Refund', -2, 'USD'],
    ]);
    const euros = AZURE_COSTS.replace('costInUsd', 'ignored');
    expect(read(euros).rows.map(({ usd }) => usd)).toEqual([null, null, null]);
    expect(read(euros).apart.filter(({ apart }) => apart === 'currency')[0]).toMatchObject({
      currency: 'EUR',
      amount: 0.14,
    });
  });
});

describe('what no format reads', () => {
  test('unknown columns are named, with what is missing and what is known', () => {
    expect(() => read('usage_date_utc,model\n2026-10-01,x')).toThrow(
      'the header row matches no supported export: usage_date_utc, model; Anthropic costs also has cost_usd. Supported: Anthropic costs, Anthropic usage, OpenAI usage, OpenAI costs, OpenRouter activity, Google Cloud billing, AWS Cost and Usage Report, Azure costs, Plain CSV.',
    );
    expect(() => read(`${Array.from({ length: 14 }, (_, i) => `c${i}`).join()}\n1`)).toThrow(
      'c11 and 2 more',
    );
  });

  test('an export without a line of a model says what it has instead', () => {
    const tools = OPENAI_COSTS.split('\n').filter((line, i) => i === 0 || line.includes('web search'));
    expect(() => read(tools.join('\n'))).toThrow(
      'this OpenAI costs export has 1 rows and none bills tokens of a model; it has web search tool calls',
    );
  });

  test('numbers with thousands separators are read, others are named with their row', () => {
    const csv = 'date,model,calls,cost_usd\n2026-10-01,gpt-4o,"1,200",$3.50\n2026-10-01,gpt-4o,1e9x,1\n';
    expect(read(csv)).toMatchObject({
      rows: [{ calls: 1200, usd: 3.5 }],
      ignored: [{ row: 3, why: 'its calls is no number' }],
    });
  });

  test('numbers beyond all reason are refused like those that are none', () => {
    const csv =
      'date,model,calls,cost_usd\n2026-10-01,gpt-4o,1,1\n2026-10-01,gpt-4o,1,1e300\n0001-01-01,x,1e99,1\n';
    expect(read(csv).ignored.map(({ why }) => why)).toEqual([
      'its usd is no number',
      'its calls is no number',
    ]);
  });
});

describe('the sums of an export', () => {
  const HEAD = 'date,model,account,calls,input_tokens,cost_usd';
  const sum = (...rows: string[]) => sumExport(encode([HEAD, ...rows].join('\n')), {});

  test('are by day and model; a figure that one of the rows does not state is in none', () => {
    const { lines, parts } = sum(
      ...['2026-10-01,gpt-4o,a,1,10,1', '2026-10-01,gpt-4o,b,2,20,2', '2026-10-02,gpt-4o,a,1,10,1'],
    );
    expect(lines).toMatchObject([
      { calls: 3, fresh: 30, output: null, usd: 3, rows: 2 },
      { calls: 1, fresh: 10, output: null, usd: 1, rows: 1 },
    ]);
    expect(parts).toEqual([
      { by: 'account', name: 'a', usd: 2, rows: 2 },
      { by: 'account', name: 'b', usd: 2, rows: 1 },
    ]);
  });

  test('show lines that name no model apart where others name one, and without those as the total', () => {
    const rows = ['2026-10-01,,,1,10,2', '2026-10-01,,a,1,10,3'];
    expect(sum(...rows)).toMatchObject({ lines: [{ model: '', usd: 5 }], parts: [{ name: 'a' }], apart: [] });
    expect(sum('2026-10-01,gpt-4o,b,1,10,1', ...rows)).toMatchObject({
      lines: [{ model: 'gpt-4o', usd: 1 }],
      parts: [{ name: 'b' }],
      apart: [{ kind: 'tool', label: 'no model named', amount: 5, rows: 2 }],
    });
  });

  test.each<[string, (i: number) => string, number]>([
    ['20000 models', (i) => `2026-10-01,model-${i},a,1,10,1`, 20_001],
    ['20000 accounts', (i) => `2026-10-01,gpt-4o,account-${i},1,10,1`, 20_001],
    [
      '100000 lines by day and model',
      (i) => `2026-10-${10 + (i % 20)},model-${Math.floor(i / 20)},a,1,10,1`,
      100_001,
    ],
  ])('refuse more than %s', (most, row, count) => {
    const all = Array.from({ length: count }, (_, i) => row(i));
    expect(() => sum(...all)).toThrow(`more than ${most}`);
    expect(sum(...all.slice(1)).lines).not.toBeEmpty();
  });
});

test('a long field of blanks is read in linear time', () => {
  const name = `Bedrock${' '.repeat(1_000_000)}edition`;
  const csv = `line_item_usage_start_date,line_item_product_code,product_product_name,line_item_usage_type,line_item_unblended_cost
2026-05-01,x,"${name}",USE1-NovaLite-input-tokens,1`;
  expect(read(csv).rows).toMatchObject([{ model: 'NovaLite', usd: 1 }]);
});
