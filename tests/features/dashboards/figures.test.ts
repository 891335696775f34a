import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TileFigures } from '../../../src/features/dashboards/contract.ts';
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

const post = (body: object) =>
  world.fetch(`/v1/dashboards/query?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: body,
  });
async function read(tile: object, more: object = {}): Promise<TileFigures> {
  const reply = await post({ tiles: [tile], ...more });
  expect(reply.status).toBe(200);
  const [figures] = ((await reply.json()) as { tiles: TileFigures[] }).tiles;
  if (figures === undefined) throw new Error('no tile');
  return figures;
}
const sum = (values: readonly (number | null)[]): number =>
  values.reduce((all: number, value) => all + (value ?? 0), 0);

describe('a tile', () => {
  test('with a number has it now and in the window before', async () => {
    const start = new Date(TEST_NOW - 2 * DAY_MS).toISOString();
    const { rows, times } = await read({ kind: 'number', measures: ['requests'] }, { start });
    expect(times).toEqual([]);
    expect(rows).toMatchObject([{ group: [], totals: [24], previous: [24], values: [] }]);
  });

  test('with a chart has each measure in each step, null where there is nothing to measure', async () => {
    const { rows, times, bucket, end } = await read({ kind: 'line', measures: ['requests', 'latencyP50'] });
    expect([bucket, times.length, end]).toEqual(['1d', 31, '2026-06-16T00:00:00.000Z']);
    expect(rows.map(({ measure, totals }) => [measure, totals[0]])).toEqual([
      ['requests', 60],
      ['latencyP50', 500],
    ]);
    expect(sum(rows[0]?.values ?? [])).toBe(60);
    expect(rows[1]?.values.slice(0, 3)).toEqual([null, null, null]);
  });

  test('with groups has the largest, and all others together where they add up', async () => {
    const { rows, others } = await read({
      kind: 'bars',
      measures: ['requests'],
      groupBy: ['model'],
      limit: 1,
    });
    expect(rows.map(({ group, totals }) => [group, totals])).toEqual([
      [['gpt-4o'], [30]],
      [[], [30]],
    ]);
    expect(others).toBe(2);
    expect(rows.map(({ values }) => sum(values))).toEqual([30, 30]);
    const latency = await read({ kind: 'line', measures: ['latencyP99'], groupBy: ['model'], limit: 1 });
    expect(latency.rows).toHaveLength(1);
  });

  test('groups by release, also calls without one, and by the values of a tag', async () => {
    const groups = async (dimension: string) =>
      (await read({ kind: 'bars', measures: ['requests'], groupBy: [dimension] })).rows.map(
        ({ group, values }) => [group[0], sum(values)],
      );
    expect(await groups('release')).toEqual([
      ['v1', 30],
      [null, 30],
    ]);
    expect(await groups('tag:team')).toEqual([
      ['c', 45],
      ['a "b"', 15],
    ]);
  });

  test('with a table has all measures of one or two dimensions', async () => {
    const { rows } = await read({
      kind: 'table',
      measures: ['requests', 'errors'],
      groupBy: ['model', 'environment'],
    });
    expect(rows.map(({ group }) => group)).toContainEqual(['o3', 'production']);
    expect(sum(rows.map(({ totals }) => totals[0] ?? null))).toBe(60);
    expect(sum(rows.map(({ totals }) => totals[1] ?? null))).toBe(5);
  });

  test('is narrowed by its filter and by those of the page', async () => {
    const tile = { kind: 'number', measures: ['requests'], filter: 'model:gpt-4o' };
    const of = async (more: object) => (await read(tile, more)).rows[0]?.totals[0];
    expect(await of({})).toBe(30);
    expect(await of({ environment: 'staging' })).toBe(10);
    expect(await of({ filter: 'status:failed' })).toBe(5);
  });

  test('has days of the zone and minutes of a short window', async () => {
    const tile = { kind: 'bars', measures: ['requests'] };
    const day = await read(tile, { timeZone: 'Asia/Kolkata' });
    expect(day.times[1]?.slice(11)).toBe('18:30:00.000Z');
    const start = new Date(TEST_NOW - HOUR_MS).toISOString();
    const minutes = await read(tile, { start, timeZone: 'Asia/Kolkata' });
    expect([minutes.bucket, minutes.times.length]).toEqual(['1m', 61]);
    expect(sum(minutes.rows[0]?.values ?? [])).toBe(12);
  });
});

test('24 tiles are one read, in their order', async () => {
  const tiles = Array.from({ length: 24 }, (_, n) => ({
    kind: n % 2 === 0 ? 'bars' : 'table',
    measures: ['cost'],
    groupBy: ['model'],
    limit: 1 + (n % 3),
  }));
  const reply = await post({ tiles });
  const figures = ((await reply.json()) as { tiles: TileFigures[] }).tiles;
  expect(figures.map(({ bucket }) => bucket)).toEqual(
    tiles.map(({ kind }) => (kind === 'bars' ? '1d' : null)),
  );
});

test.each([
  ['25 tiles', { tiles: Array.from({ length: 25 }, () => ({ kind: 'number', measures: ['cost'] })) }],
  ['no tiles', { tiles: [] }],
  ['a zone that is none', { tiles: [{ kind: 'number', measures: ['cost'] }], timeZone: 'Mars/Base' }],
  [
    'an end before the start',
    { tiles: [{ kind: 'number', measures: ['cost'] }], start: '2026-06-02', end: '2026-06-01' },
  ],
  ['centuries', { tiles: [{ kind: 'bars', measures: ['cost'] }], start: '1026-06-02' }],
  ['a bad filter', { tiles: [{ kind: 'number', measures: ['cost'], filter: 'cost>much' }] }],
])('%s is a 400', async (_, body) => {
  expect((await post(body)).status).toBe(400);
});
