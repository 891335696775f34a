import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import { byGroup } from '../../../src/dashboard/shell/metrics/by-group.ts';
import { measureLabel } from '../../../src/dashboard/shell/metrics/names.ts';
import { questionOf } from '../../../src/dashboard/shell/metrics/tile-question.ts';
import { toChart } from '../../../src/dashboard/shell/metrics/to-chart.ts';
import { tileQuerySchema } from '../../../src/features/dashboards/tiles/contract.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const MODELS = ['gpt-4o', 'gpt-4o', 'gpt-4o', 'gpt-4o-mini', 'gpt-4o-mini', 'o3'];

beforeAll(async () => {
  world = await openTestApp();
  const events = Array.from({ length: 60 }, (_, i) => ({
    provider: 'openai',
    model: MODELS[i % MODELS.length],
    timestamp: new Date(TEST_NOW - (i % 5) * DAY_MS - HOUR_MS).toISOString(),
    input_tokens: 1_000_000,
    latency_ms: 100 * (1 + (i % 10)),
    status: i % 12 === 0 ? 'error' : 'success',
    release: i % 2 === 0 ? 'v1' : undefined,
    environment: i % 3 === 0 ? 'staging' : 'production',
    tags: { team: i % 4 === 0 ? 'a "b"' : 'c' },
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => world.close());

const post = (queries: readonly unknown[]) =>
  world.fetch(`/v1/metrics/queries?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { queries },
  });
/** The reply to what a page asks for a tile. */
async function read(tile: object, more: object = {}): Promise<MetricsReply> {
  const response = await post([{ ...questionOf(tileQuerySchema.parse(tile)), ...more }]);
  expect(response.status).toBe(200);
  const [answer] = ((await response.json()) as { replies: { reply: MetricsReply | null }[] }).replies;
  if (answer?.reply == null) throw new Error('no reply');
  return answer.reply;
}
const sum = (values: readonly (number | null)[] = []): number =>
  values.reduce((all: number, value) => all + (value ?? 0), 0);

describe('a tile', () => {
  test('with a number has it now and in the window before', async () => {
    const start = new Date(TEST_NOW - 2 * DAY_MS).toISOString();
    const { total, steps } = await read(
      { kind: 'number', measures: ['requests', 'cost'], groupBy: ['model'] },
      { start, compare: 'previous' },
    );
    expect(steps).toEqual([]);
    expect(total).toEqual({ values: { requests: 24 }, previous: { values: { requests: 24 } } });
  });

  test('with a chart has each measure in each step, null where there is nothing to measure', async () => {
    const chart = toChart(await read({ kind: 'line', measures: ['requests', 'latencyP50'] }), {
      shape: 'lines',
      labelOf: measureLabel,
    });
    expect([chart.bucket, chart.points.length]).toEqual(['1d', 31]);
    expect(chart.series.map(({ label }) => label)).toEqual(['Calls', 'Median latency']);
    expect(sum(chart.points.map(({ s0 }) => Number(s0)))).toBe(60);
    expect(chart.points.slice(0, 3).map(({ s1 }) => s1 ?? null)).toEqual([null, null, null]);
  });

  test('with groups has the largest, and all others together where they add up', async () => {
    const tile = { kind: 'bars', measures: ['requests'], groupBy: ['model', 'release'], limit: 1 };
    const bars = toChart(await read(tile), { shape: 'bars', most: 2, drawer: byGroup });
    expect(bars.series.map(({ label }) => label)).toEqual(['gpt-4o', '2 others']);
    // A click on a part of a stack leads to the calls of its group.
    expect(bars.series.map(({ filter }) => filter)).toEqual(['model:gpt-4o', undefined]);
    expect(['s0', 's1'].map((name) => sum(bars.points.map((point) => Number(point[name]))))).toEqual([
      30, 30,
    ]);
    const lines = toChart(await read({ ...tile, kind: 'line', measures: ['latencyP99'] }), {
      shape: 'lines',
      most: 2,
      drawer: byGroup,
    });
    expect(lines.series.map(({ label }) => label)).toEqual(['gpt-4o']);
  });

  test('that compares draws the steps of the previous period at the same distance from its start', async () => {
    const start = new Date(TEST_NOW - 2 * DAY_MS).toISOString();
    const reply = await read({ kind: 'bars', measures: ['requests'] }, { start, compare: 'previous' });
    const { points, series } = toChart(reply, { shape: 'bars' });
    expect(series).toMatchObject([{ name: 's0', before: 's0 before' }]);
    expect(sum(points.map((point) => Number(point['s0 before'] ?? 0)))).toBe(24);
    for (const { time, before } of points)
      expect(Date.parse(time) - Date.parse(before ?? '')).toBe(2 * DAY_MS + 1);
  });

  test('with a table has all measures of one or two dimensions, also calls without a value', async () => {
    const { groups } = await read({
      kind: 'table',
      measures: ['requests', 'errors'],
      groupBy: ['release', 'tag:team'],
    });
    expect(groups.map(({ key }) => key)).toContainEqual({ release: null, 'tag:team': 'c' });
    expect(sum(groups.map(({ values }) => values.requests ?? null))).toBe(60);
    expect(sum(groups.map(({ values }) => values.errors ?? null))).toBe(5);
  });

  test('with a histogram, a heat map or a matrix has what each shows', async () => {
    const histogram = await read({ kind: 'histogram', measures: ['latencyP95'], groupBy: ['model'] });
    expect(histogram.measures.map(({ name }) => name)).toEqual(['latencyP50', 'latencyP95', 'latencyP99']);
    expect(sum(histogram.histogram?.counts)).toBe(60);
    const heatMap = await read({ kind: 'heatmap', measures: ['ttftP95'] });
    expect(heatMap.histogram).toMatchObject({ counts: [], series: heatMap.steps.map(() => []) });
    const { matrix } = await read({
      kind: 'matrix',
      measures: ['requests'],
      groupBy: ['model', 'environment'],
      limit: 50,
    });
    expect(matrix?.rows.map(({ value }) => value)).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3']);
    expect(sum(matrix?.cells.flat().map(({ requests }) => requests ?? null))).toBe(60);
  });

  test('is narrowed by its filter', async () => {
    const tile = { kind: 'number', measures: ['requests'] };
    const of = async (filter: string) => (await read({ ...tile, filter })).total.values.requests;
    expect(await of('model:gpt-4o')).toBe(30);
    expect(await of('model:gpt-4o environment:staging status:failed')).toBe(5);
  });
});

test('24 queries are one request, in their order; one that is refused says why, and the others are answered', async () => {
  const queries = Array.from({ length: 24 }, (_, n) => ({
    measures: ['cost'],
    groupBy: ['model'],
    ...(n === 5 ? { start: '1026-06-02' } : {}),
    limit: 1 + (n % 3),
  }));
  const { replies } = (await (await post(queries)).json()) as {
    replies: { reply: MetricsReply | null; error: string | null }[];
  };
  expect(replies.map(({ reply }) => reply?.groups.length ?? null)).toEqual(
    queries.map(({ limit }, n) => (n === 5 ? null : limit)),
  );
  expect(replies[5]?.error).toMatch(/100 years/);
});

test.each([
  ['25 queries', Array.from({ length: 25 }, () => ({ measures: ['cost'] }))],
  ['no queries', []],
  ['a zone that is none', [{ measures: ['cost'], timeZone: 'Mars/Base' }]],
  ['a bad filter', [{ measures: ['cost'], filter: 'cost>much' }]],
])('%s is a 400', async (_, queries) => {
  expect((await post(queries)).status).toBe(400);
});
