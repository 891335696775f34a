import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { eventsOf } from '../../../../src/core/events/index.ts';
import { createProject } from '../../../../src/core/projects/index.ts';
import { operatorScope } from '../../../../src/core/tenancy/index.ts';
import { erasureJob } from '../../../../src/features/erasure/jobs.ts';
import { setPricesAction } from '../../../../src/features/prices/actions.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { randomBelow } from '../../../helpers/random.ts';
import { checkFocus, checkHeader, type Row, UNPRICED_DEVIATIONS } from './check-focus.ts';
import { askFocus, billedOf, nanoOf, readFocus, sums } from './read-focus.ts';

const MONTH = '2026-06';
const FIRST = Date.UTC(2026, 5, 1);
const random = randomBelow();
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false, checkReplies: false });
});
afterAll(() => world.close());

/** A call of any kind of cost, with tags of any shape. */
function makeCall(ts: number): Record<string, unknown> {
  const [provider, model] = oneOf<readonly [string, string]>([
    ['openai', 'gpt-4o'],
    ['azure', 'gpt-4o-mini'],
    ['openai', 'gpt-4o-realtime-preview'],
    ['anthropic', 'claude-sonnet-4-5'],
    ['google', 'gemini-2.5-pro'],
    ['openai', 'whisper-1'],
    ['house', 'own-7b'],
    ['acme', 'unheard-of'],
    ['=cmd', '=model, "quoted"'],
  ]);
  const input = random(10) === 0 ? 150_000 + random(300_000) : random(9_000);
  const output = random(900);
  const usage = {
    ...(random(4) === 0 ? { server_tool_use: { web_search_requests: random(3) } } : {}),
    ...(random(5) === 0 ? { service_tier: oneOf(['batch', 'priority', 'default']) } : {}),
    ...(model.includes('realtime') ? { input_token_details: { audio_tokens: random(input + 1) } } : {}),
    ...(model === 'whisper-1' ? { seconds: random(500) } : {}),
  };
  return {
    event_id: crypto.randomUUID(),
    timestamp: new Date(ts).toISOString(),
    provider,
    model,
    status: oneOf(['success', 'success', 'success', 'error', 'cancelled']),
    user_id: `u-${random(4)}`,
    input_tokens: input,
    cached_input_tokens: random(3) === 0 ? random(input + 1) : 0,
    output_tokens: random(10) === 0 ? 0 : output,
    reasoning_tokens: random(4) === 0 ? random(output + 1) : 0,
    tags: oneOf<unknown>([
      null,
      {},
      { team: 'a' },
      { team: 'b', customer: `c${random(3)}` },
      { customer: '=1+1', team: 'ü "x", \n' },
      { flag: true, n: 7, list: ['a', null], none: null },
    ]),
    ...(random(9) === 0 ? { cost_usd: random(1e9) / 1e9 } : {}),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
  };
}

async function send(apiKey: string, events: readonly object[]): Promise<void> {
  for (let at = 0; at < events.length; at += 100) {
    const response = await world.fetch('/v1/ingest', { apiKey, events: events.slice(at, at + 100) });
    expect(response.status).toBe(202);
    expect(((await response.json()) as { rejected: unknown[] }).rejected).toEqual([]);
  }
}

const manyCalls = (count: number): object[] =>
  Array.from({ length: count }, () => makeCall(FIRST - DAY_MS + random(14 * DAY_MS)));

const ask = (format: string, month = MONTH, tenant = world.seed): Promise<Response> =>
  askFocus(world, tenant, { month, format });
const csvRows = (month = MONTH, tenant = world.seed): ReturnType<typeof readFocus> =>
  readFocus(world, tenant, month);

type Stored = {
  provider: string | null;
  model: string | null;
  timestamp: string;
  tags: Record<string, unknown>;
  counted: boolean;
  cost_usd: number | null;
};

async function storedCalls(projectId: string, bearer: string): Promise<Stored[]> {
  const path = `/v1/events/export?projectId=${projectId}&format=ndjson&start=2026-05-01&end=2026-07-01`;
  const text = await (await world.fetch(path, { bearer })).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Stored)
    .filter(({ counted, timestamp }) => counted && timestamp.startsWith(MONTH));
}

/** Text of tags, whatever the order of their names. */
function tagText(tags: Record<string, unknown> | null): string {
  const entries = Object.entries(tags ?? {}).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return JSON.stringify(entries.sort());
}

/** What spreadsheets do not take for a formula, as the CSV has it. */
const asCsv = (text: string | null): string | null =>
  text === null ? null : /^[=+\-@]/.test(text) ? `'${text}` : text;

/** The dataset is by the specification, and its costs are those of the stored calls to the nano-dollar. */
async function checkMonth(tenant = world.seed, projects = [tenant.projectId]): Promise<Row[]> {
  const { names, rows } = await csvRows(MONTH, tenant);
  expect(checkHeader(names)).toEqual([]);
  const bare = new Set(
    rows.flatMap((row, i) =>
      ['client', 'unexplained', 'summed', 'unpriced'].includes(row.x_CostStatus ?? '') ? i : [],
    ),
  );
  const faults = checkFocus(rows);
  expect(faults.filter(({ row, rule }) => !bare.has(row) || !UNPRICED_DEVIATIONS.includes(rule))).toEqual([]);
  expect(faults).toHaveLength(bare.size * UNPRICED_DEVIATIONS.length);
  expect(rows.filter(({ EffectiveCost, BilledCost }) => EffectiveCost !== BilledCost)).toEqual([]);
  const unpriced = rows.filter(({ x_CostStatus }) => x_CostStatus === 'unpriced');
  expect(unpriced.filter(({ BilledCost }) => BilledCost !== '0')).toEqual([]);
  for (const projectId of projects) {
    const own = rows.filter(({ SubAccountId }) => SubAccountId === projectId);
    const calls = await storedCalls(projectId, tenant.bearer);
    const told = sums(
      own,
      (row) =>
        JSON.stringify([
          row.ChargePeriodStart?.slice(0, 10),
          row.x_Provider,
          row.x_Model,
          tagText(row.Tags == null ? null : JSON.parse(row.Tags)),
        ]),
      (row) => nanoOf(row.BilledCost ?? null),
    );
    const stored = sums(
      calls,
      (call) =>
        JSON.stringify([
          call.timestamp.slice(0, 10),
          asCsv(call.provider),
          asCsv(call.model),
          tagText(call.tags),
        ]),
      (call) => BigInt(Math.round((call.cost_usd ?? 0) * 1e9)),
    );
    expect(told).toEqual(stored);
    const ledger = await world.fetch(
      `/v1/costs?projectId=${projectId}&start=2026-06-01T00:00:00Z&end=2026-07-01T00:00:00Z`,
      { bearer: tenant.bearer },
    );
    const { totals } = (await ledger.json()) as { totals?: { cost: number } };
    if (totals !== undefined) expect(billedOf(own)).toBe(BigInt(Math.round(totals.cost * 1e9)));
  }
  return rows;
}

async function reprice(prices: unknown[]): Promise<void> {
  await world.app.act(setPricesAction, { organization: 'Acme', prices });
  const { projectId, bearer } = world.seed;
  const at = (path: string, json?: object): Promise<Response> =>
    world.fetch(`/v1/repricings${path}?projectId=${projectId}`, {
      bearer,
      ...(json === undefined ? {} : { json }),
    });
  const until = async (path: string, json: object): Promise<string> => {
    const started = (await (await at(path, json)).json()) as { id: string };
    const isOver = async (): Promise<boolean> => {
      const { state } = (await (await at(`/${started.id}`)).json()) as { state: string };
      return !['looking', 'applying', 'undoing'].includes(state);
    };
    await eventually('the end of the work', isOver, 60_000);
    return started.id;
  };
  const range = { start: new Date(FIRST).toISOString(), end: new Date(TEST_NOW).toISOString() };
  const id = await until('', range);
  await until(`/${id}/apply`, {});
}

test('random months are by the specification and add up, after late events, new prices, re-pricing and erasure', async () => {
  const rates = { input: 0.0375, output: 1 / 3, cacheRead: 0.004, perRequest: 0.000123456 };
  await world.app.act(setPricesAction, {
    organization: 'Acme',
    prices: [{ provider: 'house', match: 'prefix', model: 'own-', rates }],
  });
  const { id: second, apiKey } = await addProject('Second, "quoted"');
  // What the prices below are told by is certain to be there; the rest is left to chance.
  const whole = { provider: 'openai', model: 'gpt-4o', status: 'success', output_tokens: 100 };
  const timestamp = new Date(FIRST + DAY_MS).toISOString();
  const certain = [
    { ...whole, timestamp },
    { ...whole, timestamp, usage: { service_tier: 'batch' } },
  ];
  await send(world.seed.apiKey, [...manyCalls(498), ...certain]);
  await send(apiKey, manyCalls(200));
  const projects = [world.seed.projectId, second];
  const rows = await checkMonth(world.seed, projects);
  const statuses = new Set(rows.map(({ x_CostStatus }) => x_CostStatus));
  expect([...statuses]).toEqual(expect.arrayContaining(['priced', 'client', 'unpriced']));
  expect(new Set(rows.map(({ SubAccountId }) => SubAccountId))).toEqual(new Set(projects));

  await send(world.seed.apiKey, manyCalls(200));
  await checkMonth(world.seed, projects);
  await reprice([
    { provider: 'acme', model: 'unheard-of', rates: { input: 3, output: 9 } },
    { provider: 'openai', model: 'gpt-4o', rates: { input: 1.25, output: 5, cacheRead: 0.1 } },
  ]);
  const repriced = await checkMonth(world.seed, projects);
  const own = repriced.filter(({ x_Model, x_PriceSource, x_Bucket }) => {
    return x_Model === 'gpt-4o' && x_PriceSource === 'override' && x_Bucket === 'output';
  });
  expect(own.length).toBeGreaterThan(0);
  const prices = new Set(own.map((row) => `${row.ContractedUnitPrice} of ${row.ListUnitPrice}`));
  // The batch tier halves both, the priority tier is dearer.
  expect([...prices]).toEqual(expect.arrayContaining(['5 of 10', '2.5 of 5']));
  expect(own.every((row) => Number(row.ListUnitPrice) === 2 * Number(row.ContractedUnitPrice))).toBe(true);
  expect(repriced.some((row) => row.x_Model === 'unheard-of' && row.SkuPriceId !== null)).toBe(true);

  const { projectId, bearer } = world.seed;
  const json = { userId: 'u-1' };
  expect((await world.fetch(`/v1/projects/${projectId}/erasures`, { bearer, json })).status).toBe(202);
  await erasureJob.run(world.ctx, new AbortController().signal);
  await checkMonth(world.seed, projects);
}, 120_000);

async function addProject(name: string): Promise<{ id: string; apiKey: string }> {
  const { organizationId, bearer } = world.seed;
  const made = await world.app.act(createProject, { organization: organizationId, name });
  const { id } = made as unknown as { id: string };
  const response = await world.fetch(`/v1/projects/${id}/keys`, { bearer, json: { name: 'key' } });
  const { key, apiKey } = (await response.json()) as { key?: string; apiKey?: string };
  return { id, apiKey: apiKey ?? key ?? '' };
}

const compressors = { ZSTD: (page: Uint8Array): Uint8Array => Bun.zstdDecompressSync(page) };

test('the Parquet file says the same as the CSV, in types that finance tools read', async () => {
  const { names, rows } = await csvRows();
  const response = await ask('parquet');
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="spanledger-focus-2026-06.parquet"',
  );
  const file = await response.arrayBuffer();
  const { schema }: FileMetaData = parquetMetadata(file);
  const [, ...columns] = schema;
  expect(columns.map(({ name }) => name)).toEqual(names);
  const typeOf = (name: string): object | undefined => columns.find((one) => one.name === name);
  expect(typeOf('BilledCost')).toMatchObject({
    repetition_type: 'REQUIRED',
    converted_type: 'DECIMAL',
    precision: 38,
    scale: 18,
  });
  expect(typeOf('ChargePeriodStart')).toMatchObject({ logical_type: { type: 'TIMESTAMP', unit: 'MILLIS' } });
  expect(typeOf('Tags')).toMatchObject({ repetition_type: 'OPTIONAL', converted_type: 'UTF8' });
  const read = await parquetReadObjects({ file, compressors });
  expect(read).toHaveLength(rows.length);
  const differences = rows.flatMap((row, i) =>
    names.flatMap((name) => {
      const [text, value] = [row[name] ?? null, read[i]?.[name] ?? null];
      return isSame(text, value) ? [] : [[i, name, text, value]];
    }),
  );
  expect(differences).toEqual([]);
});

/** Whether a cell of the CSV says what a value of the Parquet file is. */
function isSame(text: string | null, value: unknown): boolean {
  if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z` === text;
  if (typeof value === 'number' || typeof value === 'bigint')
    return text !== null && Math.abs(Number(value) - Number(text)) <= Math.abs(Number(text)) * 1e-15;
  return text === value || (typeof value === 'string' && text === asCsv(value));
}

test('calls whose rows retention has deleted are rows of their own, and the sum stays', async () => {
  const before = (await csvRows()).rows;
  const { projectId: id, organizationId } = world.seed;
  const scope = operatorScope({ id, no: 1, organizationId });
  const { signal } = new AbortController();
  await eventsOf(world.ctx).deleteBefore(scope, FIRST + 4 * DAY_MS, { signal });
  const after = (await csvRows()).rows;
  expect(billedOf(after)).toBe(billedOf(before));
  const summed = after.filter(({ x_CostStatus }) => x_CostStatus === 'summed');
  expect(summed.length).toBeGreaterThan(3);
  expect(summed.every(({ Tags, SkuPriceId }) => Tags === null && SkuPriceId === null)).toBe(true);
  const calls = (rows: readonly Row[]): number =>
    rows.reduce((all, { x_CallCount }) => all + Number(x_CallCount ?? 0), 0);
  expect(calls(after)).toBeGreaterThanOrEqual(calls(before));
});

test('a month without calls has the columns all the same, in both formats', async () => {
  const { names, rows } = await csvRows('2025-01');
  expect(checkHeader(names)).toEqual([]);
  expect(rows).toEqual([]);
  const file = await (await ask('parquet', '2025-01')).arrayBuffer();
  expect(Number(parquetMetadata(file).num_rows)).toBe(0);
});

test('what is no month or format is refused with what to send', async () => {
  for (const month of ['', '2026', '2026-13', '2026-6', '1999-01', '2026-06-01', 'now']) {
    const response = await ask('csv', month);
    expect([month, response.status]).toEqual([month, 400]);
    expect(((await response.json()) as { error: string }).error).toContain('2026-10');
  }
  expect((await ask('xlsx')).status).toBe(400);
});

test('another organization has its own rows only, and sees nothing of others', async () => {
  const other = await world.addTenant('Other');
  expect((await csvRows(MONTH, other)).rows).toEqual([]);
  await send(other.apiKey, [
    { provider: 'openai', model: 'gpt-4o', timestamp: new Date(FIRST).toISOString(), input_tokens: 1_000 },
  ]);
  const rows = await checkMonth(other);
  expect(
    rows.map(({ BillingAccountName, ContractedUnitPrice }) => [BillingAccountName, ContractedUnitPrice]),
  ).toEqual([['Other', '2.5']]);
  const path = `/v1/organizations/${world.seed.organizationId}/focus?month=${MONTH}`;
  expect((await world.fetch(path, { bearer: other.bearer })).status).toBe(403);
});

test('an organization has two exports at once, and one that is left early makes room', async () => {
  const open = await Promise.all([ask('csv'), ask('csv')]);
  const refused = await ask('csv');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  for (const { body } of open) await body?.cancel();
  const again = await ask('csv');
  expect(again.status).toBe(200);
  await again.text();
});
