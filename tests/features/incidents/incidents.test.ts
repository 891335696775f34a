import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { AlertChange } from '../../../src/core/alerts/index.ts';
import { createProject } from '../../../src/core/projects/index.ts';
import { followAlert } from '../../../src/features/incidents/alerts/follow-alerts.ts';
import { resolveHealthy } from '../../../src/features/incidents/alerts/resolve-healthy.ts';
import type { Incident, IncidentStats, IncidentSummary } from '../../../src/features/incidents/contract.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let other: Tenant;
let member: { userId: string; email: string; bearer: string };
let viewer: { userId: string; email: string; bearer: string };
let projects = 0;
let projectId = '';
let changes = 0;

beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  other = await world.addTenant();
  member = await world.addUser('member');
  viewer = await world.addUser('viewer');
});
afterAll(() => world.close());

/** Each test has a project of its own. */
beforeEach(async () => {
  const input = { organization: world.seed.organizationId, name: `project ${projects++}` };
  projectId = (await world.app.act(createProject, input)).id;
});

type Send = { readonly bearer?: string; readonly json?: unknown; readonly method?: string };
const send = (path: string, { bearer = world.seed.bearer, ...init }: Send = {}): Promise<Response> => {
  const sign = path.includes('?') ? '&' : '?';
  return world.fetch(`/v1/incidents${path}${sign}projectId=${projectId}`, { bearer, ...init });
};
async function get<T = Incident>(path: string, init: Send = {}): Promise<T> {
  const response = await send(path, init);
  if (response.status > 201) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
const list = async (query = ''): Promise<IncidentSummary[]> =>
  (await get<{ incidents: IncidentSummary[] }>(query)).incidents;
const step = (incident: { id: string }, name: string, json: unknown = {}): Promise<Incident> =>
  get(`/${incident.id}/${name}`, { method: 'POST', json });
const open = (json: object = {}): Promise<Incident> =>
  get('', { method: 'POST', json: { title: 'Search is slow', ...json } });

function alertChange(given: Partial<AlertChange> = {}): AlertChange {
  return {
    id: `change ${changes++}`,
    outcome: 'fired',
    organizationId: world.seed.organizationId,
    projectId,
    alertId: 'alr_1',
    name: 'Error rate',
    measure: 'errorRate',
    groupBy: null,
    group: null,
    dimensions: { model: 'gpt-4o' },
    severity: 'warning',
    previousSeverity: null,
    value: 0.2,
    threshold: 0.1,
    baseline: null,
    windowStart: TEST_NOW - 15 * MINUTE_MS,
    windowEnd: TEST_NOW,
    at: TEST_NOW,
    silenced: false,
    channelIds: [],
    summary: 'Error rate is 20.0% (over 10.0%)',
    ...given,
  };
}
const follow = (given: Partial<AlertChange> = {}) => followAlert(world.ctx, alertChange(given));

async function addChannel(): Promise<string> {
  const response = await world.fetch(`/v1/channels?organizationId=${world.seed.organizationId}`, {
    bearer: world.seed.bearer,
    json: {
      name: `channel ${changes++}`,
      kind: 'email',
      config: { to: ['ops@example.com'] },
      types: [],
    },
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}
async function told(channelId: string): Promise<{ type: string; title: string }[]> {
  const response = await world.fetch(
    `/v1/deliveries?organizationId=${world.seed.organizationId}&channelId=${channelId}`,
    { bearer: world.seed.bearer },
  );
  const { deliveries } = (await response.json()) as { deliveries: { type: string; title: string }[] };
  return deliveries.reverse();
}
const kinds = ({ timeline }: Incident): string[] => timeline.map(({ kind }) => kind);

describe('incidents of alerts', () => {
  test('an alert opens one, and a change of it again and again is followed once', async () => {
    const channelId = await addChannel();
    const change = alertChange({ channelIds: [channelId] });
    await Promise.all([1, 2, 3].map(() => followAlert(world.ctx, change)));
    await followAlert(world.ctx, change);
    const [incident, ...more] = await list();
    expect(more).toEqual([]);
    expect(incident).toMatchObject({
      number: 1,
      title: 'Error rate',
      severity: 'warning',
      status: 'open',
      dimensions: { model: 'gpt-4o' },
      firing: 1,
    });
    expect(await told(channelId)).toEqual([
      expect.objectContaining({ type: 'incident.opened', title: 'Incident #1 opened: Error rate' }),
    ]);
    expect(kinds(await get(`/${incident?.id}`))).toEqual(['opened']);
  });

  test('a repeated change opens no incident after people resolved the first', async () => {
    const change = alertChange();
    await followAlert(world.ctx, change);
    const [incident] = await list();
    if (incident === undefined) throw new Error('no incident');
    await step(incident, 'resolve');
    await followAlert(world.ctx, change);
    expect(await list()).toHaveLength(1);
    await follow({ at: TEST_NOW + MINUTE_MS });
    expect((await list()).map(({ number, status }) => [number, status])).toEqual([
      [2, 'open'],
      [1, 'resolved'],
    ]);
  });

  test.each<[string, Partial<AlertChange>, number]>([
    ['the same model', { dimensions: { model: 'gpt-4o' } }, 1],
    ['another model', { dimensions: { model: 'claude' } }, 2],
    ['the same model in another environment', { dimensions: { model: 'gpt-4o', environment: 'staging' } }, 1],
    ['all calls', { dimensions: {} }, 1],
    ['another user of no such dimension', { dimensions: { user: 'u-1' } }, 1],
    ['another release only', { dimensions: { release: 'v2' } }, 2],
    ['the same model an hour later', { at: TEST_NOW + HOUR_MS }, 2],
  ])('another alert about %s joins or opens one', async (_, given, count) => {
    await follow();
    await follow({ alertId: 'alr_2', name: 'Latency', ...given });
    expect(await list()).toHaveLength(count);
  });

  test('a joining alert raises the severity, and healthy alerts resolve it after 15 minutes', async () => {
    const channelId = await addChannel();
    const channelIds = [channelId];
    await follow({ channelIds });
    await follow({ alertId: 'alr_2', name: 'Latency', severity: 'critical', channelIds });
    const [incident] = await list();
    expect(incident).toMatchObject({ severity: 'critical', firing: 2 });
    await follow({ outcome: 'resolved', severity: null, channelIds });
    await resolve(30 * MINUTE_MS);
    expect((await list())[0]?.status).toBe('open');
    world.clock.set(TEST_NOW);
    await follow({ alertId: 'alr_2', outcome: 'resolved', severity: null, channelIds });
    await resolve(14 * MINUTE_MS);
    expect((await list())[0]?.status).toBe('open');
    await resolve(15 * MINUTE_MS);
    const done = await get(`/${incident?.id}`);
    expect(done.status).toBe('resolved');
    expect(kinds(done)).toEqual(['opened', 'alert_joined', 'alert_resolved', 'alert_resolved', 'resolved']);
    expect((await told(channelId)).map(({ type }) => type)).toEqual([
      'incident.opened',
      'incident.updated',
      'incident.resolved',
    ]);
    world.clock.set(TEST_NOW);
  });

  test('an alert that fires again keeps it open', async () => {
    await follow();
    await follow({ outcome: 'resolved' });
    await follow({ at: TEST_NOW + MINUTE_MS });
    await resolve(HOUR_MS);
    expect(await list()).toMatchObject([{ status: 'open', firing: 1 }]);
    world.clock.set(TEST_NOW);
  });

  test('a project chooses when incidents resolve themselves, or never', async () => {
    await get('/settings', { method: 'PUT', json: { autoResolveMinutes: null } });
    await follow();
    await follow({ outcome: 'resolved' });
    await resolve(24 * HOUR_MS);
    expect((await list())[0]?.status).toBe('open');
    await get('/settings', { method: 'PUT', json: { autoResolveMinutes: 60 } });
    expect(await get<object>('/settings')).toEqual({ autoResolveMinutes: 60 });
    await resolve(24 * HOUR_MS);
    expect((await list())[0]?.status).toBe('resolved');
    world.clock.set(TEST_NOW);
  });

  test('a silenced alert opens an incident that notifies nobody; a resolved alert opens none', async () => {
    const channelId = await addChannel();
    await follow({ outcome: 'resolved', channelIds: [channelId] });
    expect(await list()).toEqual([]);
    await follow({ silenced: true, channelIds: [channelId] });
    expect(await list()).toHaveLength(1);
    expect(await told(channelId)).toEqual([]);
  });

  async function resolve(after: number): Promise<void> {
    world.clock.set(TEST_NOW + after);
    await resolveHealthy.run(world.ctx, new AbortController().signal);
  }
});

describe('what people do', () => {
  test('the whole way of an incident, with who and when', async () => {
    const made = await open({ measure: 'latencyP95', dimensions: { model: 'gpt-4o' } });
    expect(made).toMatchObject({ number: 1, status: 'open', severity: 'warning', filter: 'model:gpt-4o' });
    const taken = await get(`/${made.number}/acknowledge`, { method: 'POST', bearer: member.bearer });
    expect(taken.status).toBe('acknowledged');
    expect(taken.assignee?.id).toBe(member.userId);
    await step(made, 'comments', { text: '<b>found</b> it' });
    await get(`/${made.id}`, {
      method: 'PUT',
      json: { title: 'Slow gpt-4o', severity: 'critical', notes: '# Plan', assigneeId: world.seed.userId },
    });
    await step(made, 'resolve', { text: 'rolled back' });
    const done = await get(`/${made.id}`);
    expect(done).toMatchObject({
      title: 'Slow gpt-4o',
      severity: 'critical',
      notes: '# Plan',
      status: 'resolved',
    });
    expect(kinds(done)).toEqual([
      'opened',
      'acknowledged',
      'commented',
      'title_changed',
      'severity_changed',
      'notes_changed',
      'assigned',
      'resolved',
    ]);
    expect(done.timeline[1]?.person?.id).toBe(member.userId);
    expect(done.timeline[2]?.text).toBe('<b>found</b> it');
    const again = await step(made, 'reopen');
    expect(again).toMatchObject({ status: 'open', resolvedAt: null });
  });

  test('one that is opened by hand notifies the channels that were chosen, of its own organization only', async () => {
    const [chosen, silent] = [await addChannel(), await addChannel()];
    const incident = await open({ channelIds: [chosen] });
    await step(incident, 'resolve');
    expect((await told(chosen)).map(({ type }) => type)).toEqual(['incident.opened', 'incident.resolved']);
    expect(await told(silent)).toEqual([]);
    const foreign = await send('', { method: 'POST', json: { title: 'x', channelIds: ['chn_foreign'] } });
    expect([foreign.status, await foreign.json()]).toEqual([
      400,
      {
        error:
          'channelIds: the organization has no channel chn_foreign; GET /v1/channels lists those that it has',
      },
    ]);
  });

  test('the same step twice is one entry', async () => {
    const made = await open();
    await Promise.all([step(made, 'acknowledge'), step(made, 'acknowledge')]);
    expect(kinds(await get(`/${made.id}`))).toEqual(['opened', 'acknowledged']);
  });

  test('of an alert that both incidents have, the merged one has the newer state', async () => {
    await follow({ dimensions: { model: 'a' } });
    const [first] = await list();
    await step(first as IncidentSummary, 'resolve');
    // It fires again, in an incident of its own, and the first one is reopened.
    await follow({ dimensions: { model: 'a' }, at: TEST_NOW + MINUTE_MS });
    const [second] = await list();
    await step(first as IncidentSummary, 'reopen');
    await follow({ outcome: 'resolved', dimensions: { model: 'a' }, at: TEST_NOW + 2 * MINUTE_MS });
    const merged = await step(first as IncidentSummary, 'merge', { into: second?.id });
    const states = merged.alerts.map(({ state, lastAt }) => [state, Date.parse(lastAt) - TEST_NOW]);
    expect(states).toEqual([['resolved', 2 * MINUTE_MS]]);
    expect(merged.healthySince).not.toBeNull();
  });

  test('one is merged into another, which takes over its alerts', async () => {
    await follow();
    await follow({ alertId: 'alr_2', dimensions: { model: 'claude' }, severity: 'critical' });
    const [second, first] = await list();
    if (first === undefined || second === undefined) throw new Error('no incidents');
    const merged = await step(second, 'merge', { into: String(first.number) });
    expect(merged).toMatchObject({ id: first.id, severity: 'critical' });
    expect(merged.alerts.map(({ alertId }) => alertId)).toEqual(['alr_1', 'alr_2']);
    expect(await get(`/${second.id}`)).toMatchObject({ status: 'resolved', mergedInto: first.id });
    await follow({ alertId: 'alr_2', dimensions: { model: 'claude' }, outcome: 'resolved' });
    expect((await list('?status=unresolved')).map(({ id, firing }) => [id, firing])).toEqual([[first.id, 1]]);
    expect((await send(`/${second.id}/reopen`, { method: 'POST', json: {} })).status).toBe(409);
    expect((await send(`/${first.id}/merge`, { method: 'POST', json: { into: first.id } })).status).toBe(409);
  });

  test.each<[string, string, string, unknown, number]>([
    ['an unknown incident', 'GET', '/inc_none', undefined, 404],
    ['an unknown number', 'GET', '/99', undefined, 404],
    ['no title', 'POST', '', {}, 400],
    ['an unknown field', 'POST', '', { title: 'x', color: 'red' }, 400],
    ['a start in the future', 'POST', '', { title: 'x', startedAt: '2099-01-01T00:00:00Z' }, 400],
    ['nothing to change', 'PUT', '/1', {}, 400],
    ['an assignee of elsewhere', 'PUT', '/1', { assigneeId: 'usr_none' }, 400],
    ['an empty comment', 'POST', '/1/comments', { text: '  ' }, 400],
    ['a strange cursor', 'GET', '?cursor=x', undefined, 400],
    ['minutes below one', 'PUT', '/settings', { autoResolveMinutes: 0 }, 400],
  ])('refuses %s', async (_, method, path, json, status) => {
    await open();
    const response = await send(path, { method, ...(json === undefined ? {} : { json }) });
    expect(response.status).toBe(status);
  });

  test('viewers read, others see nothing', async () => {
    const made = await open();
    expect((await send('', { bearer: viewer.bearer })).status).toBe(200);
    expect((await send(`/${made.id}/acknowledge`, { method: 'POST', bearer: viewer.bearer })).status).toBe(
      403,
    );
    expect((await send('', { bearer: other.bearer })).status).toBe(403);
    const foreign = await world.fetch(`/v1/incidents/${made.id}?projectId=${other.projectId}`, {
      bearer: other.bearer,
    });
    expect(foreign.status).toBe(404);
  });

  test('a list goes on page by page, open ones first', async () => {
    for (let i = 0; i < 5; i++) {
      world.clock.advance(MINUTE_MS);
      const made = await open({ title: `incident ${i}` });
      if (i % 2 === 0) await step(made, 'resolve');
    }
    world.clock.set(TEST_NOW);
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await get<{ incidents: IncidentSummary[]; nextCursor: string | null }>(
        `?limit=2${cursor}`,
      );
      seen.push(...page.incidents.map(({ number }) => number));
      cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
    } while (cursor !== '');
    expect(seen).toEqual([4, 2, 5, 3, 1]);
  });
});

test('statistics: by week, with mean times; merged ones do not count', async () => {
  world.clock.set(Date.UTC(2026, 5, 9, 10));
  const [first, second] = [await open(), await open({ severity: 'critical' })];
  world.clock.advance(10 * MINUTE_MS);
  await step(first, 'acknowledge');
  world.clock.advance(50 * MINUTE_MS);
  await step(first, 'resolve');
  world.clock.set(TEST_NOW);
  const third = await open();
  await step(third, 'merge', { into: second.id });
  const doc = await get<IncidentStats>('/stats');
  expect(doc.weeks).toHaveLength(12);
  expect(doc.weeks.at(-2)).toEqual({
    week: '2026-06-08',
    incidents: 2,
    critical: 1,
    acknowledged: 1,
    resolved: 1,
    mttaMs: 10 * MINUTE_MS,
    mttrMs: HOUR_MS,
  });
  expect(doc.weeks.at(-1)).toMatchObject({ week: '2026-06-15', incidents: 0, mttaMs: null });
  expect(doc.open).toBe(1);
  expect((await send('/stats?start=1900-01-01T00:00:00Z')).status).toBe(400);
});

test('the root cause of an incident explains its window over its calls', async () => {
  const doc = await get<{ status: string; measure: string; window: { start: string } }>(
    `/${(await open({ measure: 'latencyP95', dimensions: { model: 'gpt-4o' } })).id}/root-cause`,
  );
  expect(doc).toMatchObject({ measure: 'latencyP95', status: 'no_calls' });
  expect(doc.window.start).toBe(new Date(TEST_NOW - HOUR_MS).toISOString());
});
