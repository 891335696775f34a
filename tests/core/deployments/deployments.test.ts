import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTokenAction } from '../../../src/core/access-tokens/index.ts';
import type { DeploymentEffect, ReportedDeployment } from '../../../src/core/deployments/contract.ts';
import { formatInstant, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { auditRows } from '../audit/rows.ts';
import { brief, openProject } from './world.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
});
afterAll(() => world.close());

const NOW = formatInstant(TEST_NOW);
const ago = (ms: number): string => formatInstant(TEST_NOW - ms);
const V1 = { release: '1.0', environment: 'production' };

describe('reported deployments', () => {
  test('are one for each release and environment; a repetition says what it changed', async () => {
    const { call, list } = await openProject(world);
    const first = await call<ReportedDeployment>('POST', '', { ...V1, commit: 'abc' });
    expect(first).toMatchObject({ status: 201, body: { at: NOW, source: 'reported', created: true } });
    const again = await call<ReportedDeployment>('POST', '', { ...V1, commit: 'abc' });
    expect(again.body).toEqual({ ...first.body, created: false, changed: [] });
    const more = { ...V1, at: ago(HOUR_MS), commit: 'abd', url: 'https://ci.example.com/1', title: 'one' };
    const changed = await call<ReportedDeployment>('POST', '', more);
    expect(changed.body).toEqual({
      ...first.body,
      ...more,
      created: false,
      changed: ['at', 'commit', 'url', 'title'],
    });
    await call('POST', '', { ...V1, environment: 'staging' });
    expect((await list()).deployments.map(({ environment }) => environment)).toEqual([
      'staging',
      'production',
    ]);
    const actions = (await auditRows(world.ctx)).filter(({ subject_id }) => subject_id === first.body.id);
    expect(actions.map(({ action }) => action)).toEqual(['deployment.created', 'deployment.updated']);
  });

  test('two requests at once make one', async () => {
    const { call, list } = await openProject(world);
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title) => call<ReportedDeployment>('POST', '', { ...V1, title })),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(replies.filter(({ body }) => body.created).length).toBe(1);
    expect((await list()).deployments.length).toBe(1);
  });

  test.each([
    [{ release: '1' }, /^environment/],
    [{ ...V1, release: ' ' }, /^release/],
    [{ ...V1, release: 'a\nb' }, /control characters/],
    [{ ...V1, release: 'x'.repeat(201) }, /^release/],
    [{ ...V1, url: 'javascript:alert(1)' }, /^url: must be a link that starts with https/],
    [{ ...V1, url: 'data:text/html,x' }, /^url/],
    [{ ...V1, url: '/relative' }, /^url/],
    [{ ...V1, url: 'https://token@ci.example.com/' }, /must not contain a user name/],
    [{ ...V1, at: 'yesterday' }, /^at: must be ISO 8601/],
    [{ ...V1, at: ago(-25 * HOUR_MS) }, /^at: must not be more than a day ahead/],
    [{ ...V1, at: '1999-01-01T00:00:00Z' }, /^at: must not be more than 10 years back/],
    [{ ...V1, sha: 'abc' }, /sha/],
  ])('%j is refused', async (body, message) => {
    const { call } = await openProject(world);
    const reply = await call<{ error: string }>('POST', '', body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(message);
  });

  test('are listed by time, page by page, with filters', async () => {
    const { call, list } = await openProject(world);
    const names = ['1', '2', '3', '4', '5'];
    // Two at the same time: the cursor tells them apart.
    for (const release of names)
      await call('POST', '', {
        release,
        environment: 'production',
        at: ago((6 - Math.ceil(Number(release) / 2)) * HOUR_MS),
      });
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    const third = await list(`limit=2&cursor=${encodeURIComponent(second.nextCursor ?? '')}`);
    const all = [first, second, third].flatMap(({ deployments }) =>
      deployments.map(({ release }) => release),
    );
    expect(all.toSorted()).toEqual(names);
    expect(third.nextCursor).toBeNull();
    expect((await list('cursor=nonsense')) as unknown).toEqual({
      error: 'cursor was not returned by this endpoint',
    });
    expect((await list(`start=${ago(4 * HOUR_MS)}`)).deployments.map(({ release }) => release)).toEqual(
      ['4', '3', '5'].toSorted((a, b) => all.indexOf(a) - all.indexOf(b)),
    );
    expect((await list('release=2')).deployments.length).toBe(1);
    expect((await list('environment=staging')).deployments).toEqual([]);
  });

  test('belong to one project; a deleted one comes back only by a request', async () => {
    const [own, other] = [await openProject(world), await openProject(world)];
    const { body } = await own.call<ReportedDeployment>('POST', '', V1);
    expect((await other.list()).deployments).toEqual([]);
    expect((await other.call('DELETE', `/${body.id}`)).status).toBe(404);
    expect((await other.call('GET', `/${body.id}/effect`)).status).toBe(404);
    expect((await own.call('DELETE', `/${body.id}`)).status).toBe(204);
    expect((await own.call('DELETE', `/${body.id}`)).status).toBe(404);
    await own.ingest({ release: '1.0' });
    expect((await own.list()).deployments).toEqual([]);
    const again = await own.call<ReportedDeployment>('POST', '', { ...V1, title: 'again' });
    expect(again.body).toMatchObject({ id: body.id, created: true, title: 'again', firstEventAt: NOW });
    expect((await own.list()).deployments.length).toBe(1);
  });

  test('are reported by an access token with the scope, and by no other', async () => {
    const { id: projectId, call } = await openProject(world);
    const token = async (scope: 'read' | 'deployments:write') =>
      (
        await world.app.act(createTokenAction, {
          organization: 'Acme',
          name: scope,
          scopes: [scope],
          projectId,
        })
      ).token;
    const [ci, reader] = [await token('deployments:write'), await token('read')];
    const made = await call<ReportedDeployment>('POST', '', V1, ci);
    expect(made.status).toBe(201);
    expect((await call('POST', '', V1, reader)).status).toBe(403);
    expect((await call('GET', '', undefined, ci)).status).toBe(403);
    expect((await call('GET', '', undefined, reader)).status).toBe(200);
    expect((await call('DELETE', `/${made.body.id}`, undefined, ci)).status).toBe(204);
    const [entry] = (await auditRows(world.ctx)).filter(({ subject_id }) => subject_id === made.body.id);
    expect(entry?.actor_kind).toBe('token');
  });
});

describe('the effect of a deployment', () => {
  const calls = (count: number, at: number, fields: object) =>
    Array.from({ length: count }, (_, i) => ({
      timestamp: formatInstant(at + i * 1_000),
      environment: 'production',
      ...fields,
    }));

  test('compares windows of equal length in its environment', async () => {
    const { call, ingest, list } = await openProject(world);
    const at = TEST_NOW - 2 * HOUR_MS;
    await call('POST', '', { ...V1, at: formatInstant(at) });
    await call('POST', '', { ...V1, release: '0.9', at: formatInstant(at - HOUR_MS) });
    const failed = { status: 'error', error_code: '500' };
    // Beyond the two hours before, and of another environment: in neither window.
    await ingest(...calls(50, at - 3 * HOUR_MS, { cost_usd: 9, latency_ms: 9_000 }));
    await ingest(...calls(50, at + MINUTE_MS, { cost_usd: 9, latency_ms: 9_000, environment: 'staging' }));
    await ingest(...calls(40, at - HOUR_MS, { cost_usd: 0.2, latency_ms: 100 }));
    await ingest(...calls(60, at + MINUTE_MS, { cost_usd: 0.1, latency_ms: 150 }));
    await ingest(...calls(20, at + HOUR_MS, { cost_usd: 0.1, latency_ms: 300, ...failed }));
    const [deployment] = (await list('release=1.0&effectHours=24')).deployments;
    const effect = deployment?.effect as DeploymentEffect;
    expect(effect.before).toMatchObject({
      start: formatInstant(at - 2 * HOUR_MS),
      end: formatInstant(at),
      calls: 40,
      costPerCall: expect.closeTo(0.2, 9),
      errorRate: 0,
    });
    expect(effect.after).toMatchObject({ end: NOW, calls: 80, errorRate: 0.25 });
    expect(effect.after.costPerCall).toBeCloseTo(0.1, 9);
    expect([effect.before.latencyP50, effect.after.latencyP50, effect.after.latencyP95]).toEqual([
      100, 150, 300,
    ]);
    expect(effect.change).toEqual({
      costPerCall: expect.closeTo(-0.5, 9),
      latencyP50: expect.closeTo(0.5, 9),
      latencyP95: expect.closeTo(2, 9),
      errorRate: 0.25,
    });
    expect(effect.others.map(({ release }) => release)).toEqual(['0.9']);
    expect(effect.note).toBe('1 other deployment in the same time: 0.9.');
    const alone = await call<DeploymentEffect>('GET', `/${deployment?.id}/effect?hours=24`);
    expect(alone.body).toMatchObject({ ...effect, deployment: brief(deployment as never) });
  });

  test('has no figure where calls are too few, and says so', async () => {
    const { call, ingest } = await openProject(world);
    const at = TEST_NOW - HOUR_MS;
    const { body } = await call<ReportedDeployment>('POST', '', { ...V1, at: formatInstant(at) });
    await ingest(...calls(29, at - MINUTE_MS, { cost_usd: 1, latency_ms: 5 }));
    await ingest(...calls(99, at, { model: 'nobody-knows-it', latency_ms: 5 }));
    const effect = (await call<DeploymentEffect>('GET', `/${body.id}/effect`)).body;
    expect(effect).toMatchObject({
      enough: false,
      before: { calls: 29, costPerCall: null, latencyP50: null, latencyP95: null, errorRate: null },
      after: { calls: 99, unpriced: 99, costPerCall: null, latencyP50: 5, errorRate: 0 },
      change: { costPerCall: null, latencyP50: null, latencyP95: null, errorRate: null },
      note: 'Not enough calls: 29 before and 99 after; each side needs 30.',
    });
  });

  test('of one in the future has empty windows', async () => {
    const { call } = await openProject(world);
    const { body } = await call<ReportedDeployment>('POST', '', { ...V1, at: ago(-HOUR_MS) });
    const effect = (await call<DeploymentEffect>('GET', `/${body.id}/effect?hours=1`)).body;
    expect(effect).toMatchObject({ enough: false, before: { calls: 0 }, after: { calls: 0 } });
    expect((await call('GET', `/${body.id}/effect?hours=169`)).status).toBe(400);
  });
});
