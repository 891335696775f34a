import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import { createProject, findProject } from '../../../src/core/projects/index.ts';
import type { Erasure } from '../../../src/features/erasure/contract.ts';
import { eraseUser } from '../../../src/features/erasure/index.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { nextErasure } from '../../../src/features/erasure/queries.ts';
import { auditRows } from '../../core/audit/rows.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { storageFaults } from '../../helpers/stored-events.ts';
import { sumFaults } from '../../helpers/stored-sums.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';

const USER = 'grace.hopper@example.com';
let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

/** Events of several users over three days; every third is of the one who is to go. */
function someEvents(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => ({
    event_id: crypto.randomUUID(),
    span_id: i.toString(16).padStart(16, '0'),
    trace_id: `${i % 50}`.padStart(32, 'a'),
    ...(i % 10 === 0 ? {} : { timestamp: new Date(TEST_NOW - ((i * 977_000) % 259_200_000)).toISOString() }),
    provider: 'openai',
    model: i % 4 === 0 ? 'unheard-of' : 'gpt-4o',
    status: i % 7 === 0 ? 'error' : 'success',
    error_code: i % 7 === 0 ? 'E1' : undefined,
    kind: i % 11 === 0 ? 'tool' : 'llm',
    environment: i % 5 === 0 ? 'staging' : 'production',
    user_id: i % 3 === 0 ? USER : `user-${i % 5}`,
    session_id: `session-${i % 3}-${i % 20}`,
    input_tokens: i,
    output_tokens: i * 2,
    latency_ms: 10 + i,
    tags: { team: `t${i % 3}` },
  }));
}
async function send(apiKey: string, events: readonly unknown[]): Promise<void> {
  for (let i = 0; i < events.length; i += 100) {
    const reply = await world.fetch('/v1/ingest', { apiKey, events: events.slice(i, i + 100) });
    expect(reply.status).toBe(202);
  }
}
/** A second project that never had the user. */
async function twin(): Promise<{ projectId: string; apiKey: string }> {
  const { id } = await world.app.act(createProject, { organization: 'Acme', name: 'twin' });
  const { apiKey } = await world.app.act(createKey, { project: id, name: 'k' });
  return { projectId: id, apiKey };
}
const read = async (path: string, projectId: string) => {
  const separator = path.includes('?') ? '&' : '?';
  const response = await world.fetch(`${path}${separator}projectId=${projectId}`, {
    bearer: world.seed.bearer,
  });
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
};
const erasures = `/v1/projects/`;
const request = (userId: string) =>
  world.fetch(`${erasures}${world.seed.projectId}/erasures`, { bearer: world.seed.bearer, json: { userId } });
const run = () => erasureJob.run(world.ctx, new AbortController().signal);

/** Moves all events of a project into segments, so that its sums contain them. */
async function seal(projectId: string): Promise<void> {
  const { no } = await findProject(world.ctx, projectId);
  await world.ctx.use(sealerService).sealAll(no);
}

/** Sends events, a part of which is sealed before the rest comes. */
async function sendInParts(projectId: string, apiKey: string, events: readonly unknown[]): Promise<void> {
  const half = Math.floor(events.length / 2);
  await send(apiKey, events.slice(0, half));
  await seal(projectId);
  await send(apiKey, events.slice(half));
}

/** Sums of a project as they are kept, without its number and those of its labels. All its events are sealed first. */
async function sumsOf(projectId: string): Promise<Record<string, unknown[]>> {
  await seal(projectId);
  const all = (text: string) => world.ctx.db.sql.all<Record<string, unknown>>(sql.raw(text));
  const of = `(SELECT no FROM projects WHERE id = '${projectId}')`;
  const tables: Record<string, unknown[]> = {};
  for (const table of ['rollup_hours', 'rollup_days', 'rollup_labels']) {
    const label =
      table === 'rollup_labels'
        ? ", (SELECT json_extract(json, '$[1]') FROM event_labels WHERE id = label) AS tags"
        : '';
    const rows = await all(`SELECT *${label} FROM ${table} WHERE project = ${of}`);
    tables[table] = rows
      .map(({ project: _, label: __, latency_sketch: ___, ...sums }) => JSON.stringify(sums))
      .sort();
  }
  return tables;
}

/** Every figure and row of a project that people can ask for. */
async function figuresOf(projectId: string): Promise<unknown[]> {
  const window = `start=${new Date(TEST_NOW - 4 * 86_400_000).toISOString()}&end=${new Date(TEST_NOW + 1).toISOString()}`;
  const overview = await world.fetch(`/v1/projects/${projectId}/overview`, { bearer: world.seed.bearer });
  const paths = [
    'costs',
    'performance',
    'errors',
    'events?limit=200',
    'traces?limit=200',
    'users',
    'sessions',
    'facets',
  ];
  const pages = await Promise.all(
    paths.map((path) => read(`/v1/${path}${path.includes('?') ? '&' : '?'}${window}`, projectId)),
  );
  return [await overview.json(), ...pages].map((page) =>
    JSON.stringify(page).replace(/key_[0-9a-f]{32}/g, 'key'),
  );
}

describe('an erasure', () => {
  test('leaves a project as if the user had never been there', async () => {
    const other = await twin();
    const events = someEvents(900);
    const others = events.filter(({ user_id }) => user_id !== USER);
    await sendInParts(world.seed.projectId, world.seed.apiKey, events);
    await sendInParts(other.projectId, other.apiKey, others);
    expect(await figuresOf(world.seed.projectId)).not.toEqual(await figuresOf(other.projectId));
    const asked = await request(USER);
    expect([asked.status, ((await asked.json()) as Erasure).status]).toEqual([202, 'running']);
    expect(await run()).toEqual({ done: 1 });
    expect(await figuresOf(world.seed.projectId)).toEqual(await figuresOf(other.projectId));
    expect(await sumsOf(world.seed.projectId)).toEqual(await sumsOf(other.projectId));
    expect(await figuresOf(world.seed.projectId)).toEqual(await figuresOf(other.projectId));
    expect([...storageFaults(world.ctx.db.path), ...sumFaults(world.ctx.db.path)]).toEqual([]);
  });

  test('leaves no trace of the user in any table, log or receipt', async () => {
    const noted = { provider: 'openai', model: 'gpt-4o', user_id: USER, metadata: { mail: USER } };
    await sendInParts(world.seed.projectId, world.seed.apiKey, [
      ...Array(2).fill(noted),
      { provider: 'openai', user_id: USER },
      { provider: 'openai', tags: { who: USER }, user_id: 'someone else' },
      { provider: 'openai', user_id: 'someone else' },
      { provider: 'openai', model: 'gpt-4o', user_id: USER, tags: { owner: USER, team: 'x' } },
      { provider: 'openai', model: 'gpt-4o', user_id: 'someone else', tags: { owner: USER, seen: [USER] } },
      ...someEvents(588),
      ...Array(2).fill(noted),
    ]);
    const ofFile = ['event_blocks', 'event_labels', 'event_log', 'event_segments', 'event_users'];
    expect(tablesWithText(world.ctx.db.path, USER)).toEqual([
      ...(isOnClickhouse ? ['event_outbox'] : ofFile),
      'quarantined_events',
    ]);
    for (const [name, search] of [
      ['gone', { userId: USER }],
      ['gone too', { tag: `owner=${USER}` }],
      ['stays', { userId: 'someone else', tag: `owner=${USER.slice(1)}` }],
      ['stays too', { tag: 'team=x' }],
    ])
      await world.fetch(`/v1/views?projectId=${world.seed.projectId}`, {
        bearer: world.seed.bearer,
        json: { name, search },
      });
    const erased = await world.app.act(eraseUser, { project: world.seed.projectId, userId: USER });
    expect(erased).toMatchObject({ status: 'done', progress: 1, deleted: { events: 201, refusedLines: 2 } });
    expect(tablesWithText(world.ctx.db.path, USER)).toEqual([]);
    const { views } = (await read('/v1/views', world.seed.projectId)) as { views: { name: string }[] };
    expect(views.map(({ name }) => name)).toEqual(['stays', 'stays too']);
    // And the same tags may come again.
    const tagged = { provider: 'openai', model: 'gpt-4o', tags: { owner: USER, team: 'x' } };
    world.clock.advance(1);
    await send(world.seed.apiKey, [tagged]);
    const { events } = (await read('/v1/events?limit=1', world.seed.projectId)) as {
      events: { tags: unknown }[];
    };
    expect(events[0]?.tags).toEqual(tagged.tags);
    const quarantine = (await read('/v1/quarantine', world.seed.projectId)) as { total: number };
    expect(quarantine.total).toBe(1);
  });

  test('takes what asks for the user, says how much that was, and leaves what has the id in other words', async () => {
    const { projectId, organizationId, bearer } = world.seed;
    const add = async (path: string, json: object): Promise<void> => {
      const { status } = await world.fetch(path, { bearer, json });
      expect([path, status]).toEqual([path, 201]);
    };
    const condition = { kind: 'threshold', operator: 'gt', critical: 0.1 };
    const alert = (name: string, filters: object) =>
      add(`/v1/alerts?projectId=${projectId}`, {
        name,
        measure: 'errorRate',
        window: '5m',
        filters,
        condition,
      });
    await alert('of 42', { filter: 'user:42' });
    await alert('of shard 42', { tag: 'shard=42' });
    await alert('of Grace', { filter: `model:gpt-4o user:"${USER}"` });
    for (const filter of ['user:4242', 'latency>4200', 'tag.shard:42', 'user:ann,42'])
      await add(`/v1/views?projectId=${projectId}`, { name: filter, search: { filter } });
    const of = (userId: string) => ({
      of: { kind: 'user', projectId, userId },
      period: 'month',
      limitUsd: 1,
    });
    await add(`/v1/budgets?organizationId=${organizationId}`, of(USER));
    const namesOf = async (path: string, list: string): Promise<string[]> => {
      const reply = (await read(path, projectId)) as Record<string, { name: string }[]>;
      return (reply[list] ?? []).map(({ name }) => name).toSorted();
    };
    await world.app.act(eraseUser, { project: projectId, userId: '42' });
    expect(await namesOf('/v1/alerts', 'alerts')).toEqual(['of Grace', 'of shard 42']);
    expect(await namesOf('/v1/views', 'views')).toEqual(['latency>4200', 'tag.shard:42', 'user:4242']);
    const told = (await auditRows(world.ctx, organizationId)).findLast(
      ({ action }) => action === 'end_user.erased',
    );
    expect(JSON.parse(told?.after ?? '').deleted).toEqual({
      events: 0,
      refusedLines: 0,
      alerts: 1,
      views: 1,
    });
    await world.app.act(eraseUser, { project: projectId, userId: USER });
    expect(await namesOf('/v1/alerts', 'alerts')).toEqual(['of shard 42']);
    const budgets = await world.fetch(`/v1/budgets?organizationId=${organizationId}`, { bearer });
    expect(await budgets.json()).toMatchObject({
      budgets: [{ name: expect.stringMatching(/^User erased-\w+ per month$/) }],
    });
  });

  test('waits once per user: requests before it begins are the same one, a later request is another', async () => {
    const idOf = async (userId: string) => ((await (await request(userId)).json()) as Erasure).id;
    const ids = await Promise.all(Array.from({ length: 5 }, () => idOf(USER)));
    expect(new Set(ids).size).toBe(1);
    expect(await idOf('somebody-else')).not.toBe(ids[0]);
    const told = await auditRows(world.ctx, world.seed.organizationId);
    expect(told.filter(({ action }) => action === 'end_user.erasure_requested')).toHaveLength(2);
    const stop = new AbortController();
    stop.abort();
    await erasureJob.run(world.ctx, stop.signal).catch(() => {});
    const second = await idOf(USER);
    expect(second).not.toBe(ids[0]);
    expect(await idOf(USER)).toBe(second);
  });

  test('has a receipt in the audit log, and reports its progress', async () => {
    await send(world.seed.apiKey, someEvents(90));
    const { id, userDigest } = (await (await request(USER)).json()) as Erasure;
    await run();
    const told = (await auditRows(world.ctx, world.seed.organizationId)).slice(-2);
    expect(told.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['end_user.erasure_requested', world.seed.userId],
      ['end_user.erased', 'system:erasure.run'],
    ]);
    const receipt = { erasure: id, userDigest, deleted: { events: 30, refusedLines: 0 } };
    expect(JSON.parse(told[1]?.after ?? '')).toEqual(receipt);
    const one = await world.fetch(`${erasures}${world.seed.projectId}/erasures/${id}`, {
      bearer: world.seed.bearer,
    });
    const list = await world.fetch(`${erasures}${world.seed.projectId}/erasures`, {
      bearer: world.seed.bearer,
    });
    const expected = {
      id,
      status: 'done',
      requestedAt: '2026-06-15T12:00:00.000Z',
      finishedAt: '2026-06-15T12:00:00.000Z',
      requestedBy: world.seed.userId,
      userDigest,
      waitsFor: null,
      progress: 1,
      deleted: receipt.deleted,
    };
    expect(await one.json()).toEqual(expected);
    expect(await list.json()).toEqual({ erasures: [expected] });
  });

  test('resumes after a stop at any slice, and counts each event once', async () => {
    const other = await twin();
    const events = someEvents(900);
    await sendInParts(world.seed.projectId, world.seed.apiKey, events);
    await send(
      other.apiKey,
      events.filter(({ user_id }) => user_id !== USER),
    );
    await request(USER);
    for (let round = 0; round < 20; round++) {
      const abort = new AbortController();
      // The moment of the stop is what differs from round to round.
      setTimeout(() => abort.abort(), 3 + ((round * 5) % 17));
      const result = await erasureJob.run(world.ctx, abort.signal).catch(() => null);
      if (result !== null) break;
    }
    await run();
    expect(await sumsOf(world.seed.projectId)).toEqual(await sumsOf(other.projectId));
    const [row] = await world.ctx.db.sql.all(sql`SELECT events, user_id FROM erasures`);
    expect(row).toEqual({ events: 300, user_id: null });
    expect([...storageFaults(world.ctx.db.path), ...sumFaults(world.ctx.db.path)]).toEqual([]);
  });

  test('changes nothing of another project, another user or a similar id', async () => {
    const other = await twin();
    const like = [USER.toUpperCase(), `${USER} `, `x${USER}`, '%', '_'];
    const events = like.map((user_id) => ({ provider: 'openai', model: 'gpt-4o', user_id }));
    await send(world.seed.apiKey, events);
    await send(other.apiKey, someEvents(30));
    const total = async (projectId: string) =>
      ((await read('/v1/events', projectId)) as { total: number }).total;
    const before = await total(other.projectId);
    await request(USER);
    await request("' OR 1=1 --");
    await request('%');
    expect(await run()).toEqual({ done: 3 });
    expect(await total(world.seed.projectId)).toBe(4);
    expect(await total(other.projectId)).toBe(before);
  });

  test('makes a user who returns start without history', async () => {
    await send(world.seed.apiKey, someEvents(60));
    await request(USER);
    await run();
    await send(world.seed.apiKey, [{ provider: 'openai', model: 'gpt-4o', user_id: USER, input_tokens: 1 }]);
    const { users } = (await read(
      '/v1/users?start=2026-06-15T00:00:00Z&end=2026-06-16T00:00:00Z',
      world.seed.projectId,
    )) as {
      users: { user_id: string; requests: number }[];
    };
    expect(users.filter(({ user_id }) => user_id === USER)).toEqual([
      expect.objectContaining({ requests: 1 }),
    ]);
    expect(users.filter(({ user_id }) => user_id.startsWith('erased-'))).toEqual([]);
  });

  test('is for admins', async () => {
    const { bearer } = await world.addUser('member');
    const refused = await world.fetch(`${erasures}${world.seed.projectId}/erasures`, {
      bearer,
      json: { userId: USER },
    });
    expect(refused.status).toBe(403);
    for (const wrong of [{}, { userId: '' }, { userId: 1 }, { user: USER }])
      expect(
        (
          await world.fetch(`${erasures}${world.seed.projectId}/erasures`, {
            bearer: world.seed.bearer,
            json: wrong,
          })
        ).status,
      ).toBe(400);
  });
});

test("an organization's erasure waits for one of another's, not for all of them", async () => {
  const other = await world.addTenant();
  const request = async ({ projectId, bearer }: Tenant, userId: string): Promise<void> => {
    const response = await world.fetch(`/v1/projects/${projectId}/erasures`, { bearer, json: { userId } });
    expect(response.status).toBe(202);
  };
  for (const user of ['a1', 'a2', 'a3']) await request(world.seed, user);
  await request(other, 'b1');
  const order: string[] = [];
  for (let next = await nextErasure(world.ctx, new Set()); next !== null; ) {
    order.push(next.userId);
    await world.ctx.db.sql.run(
      sql`UPDATE erasures SET finished_at = ${world.clock.now() + order.length} WHERE id = ${next.id}`,
    );
    next = await nextErasure(world.ctx, new Set());
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});
