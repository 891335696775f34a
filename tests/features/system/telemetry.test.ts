import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jobsOf, runJob } from '../../../src/core/jobs/index.ts';
import { modules } from '../../../src/features.ts';
import { createOwnSpans, type OwnSpan, ownError, requestSpan } from '../../../src/http/own-spans.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { TEST_SEED } from '../../helpers/random.ts';

type Sent = { path: string; headers: Record<string, string>; text: string };
type Attribute = { key: string; value: { stringValue?: string; intValue?: string } };
type Span = {
  name: string;
  traceId: string;
  spanId: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
  events?: { name: string; attributes: Attribute[] }[];
};

const sent: Sent[] = [];
let status = 200;
let collector: ReturnType<typeof Bun.serve>;
let world: TestApp;
const TOKEN = 'collector-secret-1';
const PRIVATE = 'kept-to-ourselves';
beforeAll(async () => {
  collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      sent.push({ path: pathname, headers: request.headers.toJSON(), text: await request.text() });
      return new Response('{}', { status });
    },
  });
  world = await openTestApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${TOKEN},x-tenant=a%20b`,
    },
  });
});
afterAll(async () => {
  await collector.stop(true);
  await world.close();
});

const job = jobsOf(modules).find(({ name }) => name === 'system.export_traces');
const send = async (app: TestApp = world): Promise<{ status: string; result: unknown }> => {
  if (job === undefined) throw new Error('no such job');
  return runJob(app.ctx, job, 'schedule');
};
const spansOf = ({ text }: Sent): Span[] =>
  (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
    ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
  );
const textOf = ({ attributes }: Pick<Span, 'attributes'>, key: string): string | undefined => {
  const found = attributes.find((one) => one.key === key)?.value;
  return found?.stringValue ?? found?.intValue;
};

test('sends requests by route and failed jobs, and nothing that a tenant or a secret is in', async () => {
  await world.fetch(`/v1/costs?projectId=${world.seed.projectId}`, { bearer: world.seed.bearer });
  await world.fetch(`/v1/events/${PRIVATE}?projectId=${world.seed.projectId}`, { bearer: world.seed.bearer });
  await world.fetch('/v1/ingest', {
    apiKey: world.seed.apiKey,
    events: [{ model: PRIVATE, provider: 'openai', user_id: PRIVATE }],
  });
  await world.fetch(`/${PRIVATE}`);
  await world.fetch('/v1/otel', { apiKey: world.seed.apiKey, json: { resourceSpans: [] } });
  await world.fetch('/metrics');
  const failing = {
    name: 'test.fail',
    summary: '',
    schedule: '0 0 1 1 *',
    run: () => Promise.reject(new TypeError(`${PRIVATE} is not a number`)),
  };
  await runJob(world.ctx, failing, 'schedule');
  world.errors.splice(0);
  expect(await send()).toMatchObject({ status: 'ok' });
  const [request, ...more] = sent.splice(0);
  if (request === undefined) throw new Error('nothing was sent');
  expect(more).toEqual([]);
  expect(request.path).toBe('/otlp/v1/traces');
  expect(request.headers).toMatchObject({
    'api-key': TOKEN,
    'x-tenant': 'a b',
    'content-type': 'application/json',
  });
  const spans = spansOf(request);
  const { seed } = world;
  const secrets = [PRIVATE, seed.apiKey, seed.bearer, seed.projectId, seed.organizationId, seed.email, TOKEN];
  for (const secret of secrets) expect([secret, request.text.includes(secret)]).toEqual([secret, false]);
  const names = spans.map(({ name }) => name);
  expect(names).toContain('GET /v1/costs');
  expect(names).toContain('POST /v1/ingest');
  expect(names.filter((name) => /otel|metrics|none/.test(name))).toEqual([]);
  const costs = spans.find(({ name }) => name === 'GET /v1/costs');
  expect(costs).toMatchObject({ kind: 2, status: {} });
  expect(textOf(costs as Span, 'http.response.status_code')).toBe('200');
  const failed = spans.find(({ name }) => name === 'test.fail');
  expect(failed).toMatchObject({ kind: 1, status: { code: 2 }, events: [{ name: 'exception' }] });
  expect(textOf(failed as Span, 'error.type')).toBe('TypeError');
  expect(textOf(failed?.events?.[0] as Span, 'exception.stacktrace')).toContain('telemetry.test.ts');
  for (const { traceId, spanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect([/^[0-9a-f]{32}$/.test(traceId), /^[0-9a-f]{16}$/.test(spanId)]).toEqual([true, true]);
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  }
});

test('what a collector refuses is dropped, and the job says so without its secret', async () => {
  status = 503;
  await world.fetch('/v1/auth/methods');
  const run = await send();
  expect(run).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(run)).toContain('answered 503');
  expect(JSON.stringify(run)).not.toContain(TOKEN);
  world.errors.splice(0);
  status = 200;
  sent.length = 0;
  expect(await send()).toMatchObject({ status: 'ok' });
  // Only the failure of the job itself.
  expect(
    sent
      .splice(0)
      .flatMap(spansOf)
      .map(({ name }) => name),
  ).toEqual(['system.export_traces']);
  expect(await send()).toMatchObject({ status: 'ok', result: {} });
  expect(sent).toEqual([]);
});

test('without the setting nothing is kept or sent', async () => {
  const plain = await openTestApp();
  await plain.fetch('/v1/auth/methods');
  expect(await send(plain)).toMatchObject({ status: 'ok', result: {} });
  expect(sent).toEqual([]);
  await plain.close();
});

const span = (name: string, hasFailed = false): OwnSpan => ({
  kind: 'request',
  name,
  startedAt: 0,
  ms: 1,
  attributes: {},
  hasFailed,
  error: null,
});

test('a flood is sampled evenly and keeps the first failures', () => {
  let state = TEST_SEED >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const spans = createOwnSpans(true, random);
  for (let i = 0; i < 50_000; i++) spans.add(span(i < 25_000 ? 'early' : 'late', i % 50 === 0));
  const { spans: kept, seen } = spans.take();
  const fine = kept.filter(({ hasFailed }) => !hasFailed);
  expect([seen, kept.length, fine.length]).toEqual([50_000, 1_500, 1_000]);
  const early = fine.filter(({ name }) => name === 'early').length;
  // Six standard deviations of a fair coin.
  expect(Math.abs(early - 500)).toBeLessThan(95);
  expect(spans.take()).toEqual({ spans: [], seen: 0 });
});

test('an error keeps its class, code and frames, and no message', () => {
  const error = Object.assign(new Error('secret\n    at secret (line:12:3)\nmore'), { code: 'SQLITE_FULL' });
  const { type, frames } = ownError(error);
  expect(type).toBe('Error SQLITE_FULL');
  expect(frames).toContain('telemetry.test.ts');
  expect(frames).not.toContain('secret');
  expect(ownError('secret')).toEqual({ type: 'unknown', frames: '' });
  const ended = { route: '/v1/costs', status: 500, endedAt: 10, ms: 4, thrown: error } as const;
  expect(requestSpan({ ...ended, method: 'GET' })).toMatchObject({ startedAt: 6, hasFailed: true });
  expect(requestSpan({ ...ended, method: 'GET', route: 'none' })).toBeNull();
});
