import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import type { CostsReply, ErrorsReply, OverviewReply } from '../src/features/analytics/contract.ts';
import type { PerformanceReply } from '../src/features/analytics/performance/contract.ts';
import { eventStoreEnv, isOnClickhouse } from './helpers/event-store-env.ts';
import { eventually } from './helpers/eventually.ts';
import { openFolder } from './helpers/folder.ts';
import { randomBelow } from './helpers/random.ts';
import { at, costOf, groupBy, isFailure, recount, type Sent, sum } from './helpers/recount.ts';
import { initLedger, type Ledger, type RunningServer, runJob, startServer } from './helpers/server.ts';
import { storageFaults, storedEvents } from './helpers/stored-events.ts';
import { sumFaults } from './helpers/stored-sums.ts';

// 3,000 random calls go in over HTTP, late, out of order and partly twice; every read must give what an
// independent recount gives, over several windows, and again after a kill -9 in the middle of more of them.
const CALLS = 3_000;
const PATIENCE_MS = isOnClickhouse ? 900_000 : 60_000;
const HOUR = 3_600_000;
const NOW = Date.now();
const email = 'ada@example.com';
const password = 'correct horse battery';
const folder = openFolder();
const db = folder.path('recount.db');
let ledger: Ledger;
let server: RunningServer;
let bearer: string;
let sent: Sent[];

const random = randomBelow();
const chance = (p: number): boolean => random(1_000_000) < p * 1_000_000;
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];

function makeCall(): Sent {
  const status: Sent['status'] = oneOf([
    'success',
    'success',
    'success',
    'success',
    'error',
    'timeout',
    'rate_limited',
    'cancelled',
  ]);
  const stream = chance(0.5);
  const latency_ms = 1 + random(30_000) / 4;
  const input_tokens = random(5_000);
  const failed = status !== 'success' && status !== 'cancelled';
  return {
    event_id: crypto.randomUUID(),
    trace_id: crypto.randomUUID(),
    // 40 days, so that the default window of 30 leaves some out; many share a millisecond.
    timestamp: new Date(NOW - Math.floor(random(40 * 24 * 3600) / 7) * 7_000).toISOString(),
    provider: oneOf(['openai', 'openai', 'acme']),
    model: oneOf(['gpt-4o', 'gpt-4o-mini', 'unheard-of']),
    status,
    ...(failed ? { error_code: oneOf(['server_error', 'overloaded', 'too_long']) } : {}),
    environment: oneOf(['production', 'staging']),
    user_id: `user-${random(20)}`,
    latency_ms,
    ...(stream ? { ttft_ms: latency_ms / 4 } : {}),
    stream,
    input_tokens,
    cached_input_tokens: random(input_tokens + 1),
    output_tokens: chance(0.2) ? 0 : random(2_000),
    ...(chance(0.05) ? { cost_usd: random(1_000_000) / 1e6 } : {}),
  };
}

/** Of acme nothing is priced, whatever the model is called. */
const withProvider = (call: Sent): Sent =>
  call.provider === 'acme' ? { ...call, model: `acme-${call.model}` } : call;

/** Batches that were acknowledged. */
let stored = 0;

async function post(batch: readonly Sent[]): Promise<number> {
  const body = gzipSync(batch.map((call) => JSON.stringify(call)).join('\n'));
  const response = await fetch(`${server.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': ledger.apiKey },
    body,
  });
  if (response.status === 202) stored += 1;
  return response.status;
}

async function sendAll(calls: readonly Sent[]): Promise<void> {
  const twice = calls.filter(() => chance(0.1));
  const shuffled = [...calls, ...twice]
    .map((call) => [random(2 ** 32), call] as const)
    .sort(([a], [b]) => a - b)
    .map(([, call]) => call);
  const batches = Array.from({ length: Math.ceil(shuffled.length / 97) }, (_, i) =>
    shuffled.slice(i * 97, (i + 1) * 97),
  );
  const run = async (): Promise<void> => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop())
      expect(await post(batch)).toBe(202);
  };
  await Promise.all([run(), run(), run()]);
}

async function signIn(): Promise<void> {
  const response = await fetch(`${server.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  bearer = ((await response.json()) as { token: string }).token;
}

async function read<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const search = new URLSearchParams({ projectId: ledger.projectId });
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const response = await fetch(`${server.url}${path}?${search}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

beforeAll(async () => {
  // Commands and servers of this file inherit it.
  Object.assign(process.env, await eventStoreEnv(folder.path('.')));
  ledger = await initLedger(db, email, password);
  server = await startServer(db);
  sent = Array.from({ length: CALLS }, () => withProvider(makeCall()));
  await sendAll(sent);
  await signIn();
}, PATIENCE_MS);
afterAll(async () => {
  await server.end('SIGTERM');
  folder.remove();
});

type Window = { start: string; end: string };
const window = (from: number, to: number): Window => ({
  start: new Date(from).toISOString(),
  end: new Date(to).toISOString(),
});
/** The whole time, odd pieces that start and end inside hours, single instants, and nothing. */
const windows = (): Window[] => [
  window(NOW - 41 * 24 * HOUR, NOW),
  window(NOW - 37 * HOUR - 1_234_567, NOW - 1_234),
  window(NOW - 20 * 24 * HOUR - 17, NOW - 11 * 24 * HOUR - 999_999),
  window(NOW - 5 * HOUR - 1, NOW - 4 * HOUR - 59 * 60_000),
  window(at(sent[0] as Sent), at(sent[0] as Sent)),
  window(NOW - 60 * 24 * HOUR, NOW - 50 * 24 * HOUR),
];
const within = ({ start, end }: Window): ((call: Sent) => boolean) => {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return (call) => at(call) >= from && at(call) <= to;
};
const inside = (one: Window): Sent[] => sent.filter(within(one));

const close = (value: number, expected: number): void => {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
};

async function checkOverview(): Promise<void> {
  for (const one of windows()) {
    const calls = inside(one);
    const all = recount(calls);
    const reply = await read<OverviewReply>(`/v1/projects/${ledger.projectId}/overview`, one);
    expect(reply.kpis).toMatchObject({ totalRequests: all.requests, unpriced: all.unpriced });
    close(reply.kpis.totalCost, all.cost);
    // Latencies are summed in whole microseconds.
    expect(Math.abs(reply.kpis.avgLatency - all.avgLatency)).toBeLessThan(0.001);
    close(reply.kpis.errorRate, all.errorRate);
    const size = { '1m': HOUR / 60, '5m': HOUR / 12, hour: HOUR, day: 24 * HOUR }[reply.bucket];
    const buckets = groupBy(calls, (call) => new Date(Math.floor(at(call) / size) * size).toISOString());
    expect(sum(reply.timeline.map((entry) => entry.requests))).toBe(all.requests);
    for (const entry of reply.timeline) {
      const held = buckets.get(entry.hour) ?? [];
      expect([entry.hour, entry.requests, entry.errors]).toEqual([
        entry.hour,
        held.length,
        held.filter(isFailure).length,
      ]);
      close(entry.cost, recount(held).cost);
    }
    const recent = calls
      .filter((call) => call.status !== 'success')
      .map(at)
      .sort((a, b) => b - a)
      .slice(0, 10);
    expect(reply.recentErrors.map((error) => Date.parse(error.timestamp))).toEqual(recent);
    const models = [...groupBy(calls, (call) => call.model).values()].map((some) => recount(some).cost);
    expect(reply.topModels).toHaveLength(Math.min(5, models.length));
    for (const [i, cost] of models
      .sort((a, b) => b - a)
      .slice(0, 5)
      .entries())
      close(reply.topModels[i]?.cost ?? -1, cost);
  }
}

async function checkCosts(): Promise<void> {
  for (const one of windows()) {
    const calls = inside(one);
    const reply = await read<CostsReply>('/v1/costs', one);
    const byModel = groupBy(calls, (call) => call.model);
    expect(reply.byModel.map((entry) => entry.model).sort()).toEqual([...byModel.keys()].sort());
    for (const entry of reply.byModel) {
      const all = recount(byModel.get(entry.model) ?? []);
      expect([entry.calls, entry.unpriced]).toEqual([all.requests, all.unpriced]);
      close(entry.total_cost, all.cost);
      const priced = all.requests - all.unpriced;
      if (priced === 0) expect(entry.avg_cost).toBeNull();
      else close(entry.avg_cost ?? -1, all.cost / priced);
    }
    expect(reply.byModel.map((entry) => entry.total_cost)).toEqual(
      reply.byModel.map((entry) => entry.total_cost).sort((a, b) => b - a),
    );
    const days = groupBy(calls, (call) => call.timestamp.slice(0, 10));
    for (const { date, cost } of reply.dailyTrend) close(cost, recount(days.get(date) ?? []).cost);
    close(sum(reply.dailyTrend.map((day) => day.cost)), recount(calls).cost);
    close(reply.cacheRate, recount(calls).cacheRate);
    const month = new Date().toISOString().slice(0, 7);
    close(reply.mtdTotal, recount(sent.filter((call) => call.timestamp.startsWith(month))).cost);
    expect(reply.unpriced).toBe(recount(calls).unpriced);
    close(reply.forecast30d, forecastOf());
  }
}

/** The line through the last 30 full days, by the textbook's normal equations. */
function forecastOf(): number {
  const today = Math.floor(Date.now() / (24 * HOUR));
  const points = Array.from({ length: 30 }, (_, x) => {
    const day = sent.filter((call) => Math.floor(at(call) / (24 * HOUR)) === today - 30 + x);
    return { x, y: recount(day).cost };
  });
  const n = points.length;
  const sx = sum(points.map(({ x }) => x));
  const sy = sum(points.map(({ y }) => y));
  const slope =
    (n * sum(points.map(({ x, y }) => x * y)) - sx * sy) / (n * sum(points.map(({ x }) => x * x)) - sx * sx);
  const intercept = (sy - slope * sx) / n;
  return Math.max(0, sum(Array.from({ length: 30 }, (_, i) => intercept + slope * (30 + i))));
}

async function checkPerformance(): Promise<void> {
  for (const one of windows()) {
    const all = recount(inside(one));
    const reply = await read<PerformanceReply>('/v1/performance', one);
    expect(reply.latencyPercentiles).toMatchObject({ p50: all.p50, p90: all.p90, p99: all.p99 });
    expect(Math.abs(reply.avgTtft - all.avgTtft)).toBeLessThan(0.001);
    expect(Math.abs(reply.tokensPerSec - all.tokensPerSec)).toBeLessThanOrEqual(1e-4 * all.tokensPerSec);
    close(reply.timeoutRate, all.timeoutRate);
  }
}

async function checkErrors(): Promise<void> {
  for (const one of windows()) {
    const failed = inside(one).filter(isFailure);
    const groups = groupBy(failed, (call) => call.error_code ?? call.status);
    const reply = await read<ErrorsReply>('/v1/errors', one);
    const counts = reply.errorGroups.map(({ error_code, count }) => [error_code, count] as const);
    expect(new Map(counts)).toEqual(new Map([...groups].map(([code, calls]) => [code, calls.length])));
    expect(counts.map(([, count]) => count)).toEqual(counts.map(([, count]) => count).sort((a, b) => b - a));
    const limited = groupBy(
      failed.filter((call) => call.status === 'rate_limited'),
      (call) => new Date(Math.floor(at(call) / HOUR) * HOUR).toISOString(),
    );
    const map = reply.rateLimitHeatmap.filter((entry) => entry.rate_limited_count > 0);
    expect(new Map(map.map((entry) => [entry.hour, entry.rate_limited_count]))).toEqual(
      new Map([...limited].map(([hour, calls]) => [hour, calls.length])),
    );
  }
}

type Page = { events: (Sent & { cost_usd: number | null })[]; nextCursor: string | null; total: number };

async function checkEvents(): Promise<void> {
  const [, odd = window(0, 1)] = windows();
  const filters: [Record<string, string>, (call: Sent) => boolean][] = [
    [{}, () => true],
    [{ model: 'gpt-4o' }, (call) => call.model === 'gpt-4o'],
    [{ status: 'timeout' }, (call) => call.status === 'timeout'],
    [
      { environment: 'staging', userId: 'user-3' },
      (call) => call.environment === 'staging' && call.user_id === 'user-3',
    ],
    [odd, within(odd)],
    [{ ...odd, userId: 'user-3' }, (call) => within(odd)(call) && call.user_id === 'user-3'],
  ];
  for (const [query, matches] of filters) {
    const expected = sent.filter(matches);
    const found: Page['events'] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await read<Page>('/v1/events', {
        ...query,
        limit: 200,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.total).toBe(expected.length);
      found.push(...page.events);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found.map((event) => event.event_id)).toEqual(
      [...expected]
        .sort((a, b) => at(b) - at(a) || (a.event_id < b.event_id ? 1 : -1))
        .map((call) => call.event_id),
    );
    const byId = new Map(expected.map((call) => [call.event_id, call]));
    for (const event of found) {
      const call = byId.get(event.event_id) as Sent;
      const { cost_usd, ...rest } = call;
      expect(event).toMatchObject(rest);
      const cost = costOf(call);
      if (cost === null) expect(event.cost_usd).toBeNull();
      else expect(Math.abs((event.cost_usd ?? -1) - cost)).toBeLessThan(3e-9);
    }
  }
}

/** Seals what is of earlier days; today's events stay in the log. */
async function seal(): Promise<void> {
  expect((await runJob(db, 'events.seal_log')).code).toBe(0);
}

async function checkAll(): Promise<void> {
  await checkEvents();
  await Promise.all([checkOverview(), checkCosts(), checkPerformance(), checkErrors()]);
}

describe('every read equals an independent recount', () => {
  test('GET /v1/events, paged, with each filter', () => checkEvents(), PATIENCE_MS);
  test('GET /v1/projects/:id/overview', () => checkOverview());
  test('GET /v1/costs', () => checkCosts());
  test('GET /v1/performance', () => checkPerformance());
  test('GET /v1/errors', () => checkErrors());

  test(
    'also when earlier days are sealed',
    async () => {
      await seal();
      const sealed = storedEvents(db).filter(({ segment }) => segment !== null);
      if (!isOnClickhouse) expect(sealed.length).toBeGreaterThan(CALLS / 2);
      await checkAll();
    },
    PATIENCE_MS,
  );

  test(
    'also after kill -9 in the middle of ingest and a restart',
    async () => {
      const more = Array.from({ length: CALLS }, () => withProvider(makeCall()));
      const before = stored;
      const sending = sendAll(more).catch(() => undefined);
      await eventually('a few batches stored', () => stored >= before + 5, PATIENCE_MS);
      await server.end('SIGKILL');
      await sending;
      server = await startServer(db);
      await sendAll(more);
      sent = [...sent, ...more];
      await signIn();
      await checkAll();
      await seal();
      await checkAll();
      if (isOnClickhouse) return;
      const rows = storedEvents(db);
      expect(rows.length).toBe(sent.length);
      expect([...storageFaults(db, rows), ...sumFaults(db, rows)]).toEqual([]);
    },
    PATIENCE_MS,
  );
});
