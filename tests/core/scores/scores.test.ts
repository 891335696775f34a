import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Score, ScoreDefinition, WrittenScores } from '../../../src/core/scores/contract.ts';
import { deleteExpiredScores, findTargetsJob } from '../../../src/core/scores/jobs.ts';
import { scores as table } from '../../../src/core/scores/table.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const DAY_MS = 86_400_000;
const running = new AbortController().signal;
let app: TestApp;
let other: Tenant;

type Options = {
  readonly method?: string;
  readonly json?: unknown;
  readonly as?: string;
  readonly of?: Tenant;
};
async function call<T>(
  path: string,
  { method, json, as, of = app.seed }: Options = {},
): Promise<[number, T]> {
  const url = `/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${of.projectId}`;
  const response = await app.fetch(url, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    bearer: as ?? of.bearer,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  return [response.status, (text === '' ? null : JSON.parse(text)) as T];
}
const scoresOf = async (query: string, of = app.seed): Promise<Score[]> =>
  (await call<{ scores: Score[] }>(`scores?${query}`, { of }))[1].scores;
const write = (json: unknown, of = app.seed) =>
  call<WrittenScores & { error: string }>('scores', { json, of });
const send = async (events: object[]): Promise<void> => {
  expect((await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events })).status).toBe(202);
};
const row = async (id: string) => (await app.ctx.db.sql.select().from(table)).find((one) => one.id === id);

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const timestamp = new Date(TEST_NOW - DAY_MS).toISOString();
  await send([
    { trace_id: 't1', span_id: 's1', kind: 'chain', name: 'run', timestamp, user_id: 'nora-the-customer' },
    {
      trace_id: 't1',
      span_id: 's2',
      parent_span_id: 's1',
      model: 'gpt-4o',
      provider: 'openai',
      release: '2.0',
      prompt_name: 'support',
      prompt_version: '3',
      session_id: 'chat',
      tags: { team: 'search' },
      timestamp,
    },
  ]);
});
afterAll(() => app.close());

describe('a score', () => {
  test('has the value, time and dimensions of what it is about', async () => {
    const [status, { scores }] = await write([
      { name: 'quality', value: 0.5, traceId: 't1', comment: ' fair ', scoreId: 'q1' },
      { name: 'helpful', value: true, traceId: 't1', spanId: 's2', scoreId: 'h1' },
      { name: 'tone', value: 'kind', sessionId: 'chat', scoreId: 'tone1' },
    ]);
    expect([status, scores.map(({ outcome }) => outcome)]).toEqual([201, ['created', 'created', 'created']]);
    const found = await scoresOf('traceId=t1');
    expect(found.map(({ name, value, spanId }) => [name, value, spanId])).toEqual([
      ['quality', 0.5, null],
      ['helpful', true, 's2'],
    ]);
    expect(found[0]).toMatchObject({
      comment: 'fair',
      source: 'human',
      author: 'ada',
      at: new Date(TEST_NOW - DAY_MS).toISOString(),
    });
    expect((await scoresOf('sessionId=chat'))[0]).toMatchObject({ name: 'tone', value: 'kind' });
    expect(await row('q1')).toMatchObject({
      kind: 'chain',
      model: 'gpt-4o',
      release: '2.0',
      promptVersion: '3',
      userId: 'nora-the-customer',
      aboutUser: 'nora-the-customer',
      sessionId: 'chat',
      tags: { team: 'search' },
      nextLook: null,
    });
    const [, { definitions }] = await call<{ definitions: ScoreDefinition[] }>('score-definitions');
    expect(definitions.map(({ name, type }) => [name, type])).toEqual([
      ['helpful', 'boolean'],
      ['quality', 'numeric'],
      ['tone', 'category'],
    ]);
  });

  test('is stored once by its id, changes with its value, and is of one thing', async () => {
    const one = { name: 'quality', value: 0.25, traceId: 't1', scoreId: 'again' };
    expect((await write(one))[1].scores[0]?.outcome).toBe('created');
    expect((await write(one))[1].scores[0]?.outcome).toBe('unchanged');
    expect((await write({ ...one, value: 0.75 }))[1].scores[0]?.outcome).toBe('updated');
    expect((await scoresOf('name=quality')).map(({ id, value }) => [id, value])).toEqual([
      ['q1', 0.5],
      ['again', 0.75],
    ]);
    const [status, { error }] = await write({ ...one, traceId: 't9' });
    expect([status, error]).toEqual([
      409,
      'The scoreId again is that of another score, of quality; use a new scoreId',
    ]);
    const foreign = await write({ ...one, value: 0.1 }, other);
    expect(foreign[0]).toBe(201);
    expect((await scoresOf('name=quality', other)).map(({ value }) => value)).toEqual([0.1]);
    expect((await call('scores/again', { method: 'DELETE', of: other }))[0]).toBe(204);
    expect((await call('scores/again', { method: 'DELETE' }))[0]).toBe(204);
    expect((await call('scores/again', { method: 'DELETE' }))[0]).toBe(404);
  });

  test.each([
    [{ name: 'quality', value: 'good', traceId: 't1' }, 'value: quality must be a number'],
    [
      [
        { name: 'new one', value: 1, traceId: 't1' },
        { name: 'new one', value: true, traceId: 't1' },
      ],
      '1.value: new one must be a number',
    ],
    [{ name: 'quality', value: 1 }, '0: give traceId, traceId and spanId, or sessionId'],
    [{ name: 'a:b', value: 1, traceId: 't1' }, /^0\.name: must be 1 to 60 letters/],
    [{ name: 'quality', value: [], traceId: 't1' }, /^0\.value: must be a number, true or false/],
    [[], /^the body: /],
    [
      [
        { name: 'quality', value: 1, traceId: 't1', scoreId: 'x' },
        { name: 'quality', value: 1, traceId: 't1', scoreId: 'x' },
      ],
      'scoreId: x is in the request twice',
    ],
  ])('that makes no sense is refused with what is wrong: %j', async (json, message) => {
    const [status, { error }] = await write(json);
    expect([status, error]).toEqual([
      400,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
    expect((await call<{ definitions: ScoreDefinition[] }>('score-definitions'))[1].definitions.length).toBe(
      3,
    );
  });

  test('follows its definition, whose name and type stay', async () => {
    const body = { name: 'grade', type: 'numeric', min: 1, max: 5 };
    const [status, made] = await call<ScoreDefinition>('score-definitions', { json: body });
    expect([status, made.direction]).toEqual([201, 'higher']);
    expect((await call('score-definitions', { json: body }))[0]).toBe(409);
    expect((await write({ name: 'grade', value: 6, traceId: 't1' }))[1].error).toBe(
      'value: grade must be at most 5',
    );
    const put = (json: object) =>
      call<ScoreDefinition>(`score-definitions/${made.id}`, { method: 'PUT', json });
    expect((await put({ ...body, max: 10, direction: 'lower' }))[1]).toMatchObject({
      max: 10,
      direction: 'lower',
    });
    expect((await put({ ...body, type: 'boolean', min: null, max: null }))[0]).toBe(400);
    expect((await write({ name: 'grade', value: 6, traceId: 't1' }))[0]).toBe(201);
    expect((await call(`score-definitions/${made.id}`, { method: 'DELETE' }))[0]).toBe(204);
    expect(await scoresOf('name=grade')).toEqual([]);
  });

  test('of a trace that arrives later gets its time and dimensions from it; a client sends it with its key', async () => {
    const reply = await app.fetch('/v1/sdk/scores', {
      apiKey: app.seed.apiKey,
      json: { name: 'quality', value: 1, traceId: 'late', scoreId: 'late1' },
    });
    expect(reply.status).toBe(201);
    expect(await row('late1')).toMatchObject({ model: null, source: 'api', at: new Date(TEST_NOW) });
    const timestamp = new Date(TEST_NOW - 1_000).toISOString();
    await send([{ trace_id: 'late', span_id: 'a', model: 'gpt-4o-mini', provider: 'openai', timestamp }]);
    expect(await findTargetsJob.run(app.ctx, running)).toEqual({});
    app.clock.advance(5_000);
    expect(await findTargetsJob.run(app.ctx, running)).toEqual({ looked: 1, found: 1 });
    expect(await row('late1')).toMatchObject({ model: 'gpt-4o-mini', at: new Date(TEST_NOW - 1_000) });
    // Spans may still arrive: it looks once more.
    app.clock.advance(10 * 60_000);
    expect(await findTargetsJob.run(app.ctx, running)).toEqual({ looked: 1, found: 1 });
    expect((await row('late1'))?.nextLook).toBeNull();
  });

  test('pages by the cursor, newest first', async () => {
    for (let i = 0; i < 5; i++) {
      app.clock.advance(1_000);
      await write({ name: 'paged', value: i, traceId: 't2' });
    }
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const [, page] = await call<{ scores: Score[]; nextCursor: string | null }>(
        `scores?name=paged&limit=2${cursor}`,
      );
      seen.push(...page.scores.map(({ value }) => value));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0]);
    expect((await call('scores?cursor=x'))[0]).toBe(400);
  });

  test('goes with the end user, and with the events when retention deletes them', async () => {
    expect((await scoresOf('traceId=t1')).length).toBeGreaterThan(0);
    const erasure = `projects/${app.seed.projectId}/erasures`;
    expect((await call(erasure, { json: { userId: 'nora-the-customer' } }))[0]).toBe(202);
    await erasureJob.run(app.ctx, running);
    expect(await scoresOf('traceId=t1')).toEqual([]);
    expect((await scoresOf('name=paged')).length).toBe(5);
    app.clock.set(TEST_NOW + 400 * DAY_MS);
    await deleteExpiredScores.run(app.ctx, running);
    expect(await app.ctx.db.sql.select().from(table)).toEqual([]);
  });
});
