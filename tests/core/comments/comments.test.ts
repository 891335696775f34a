import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Bookmark, Comment } from '../../../src/core/comments/contract.ts';
import { deleteExpiredComments } from '../../../src/core/comments/jobs.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let other: Tenant;
let member: string;
let viewer: string;

type Options = {
  readonly method?: string;
  readonly json?: unknown;
  readonly as?: string;
  readonly tenant?: Tenant;
};
async function call<T>(
  path: string,
  { method, json, as, tenant = app.seed }: Options = {},
): Promise<[number, T]> {
  const url = `/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${tenant.projectId}`;
  const sent = json === undefined ? {} : { json };
  const response = await app.fetch(url, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    bearer: as ?? tenant.bearer,
    ...sent,
  });
  const text = await response.text();
  return [response.status, (text === '' ? null : JSON.parse(text)) as T];
}
const comments = async (query: string): Promise<Comment[]> =>
  (await call<{ comments: Comment[] }>(`comments?${query}`))[1].comments;
const bookmarks = async (): Promise<Bookmark[]> =>
  (await call<{ bookmarks: Bookmark[] }>('bookmarks'))[1].bookmarks;

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  member = (await app.addUser('member')).bearer;
  viewer = (await app.addUser('viewer')).bearer;
  const event = { kind: 'chain', timestamp: new Date(TEST_NOW - DAY_MS).toISOString(), latency_ms: 5 };
  const events = [
    {
      ...event,
      trace_id: 't1',
      span_id: 's1',
      name: 'run',
      user_id: 'nora-the-customer',
      session_id: 'chat',
    },
    { ...event, trace_id: 't2', span_id: 's2', name: 'other run', user_id: 'ben' },
  ];
  expect((await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => app.close());

describe('comments', () => {
  test('of a trace, its spans and a session are kept apart, oldest first, with their authors; texts are data', async () => {
    const text = '<script>alert(1)</script> **slow**';
    const [status, made] = await call<Comment>('comments', { json: { traceId: 't1', text } });
    expect(status).toBe(201);
    expect(made).toMatchObject({ traceId: 't1', spanId: null, sessionId: null, text, author: 'ada' });
    await call('comments', { json: { traceId: 't1', spanId: 's1', text: ' of a span ' }, as: member });
    await call('comments', { json: { sessionId: 'chat', text: 'of the session' } });
    expect((await comments('traceId=t1')).map((one) => [one.spanId, one.text])).toEqual([
      [null, text],
      ['s1', 'of a span'],
    ]);
    expect((await comments('sessionId=chat')).map((one) => one.text)).toEqual(['of the session']);
    expect(await comments('traceId=t2')).toEqual([]);
  });

  test('are changed by their author, and deleted by the author or an admin', async () => {
    const [, { id }] = await call<Comment>('comments', {
      json: { traceId: 't2', text: 'first' },
      as: member,
    });
    const put = (as: string) =>
      call<Comment>(`comments/${id}`, { method: 'PUT', json: { text: 'second' }, as });
    expect((await put(app.seed.bearer))[0]).toBe(403);
    expect((await put(viewer))[0]).toBe(403);
    expect(await put(member)).toMatchObject([200, { text: 'second' }]);
    expect((await call(`comments/${id}`, { method: 'DELETE', as: viewer }))[0]).toBe(403);
    expect((await call(`comments/${id}`, { method: 'DELETE', tenant: other }))[0]).toBe(404);
    expect((await call(`comments/${id}`, { method: 'DELETE' }))[0]).toBe(204);
    expect((await call(`comments/${id}`, { method: 'DELETE' }))[0]).toBe(404);
  });

  test.each([
    ['nothing', {}, 400],
    ['two things', { traceId: 't1', sessionId: 'chat' }, 400],
    ['a span without its trace', { spanId: 's1' }, 400],
    ['a trace that is not there', { traceId: 'none' }, 404],
    ['a session that is not there', { sessionId: 'none' }, 404],
  ])('%s cannot be commented on or bookmarked', async (_, target, status) => {
    expect((await call('comments', { json: { ...target, text: 'x' } }))[0]).toBe(status);
    expect((await call('bookmarks', { json: target }))[0]).toBe(status);
  });

  test('an empty and a too long text are refused, a viewer reads and does not write, others see nothing', async () => {
    for (const text of ['', '  ', 'x'.repeat(5_001)])
      expect((await call('comments', { json: { traceId: 't1', text } }))[0]).toBe(400);
    expect((await call('comments', { json: { traceId: 't1', text: 'x' }, as: viewer }))[0]).toBe(403);
    expect((await call('comments?traceId=t1', { as: viewer }))[0]).toBe(200);
    expect(await call('comments?traceId=t1', { tenant: other })).toEqual([200, { comments: [] }]);
    expect((await call('comments', { json: { traceId: 't1', text: 'x' }, tenant: other }))[0]).toBe(404);
  });
});

describe('bookmarks', () => {
  test('are shared, newest first; one that exists stays', async () => {
    const [status, made] = await call<Bookmark>('bookmarks', { json: { traceId: 't1' } });
    expect([status, made.name]).toEqual([201, 'run']);
    expect((await call<Bookmark>('bookmarks', { json: { traceId: 't1' }, as: member }))[1]).toEqual(made);
    await call('bookmarks', { json: { traceId: 't1', spanId: 's1' }, as: member });
    await call('bookmarks', { json: { sessionId: 'chat' } });
    expect(
      (await bookmarks()).map(({ traceId, spanId, sessionId }) => traceId ?? sessionId ?? spanId),
    ).toEqual(['chat', 't1', 't1']);
    expect((await call(`bookmarks/${made.id}`, { method: 'DELETE', tenant: other }))[0]).toBe(404);
    expect((await call(`bookmarks/${made.id}`, { method: 'DELETE', as: member }))[0]).toBe(204);
    expect(await bookmarks()).toHaveLength(2);
  });

  test('two at once make one', async () => {
    const all = await Promise.all(
      [1, 2, 3].map(() => call<Bookmark>('bookmarks', { json: { traceId: 't2' } })),
    );
    expect(new Set(all.map(([, { id }]) => id)).size).toBe(1);
  });
});

test('an erased user takes along what was said of their traces, and what names them', async () => {
  await call('comments', { json: { traceId: 't2', text: 'see nora-the-customer' } });
  await call('comments', { json: { traceId: 't2', text: 'stays' } });
  const path = `/v1/projects/${app.seed.projectId}/erasures`;
  const asked = await app.fetch(path, { bearer: app.seed.bearer, json: { userId: 'nora-the-customer' } });
  expect(asked.status).toBe(202);
  await erasureJob.run(app.ctx, new AbortController().signal);
  expect(await comments('traceId=t1')).toEqual([]);
  expect(await comments('sessionId=chat')).toEqual([]);
  expect((await comments('traceId=t2')).map(({ text }) => text)).toEqual(['stays']);
  expect((await bookmarks()).map(({ traceId }) => traceId)).toEqual(['t2']);
});

test('comments and bookmarks go when retention has deleted what they are about', async () => {
  const run = () => deleteExpiredComments.run(app.ctx, new AbortController().signal);
  expect(await run()).toEqual({ deleted: { comments: 0, bookmarks: 0 } });
  app.clock.set(TEST_NOW + 400 * DAY_MS);
  expect(await run()).toEqual({ deleted: { comments: 1, bookmarks: 1 } });
});
