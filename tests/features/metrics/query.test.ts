import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { MetricsDocument, MetricsReply } from '../../../src/core/events/query/contract.ts';
import type { CostsReply } from '../../../src/features/analytics/contract.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const releases = ['v1', 'v2', 'v3', null];

beforeAll(async () => {
  world = await openTestApp();
  const events = Array.from({ length: 96 }, (_, i) => ({
    provider: i % 12 === 11 ? 'acme' : 'openai',
    model: i % 12 === 11 ? 'unheard-of' : 'gpt-4o',
    timestamp: new Date(TEST_NOW - i * HOUR_MS).toISOString(),
    input_tokens: 1_000 * (1 + (i % 4)),
    output_tokens: 10,
    latency_ms: i % 3 === 0 ? 100 + i : undefined,
    status: i % 8 === 0 ? 'error' : 'success',
    environment: i % 2 === 0 ? 'production' : 'staging',
    ...(releases[i % 4] === null ? {} : { release: releases[i % 4] }),
    tags: { team: i % 2 === 0 ? 'red' : 'blue' },
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => world.close());

const post = (body: unknown): Promise<Response> =>
  world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: body,
  });

async function ask(document: MetricsDocument): Promise<MetricsReply> {
  const response = await post(document);
  const reply = (await response.json()) as MetricsReply & { error?: string };
  expect([response.status, reply.error]).toEqual([200, undefined]);
  return reply;
}

const sum = (values: readonly (number | null)[] = []): number =>
  values.reduce<number>((a, b) => a + (b ?? 0), 0);

test('groups, others and total add up, over time and against the costs of the same window', async () => {
  const reply = await ask({
    measures: ['cost', 'requests', 'tokens'],
    groupBy: ['release'],
    limit: 2,
    bucket: '1d',
    compare: 'previous',
  });
  const path = `/v1/costs?projectId=${world.seed.projectId}`;
  const costs = (await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as CostsReply;
  expect(reply.total.values).toEqual({
    cost: expect.closeTo(costs.total, 9),
    requests: costs.calls,
    tokens: costs.tokens.input + costs.tokens.output,
  });
  // Days of a zone are others, but add up to the same.
  const zoned = await ask({ measures: ['cost'], bucket: '1d', timeZone: 'Asia/Kolkata' });
  expect(sum(zoned.total.series?.cost)).toBeCloseTo(costs.total, 9);
  expect(zoned.steps[1]?.start.slice(11)).toBe('18:30:00.000Z');
  expect(reply.total.previous?.values.cost).toBeCloseTo(costs.previousTotal, 9);
  expect(reply.total.series?.cost).toEqual(costs.dailyTrend.map(({ cost }) => expect.closeTo(cost, 9)));
  expect(reply.steps.map(({ start }) => start.slice(0, 10))).toEqual(
    costs.dailyTrend.map(({ date }) => date),
  );
  expect(reply.groups.map(({ key }) => key)).toEqual([{ release: 'v3' }, { release: null }]);
  expect(reply.others?.groups).toBe(2);
  const parts = [...reply.groups, reply.others];
  for (const name of ['cost', 'requests', 'tokens']) {
    expect(sum(parts.map((part) => part?.values[name] ?? null))).toBeCloseTo(
      sum([reply.total.values[name] ?? 0]),
      9,
    );
    for (const part of parts)
      expect(sum(part?.series?.[name])).toBeCloseTo(sum([part?.values[name] ?? null]), 9);
  }
});

test('only the step that lasts is partial, and days are those of the time zone', async () => {
  const { steps, total, timeZone } = await ask({
    measures: ['requests', 'throughput'],
    range: '7d',
    bucket: '1d',
    timeZone: 'Asia/Kolkata',
  });
  expect(timeZone).toBe('Asia/Kolkata');
  expect(steps.map(({ start }) => start.slice(11, 16))).toEqual(steps.map(() => '18:30'));
  expect(steps.map(({ partial }) => partial)).toEqual(steps.map((_, i) => i === steps.length - 1));
  expect(sum(total.series?.requests)).toBe(96);
  const day = total.series?.requests?.at(-3) ?? 0;
  expect(total.series?.throughput?.at(-3)).toBeCloseTo(day / 1440, 9);
});

test('what no call tells is null, not 0', async () => {
  const { groups, total } = await ask({
    measures: ['cost', 'costAvg', 'latencyP95', 'ttftP50', 'errorRate'],
    groupBy: ['provider', 'model'],
    filter: 'provider:acme',
  });
  expect(groups[0]).toMatchObject({
    key: { provider: 'acme', model: 'unheard-of' },
    values: { cost: null, costAvg: null, ttftP50: null },
  });
  expect(total.values.errorRate).toBe(0);
  const none = await ask({
    measures: ['cost', 'errorRate', 'latencyAvg'],
    filter: 'model:none',
    bucket: '1w',
  });
  expect(none.total.values).toEqual({ cost: 0, errorRate: null, latencyAvg: null });
});

test('a reply with costs counts the calls without a price in each row, as the costs of the window do', async () => {
  const reply = await ask({
    measures: ['cost'],
    groupBy: ['provider', 'environment'],
    limit: 2,
    matrix: 2,
    bucket: '1d',
    compare: 'previous',
  });
  const path = `/v1/costs?projectId=${world.seed.projectId}`;
  const costs = (await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as CostsReply;
  const { total, groups, others, matrix } = reply;
  expect([total.unpriced, total.calls]).toEqual([costs.unpriced, costs.calls]);
  expect(costs.unpriced).toBe(8);
  expect(sum(total.unpricedSeries)).toBe(8);
  expect(total.previous).toMatchObject({ unpriced: 0, calls: 0 });
  expect(total.values).toEqual({ cost: expect.any(Number) });
  const parts = [...groups, others];
  expect(sum(parts.map((part) => part?.unpriced ?? null))).toBe(8);
  expect(sum(parts.map((part) => part?.calls ?? null))).toBe(96);
  for (const part of groups) expect(part.unpriced).toBe(part.key.provider === 'acme' ? part.calls : 0);
  expect(matrix?.rows.map(({ unpriced }) => unpriced)).toEqual([0, 8]);
  expect(sum(matrix?.unpriced?.flat())).toBe(8);
  const beside = await ask({ measures: ['costAvg', 'score:none'], groupBy: ['provider'] });
  expect(sum(beside.groups.map(({ unpriced }) => unpriced ?? null))).toBe(8);
  const other = await ask({ measures: ['requests'], bucket: '1d' });
  for (const name of ['unpriced', 'calls', 'unpricedSeries']) expect(other.total).not.toHaveProperty(name);
});

test('groups are ordered by any measure, and split by tags with other dimensions', async () => {
  const reply = await ask({
    measures: ['requests'],
    groupBy: ['tag:team', 'environment'],
    orderBy: { measure: 'latencyP50', direction: 'asc' },
  });
  expect(reply.groups.map(({ key }) => key)).toEqual([
    { 'tag:team': 'red', environment: 'production' },
    { 'tag:team': 'blue', environment: 'staging' },
  ]);
  expect(reply.bucket).toBeNull();
  expect(reply.steps).toEqual([]);
});

test('a bucket is chosen by the length of the window', async () => {
  const bucketOf = async (ms: number): Promise<unknown> => {
    const start = new Date(TEST_NOW - ms).toISOString();
    const { bucket, steps } = await ask({ measures: ['requests'], start, bucket: 'auto' });
    expect(steps.length).toBeLessThanOrEqual(122);
    return bucket;
  };
  const lengths = [HOUR_MS, 8 * HOUR_MS, DAY_MS, 2 * DAY_MS, 4 * DAY_MS, 90 * DAY_MS, 366 * DAY_MS];
  expect(await Promise.all(lengths.map(bucketOf))).toEqual(['1m', '5m', '1h', '1h', '1d', '1d', '1w']);
});

test('a histogram has the calls of each range of latency, which a filter finds', async () => {
  const { histogram, steps, total } = await ask({
    measures: ['latencyCount', 'latencyP95'],
    range: '7d',
    bucket: '1d',
    histogram: 'latency',
  });
  const { bounds = [], counts = [], series = [], exact } = histogram ?? {};
  expect(exact).toBe(true);
  expect(bounds).toEqual([100, 125, 160, 200]);
  expect(sum(counts)).toBe(total.values.latencyCount ?? 0);
  expect(series.length).toBe(steps.length);
  expect(sum(series.flat())).toBe(sum(counts));
  for (const [bin, calls] of counts.entries()) {
    const filter = `latency>=${bounds[bin]} latency<${bounds[bin + 1]}`;
    expect((await ask({ measures: ['requests'], filter, range: '7d' })).total.values.requests).toBe(calls);
  }
  const none = await ask({ measures: ['requests'], filter: 'model:none', histogram: 'ttft' });
  expect(none.histogram).toEqual({ exact: true, bounds: [], counts: [] });
});

test('a matrix adds up to the total, by rows and by columns', async () => {
  const { matrix, total } = await ask({
    measures: ['requests', 'latencyP95', 'throughput'],
    groupBy: ['release', 'environment'],
    orderBy: { measure: 'inputTokens', direction: 'asc' },
    matrix: 2,
    limit: 1,
  });
  const { rows = [], columns = [], cells = [] } = matrix ?? {};
  expect(rows.map(({ value, others }) => [value, others])).toEqual([
    ['v1', null],
    ['v2', null],
    [null, 2],
  ]);
  expect(columns.map(({ value }) => value)).toEqual(['production', 'staging']);
  const all = total.values.requests ?? 0;
  const of = ({ values }: { values: Record<string, number | null> }) => values.requests ?? null;
  expect([sum(rows.map(of)), sum(columns.map(of))]).toEqual([all, all]);
  expect(cells.map((row) => sum(row.map((values) => of({ values }))))).toEqual(
    rows.map((row) => of(row) ?? 0),
  );
  // No call of v1 is in staging: nothing is known of them, not even that they are 0.
  expect(cells[0]?.[1]).toEqual({ requests: null, latencyP95: null, throughput: null });
});

test('a document that is wrong or too large is refused with what to change', async () => {
  const refused: readonly [unknown, RegExp][] = [
    [{}, /measures/],
    [{ measures: [] }, /measures/],
    [{ measures: ['costs'] }, /^measures.0: there is no measure costs; did you mean cost\? The API/],
    [
      { measures: ['cost'], orderBy: { measure: 'zzzzz' } },
      /there is no measure zzzzz; The API reference lists all/,
    ],
    [{ measures: ['cost'], groupBy: ['model'], matrix: 5 }, /matrix: needs two dimensions/],
    [{ measures: ['cost'], histogram: 'cost' }, /histogram/],
    [{ measures: ['cost'], groupBy: ['colour'] }, /must be one of model, .* or tag:NAME/],
    [{ measures: ['cost'], groupBy: ['model', 'model'] }, /twice/],
    [{ measures: ['cost'], groupBy: ['model', 'kind', 'tool'] }, /groupBy/],
    [{ measures: ['cost'], filter: 'colour:red' }, /no field "colour"/],
    [{ measures: ['cost'], timeZone: 'Mars/Base' }, /Europe\/Berlin/],
    [{ measures: ['cost'], range: '7d', start: '2026-01-01' }, /either range or start/],
    [{ measures: ['cost'], start: '2026-02-01', end: '2026-01-01' }, /after end/],
    [{ measures: ['cost'], start: '1800-01-01', end: '2026-01-01' }, /100 years/],
    [{ measures: ['cost'], range: '90d', bucket: '1m' }, /1m divides the window into 13\d,\d+ steps/],
    [{ measures: ['cost', 'requests'], groupBy: ['model'], range: '24h', bucket: '1m', limit: 500 }, /limit/],
    [
      { measures: ['cost'], groupBy: ['model'], range: '30d', bucket: '1h', limit: 80, compare: 'previous' },
      /^limit: 80 groups with 1 measures in 7\d\d steps of two periods are more than 100,000 values/,
    ],
    [{ measures: ['cost'], limit: 0 }, /limit/],
    [{ measures: ['cost'], colour: 1 }, /colour/],
  ];
  for (const [body, text] of refused) {
    const response = await post(body);
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error]).toEqual([400, expect.stringMatching(text)]);
  }
});

test('replies of several queries end where they are too large together', async () => {
  const query = {
    measures: ['latencyAvg', 'costAvg', 'errorRate', 'ttftAvg', 'cacheRate'],
    start: '2026-01-01T00:00:00Z',
    end: '2026-03-04T00:00:00Z',
    bucket: '1h',
    compare: 'previous',
  };
  const response = await world.fetch(`/v1/metrics/queries?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { queries: Array.from({ length: 24 }, () => query) },
  });
  const text = await response.text();
  const { replies } = JSON.parse(text) as { replies: { reply: MetricsReply | null; error: string | null }[] };
  const answered = replies.filter(({ reply }) => reply !== null);
  expect(answered.length).toBeGreaterThan(10);
  expect(new Set(answered.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(replies.slice(answered.length)).toEqual(
    Array.from({ length: 24 - answered.length }, () => ({
      reply: null,
      error: expect.stringContaining('in a request of its own'),
    })),
  );
  expect(answered.length).toBeLessThan(24);
  expect(text.length).toBeLessThan(4_500_000);
});

test('windows at the ends of time are answered', async () => {
  for (const [start, end] of [
    ['1970-01-01', '1970-01-02'],
    ['9999-12-30', '9999-12-31'],
  ])
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'Pacific/Apia']) {
      const document = {
        measures: ['cost', 'latencyP50'],
        start,
        end,
        timeZone,
        bucket: '6h',
        compare: 'previous',
      };
      const { total } = await ask(document as MetricsDocument);
      expect(total.values).toEqual({ cost: 0, latencyP50: null });
    }
});
