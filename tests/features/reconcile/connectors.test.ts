import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Writable } from 'node:stream';
import pino from 'pino';
import { deliveries } from '../../../src/core/deliveries/table.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import type { Drift } from '../../../src/features/reconcile/connectors/contract.ts';
import { fetchConnectors } from '../../../src/features/reconcile/connectors/job.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import {
  anthropicCost,
  anthropicUsage,
  openaiCost,
  openaiUsage,
  openrouterRow,
  openStandIn,
  type StandIn,
} from './stand-in.ts';

const KEYS = { anthropic: 'sk-ant-admin-secret', openai: 'sk-admin-secret', openrouter: 'sk-or-secret' };
const ANTHROPIC = '/v1/organizations/cost_report';
const ANTHROPIC_USAGE = '/v1/organizations/usage_report/messages';
const OPENAI = '/v1/organization/costs';
const COMPLETIONS = '/v1/organization/usage/completions';

let standIn: StandIn;
let world: TestApp;
let logged = '';

beforeAll(async () => {
  standIn = openStandIn();
  const entry = (provider: keyof typeof KEYS, more: object = {}) => ({
    ...{ id: provider, provider, key: KEYS[provider], organization: 'Acme', url: standIn.url, ...more },
  });
  const connectors = [
    entry('anthropic', { accounts: ['default', 'wrkspc_1'] }),
    entry('openai', { accounts: ['proj_a'] }),
    entry('openrouter', { projects: ['Acme project'] }),
  ];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk);
      done();
    },
  });
  world = await openTestApp({
    env: { CONNECTORS: JSON.stringify(connectors), SESSION_TTL_SECONDS: '8000000' },
    log: pino({ level: 'debug' }, stream),
  });
}, 30_000);
afterAll(async () => {
  await world.close();
  await standIn.stop();
});

const day = (back: number): string => new Date(TEST_NOW - back * DAY_MS).toISOString().slice(0, 10);
const fetchAll = () => runJob(world.ctx, fetchConnectors, 'manual');
const drift = async (query = ''): Promise<Drift> => {
  const path = `/v1/drift?organizationId=${world.seed.organizationId}${query}`;
  const response = await world.fetch(path, { bearer: world.seed.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as Drift;
};
const record = async (back: number, calls: number, call: object): Promise<void> => {
  const events = Array.from({ length: calls }, () => ({ timestamp: `${day(back)}T10:00:00Z`, ...call }));
  const { status } = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  expect(status).toBe(202);
};
/** $0.015: 10,000 x 1 + 1,000 x 5 millionths. */
const haiku = {
  ...{
    provider: 'anthropic',
    model: 'claude-haiku-4-5-20251001',
    input_tokens: 10_000,
    output_tokens: 1_000,
  },
};
/** $0.035: 10,000 x 2.50 + 1,000 x 10 millionths. */
const gpt = { provider: 'openai', model: 'gpt-4o-2024-08-06', input_tokens: 10_000, output_tokens: 1_000 };

describe('connectors', () => {
  test('fetch all pages of each provider as it documents them, and compare by day and model', async () => {
    await record(5, 100, haiku);
    await record(4, 100, gpt);
    standIn.reports[ANTHROPIC] = {
      [day(5)]: [
        anthropicCost('claude-haiku-4-5-20251001', '100.0'),
        anthropicCost('claude-haiku-4-5-20251001', '50.00', { workspace_id: 'wrkspc_1' }),
        anthropicCost('claude-haiku-4-5-20251001', '999', { workspace_id: 'wrkspc_other' }),
        anthropicCost(null, '20.5'),
      ],
    };
    standIn.reports[ANTHROPIC_USAGE] = {
      [day(5)]: [
        anthropicUsage('claude-haiku-4-5-20251001', {
          ...{ uncached_input_tokens: 1_000_000, output_tokens: 100_000 },
        }),
      ],
    };
    standIn.reports[OPENAI] = {
      [day(4)]: [
        openaiCost('gpt-4o-2024-08-06, input', 2.5),
        openaiCost('gpt-4o-2024-08-06, output', 2),
        openaiCost('web search tool calls', 0.25),
        openaiCost('gpt-4o-2024-08-06, output', 9, { project_id: 'proj_other' }),
      ],
    };
    standIn.reports[COMPLETIONS] = {
      [day(4)]: [
        openaiUsage('gpt-4o-2024-08-06', {
          ...{ input_tokens: 1_000_000, output_tokens: 200_000, num_model_requests: 120 },
        }),
      ],
    };
    standIn.reports['/api/v1/activity'] = {
      [day(3)]: [
        openrouterRow(day(3), 'openai/gpt-4.1', { usage: 3, byok_usage_inference: 0.5, requests: 7 }),
      ],
    };
    const channel = {
      name: 'ops',
      kind: 'email',
      config: { to: ['ops@example.com'] },
      types: ['reconcile.drift'],
    };
    const path = `/v1/channels?organizationId=${world.seed.organizationId}`;
    expect((await world.fetch(path, { bearer: world.seed.bearer, json: channel })).status).toBe(201);
    const run = await fetchAll();
    expect(run).toMatchObject({
      status: 'ok',
      result: { connectors: 3, figures: 6, restated: 0, warned: 2 },
    });
    // Channels that subscribe are told.
    const told = await world.ctx.db.sql.select().from(deliveries);
    expect(
      told.map(({ type, data }) => [type, (data as { differences: unknown[] }).differences.length]),
    ).toEqual([
      ['reconcile.drift', 1],
      ['reconcile.drift', 1],
    ]);
    const headersOf = (path: string) => standIn.requests.find((one) => one.path === path)?.headers;
    expect(headersOf(ANTHROPIC)?.get('x-api-key')).toBe(KEYS.anthropic);
    expect(headersOf(ANTHROPIC)?.get('anthropic-version')).toBe('2023-06-01');
    expect(headersOf(OPENAI)?.get('authorization')).toBe(`Bearer ${KEYS.openai}`);
    const asked = standIn.requests.find((one) => one.path === ANTHROPIC)?.query;
    expect(asked?.getAll('group_by[]')).toEqual(['workspace_id', 'description']);
    expect([asked?.get('starting_at'), asked?.get('ending_at')]).toEqual([
      `${day(92)}T00:00:00.000Z`,
      `${day(0)}T00:00:00.000Z`,
    ]);
    // 92 days by seven.
    expect(standIn.requests.filter((one) => one.path === COMPLETIONS)).toHaveLength(14);
    const doc = await drift();
    expect(doc.lines).toMatchObject([
      {
        connector: 'openrouter',
        day: day(3),
        model: 'openai/gpt-4.1',
        providerUsd: 3,
        ledgerUsd: 0,
        providerCalls: 7,
      },
      {
        connector: 'openai',
        day: day(4),
        model: 'gpt-4o',
        providerUsd: 4.5,
        ledgerUsd: 3.5,
        providerCalls: 120,
      },
      { connector: 'anthropic', day: day(5), model: 'claude-haiku-4-5', providerUsd: 1.5, ledgerUsd: 1.5 },
    ]);
    expect(doc.lines.map(({ reasons, over }) => [over, reasons.map(({ code }) => code)])).toEqual([
      [true, ['missing_events']],
      [true, ['missing_events']],
      [false, []],
    ]);
    expect(doc.total).toMatchObject({ providerUsd: 9, ledgerUsd: 5, driftUsd: -4 });
    expect(doc.days.map((one) => [one.day, one.driftUsd])).toEqual([
      [day(5), 0],
      [day(4), -1],
      [day(3), -3],
    ]);
    expect(doc.counts).toEqual({ lines: 3, differing: 2, over: 2, restated: 0 });
    expect(doc.apart).toEqual([
      {
        ...{ connector: 'openrouter', kind: 'tool', label: 'billed by the provider (own key)' },
        ...{ currency: 'USD', amount: 0.5 },
      },
      { connector: 'openai', kind: 'tool', label: 'web search tool calls', currency: 'USD', amount: 0.25 },
      { connector: 'anthropic', kind: 'tool', label: 'web_search', currency: 'USD', amount: 0.205 },
    ]);
    expect(doc.connectors.map(({ id, error, from, to }) => [id, error, from, to])).toEqual([
      ['anthropic', null, day(92), day(1)],
      ['openai', null, day(92), day(1)],
      ['openrouter', null, day(30), day(1)],
    ]);
  });

  test('a settled day that the provider changes is restated; a warning is cleared when both agree', async () => {
    const warnings = async () =>
      (await drift()).warnings.map(({ connector, clearedAt }) => [connector, clearedAt !== null]);
    expect((await warnings()).sort()).toEqual([
      ['openai', false],
      ['openrouter', false],
    ]);
    standIn.requests.length = 0;
    const costs = standIn.reports[OPENAI] as Record<string, object[]>;
    costs[day(4)] = [openaiCost('gpt-4o-2024-08-06, input', 3.5), openaiCost('web search tool calls', 0.25)];
    const usage = standIn.reports[COMPLETIONS] as Record<string, object[]>;
    usage[day(4)] = [
      openaiUsage('gpt-4o-2024-08-06', {
        ...{ input_tokens: 1_000_000, output_tokens: 100_000, num_model_requests: 100 },
      }),
    ];
    expect(await fetchAll()).toMatchObject({ result: { figures: 6, restated: 1, warned: 0 } });
    // Only the last 35 days.
    expect(standIn.requests.filter(({ path }) => path === COMPLETIONS)).toHaveLength(5);
    const { lines, counts } = await drift('&connector=openai');
    expect(counts).toEqual({ lines: 1, differing: 0, over: 0, restated: 1 });
    expect(lines).toMatchObject([
      {
        ...{ providerUsd: 3.5, ledgerUsd: 3.5, restatedFromUsd: 4.5, over: false, reasons: [] },
        restatedAt: new Date(TEST_NOW).toISOString(),
      },
    ]);
    expect((await warnings()).sort()).toEqual([
      ['openai', true],
      ['openrouter', false],
    ]);
    // What the provider takes back stays, as nothing.
    standIn.reports['/api/v1/activity'] = {};
    expect(await fetchAll()).toMatchObject({ result: { restated: 2 } });
    expect((await drift('&connector=openrouter')).lines).toMatchObject([
      { providerUsd: 0, restatedFromUsd: 3, ledgerUsd: 0 },
    ]);
  });

  test('a provider that is busy is asked again after the pause that it names', async () => {
    const busy = () => new Response('slow down', { status: 429, headers: { 'retry-after': '0' } });
    const date = () =>
      new Response('overloaded', { status: 529, headers: { 'retry-after': new Date(0).toUTCString() } });
    standIn.first.push(busy, date, busy);
    expect(await fetchAll()).toMatchObject({ status: 'ok' });
    expect(standIn.first).toEqual([]);
  });

  test('what fails is named, the other connectors and the figures before stay, and no key is told', async () => {
    const before = (await drift()).lines;
    const faults: [() => Response, string][] = [
      [
        () => new Response(`Incorrect API key ${KEYS.anthropic}`, { status: 401 }),
        'refused the key (401): use an admin key (sk-ant-admin…) of the organization',
      ],
      [() => new Response('no', { status: 404 }), `has no ${ANTHROPIC} (404): check the url`],
      [() => new Response('<html>', { status: 200 }), `the reply to ${ANTHROPIC} is not JSON`],
      [
        () => Response.json({ data: [{ starting_at: 'x', results: [{ amount: 5 }] }], has_more: false }),
        `the reply to ${ANTHROPIC} is not as documented: data.0.results.0.amount: invalid_type`,
      ],
      [
        () => Response.json({ data: [], has_more: true, next_page: null }),
        `${ANTHROPIC} has more pages and does not name the next one`,
      ],
      [
        () => new Response('', { status: 429, headers: { 'retry-after': '86400' } }),
        `answered 429 to ${ANTHROPIC} (1 attempt)`,
      ],
      [
        () => new Response('', { status: 302, headers: { location: 'https://evil.example' } }),
        'answered 302',
      ],
      [() => new Response('x'.repeat(4_000_001)), 'is longer than 4000000 bytes'],
    ];
    for (const [reply, why] of faults) {
      standIn.first.push(reply);
      const run = await fetchAll();
      expect(run.status).toBe('failed');
      expect((run.result as { error: string }).error).toContain('1 of 3 connectors failed: anthropic: ');
      const states = (await drift()).connectors;
      expect(states.map(({ id, error }) => [id, error !== null])).toEqual([
        ['anthropic', true],
        ['openai', false],
        ['openrouter', false],
      ]);
      expect(states[0]?.error).toContain(why);
      expect(states[0]?.succeededAt).not.toBeNull();
    }
    expect((await drift()).lines).toEqual(before);
    expect(await fetchAll()).toMatchObject({ status: 'ok' });
    expect((await drift()).connectors[0]?.error).toBeNull();
    const stored = await world.ctx.db.sql.all('SELECT * FROM audit_log');
    const runs = JSON.stringify(await world.ctx.db.sql.all('SELECT * FROM job_runs'));
    for (const key of Object.values(KEYS))
      for (const text of [logged, JSON.stringify(stored), runs, JSON.stringify(await drift())])
        expect(text).not.toContain(key);
    expect(logged).toContain('a job failed');
  });

  test('a project that the organization has no more is named', async () => {
    const rename = (name: string) =>
      world.fetch(`/v1/projects/${world.seed.projectId}`, {
        method: 'PUT',
        bearer: world.seed.bearer,
        json: { name },
      });
    expect((await rename('Other')).status).toBe(200);
    expect((await fetchAll()).status).toBe('failed');
    const [, , last] = (await drift()).connectors;
    expect(last?.error).toBe(
      'the organization has no project Acme project: correct projects of the connector',
    );
    await rename('Acme project');
    expect((await fetchAll()).status).toBe('ok');
  });

  test('are of the organization that the operator names', async () => {
    const other = await world.addTenant();
    const ask = (path: string, bearer = other.bearer) =>
      world.fetch(`${path}?organizationId=${other.organizationId}`, { bearer });
    expect(await (await ask('/v1/connectors')).json()).toEqual({ connectors: [] });
    expect(await (await ask('/v1/drift')).json()).toMatchObject({ connectors: [], lines: [], warnings: [] });
    expect((await ask('/v1/drift', world.seed.bearer)).status).toBe(403);
    const foreign = `/v1/drift?organizationId=${other.organizationId}&connector=openai`;
    expect((await world.fetch(foreign, { bearer: other.bearer })).status).toBe(404);
  });

  test('warn from the threshold of the organization on, and refuse days that are none', async () => {
    const path = `/v1/drift/threshold?organizationId=${world.seed.organizationId}`;
    const put = (json: object) => world.fetch(path, { method: 'PUT', bearer: world.seed.bearer, json });
    expect(await (await put({ percent: 2, usd: 0.5 })).json()).toEqual({ percent: 2, usd: 0.5 });
    expect((await put({ percent: 0, usd: 1 })).status).toBe(400);
    await record(6, 60, haiku);
    await fetchAll();
    // Nothing was fetched of day 6: the first day with a figure is day 5.
    expect((await drift()).lines.some((line) => line.day === day(6))).toBe(false);
    await record(5, 40, haiku);
    expect(await fetchAll()).toMatchObject({ result: { warned: 1 } });
    const [line] = (await drift('&connector=anthropic')).lines;
    expect(line).toMatchObject({ over: true, reasons: [{ code: 'more_events' }] });
    for (const query of [
      '&from=2026-13-01',
      '&from=yesterday',
      `&from=${day(1)}&to=${day(2)}`,
      '&from=2020-01-01',
    ])
      expect([
        query,
        (
          await world.fetch(`/v1/drift?organizationId=${world.seed.organizationId}${query}`, {
            bearer: world.seed.bearer,
          })
        ).status,
      ]).toEqual([query, 400]);
  });

  test('days after the last fetched one are not compared, and the next success fetches all of them', async () => {
    const ended = await drift('&connector=anthropic');
    world.clock.set(TEST_NOW + 60 * DAY_MS);
    for (const back of [-1, -20]) await record(back, 100, haiku);
    expect((await drift(`&connector=anthropic&from=${ended.from}`)).total).toEqual(ended.total);
    const missed = standIn.reports[ANTHROPIC] as Record<string, object[]>;
    missed[day(-20)] = [anthropicCost('claude-haiku-4-5-20251001', '150.0')];
    expect(await fetchAll()).toMatchObject({ status: 'ok' });
    const after = await drift(`&connector=anthropic&from=${day(-1)}&to=${day(-20)}`);
    expect(after.lines.find((line) => line.day === day(-20))).toMatchObject({
      ...{ providerUsd: 1.5, ledgerUsd: 1.5, over: false },
    });
  });

  test('a warning that comes again has the amounts of that time', async () => {
    const costs = standIn.reports[ANTHROPIC] as Record<string, object[]>;
    const warning = async () =>
      (await drift('&connector=anthropic')).warnings.find((one) => one.day === day(-50));
    await record(-50, 100, haiku);
    for (const [cents, usd] of [
      ['900.0', 9],
      ['150.0', 9],
      ['700.0', 7],
    ] as const) {
      costs[day(-50)] = [anthropicCost('claude-haiku-4-5-20251001', cents)];
      expect(await fetchAll()).toMatchObject({ status: 'ok' });
      expect(await warning()).toMatchObject({ providerUsd: usd, ledgerUsd: 1.5 });
    }
  });
});
