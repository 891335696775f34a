import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Alert, AlertList } from '../../../src/features/alerts/contract.ts';
import type { Silence } from '../../../src/features/alerts/silences/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { ask, ERRORS, make } from './support.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

test('an alert is created with defaults, listed, read, replaced and deleted', async () => {
  const alert = await make(world, { name: 'Life' });
  expect(alert).toMatchObject({
    name: 'Life',
    enabled: true,
    filters: {},
    groupBy: null,
    minRequests: 0,
    forMinutes: 0,
    noData: 'ignore',
    renotifyMinutes: null,
    channelIds: [],
    opensIncident: false,
    state: 'ok',
    value: null,
    evaluatedAt: null,
    error: null,
  });
  const { body: list } = await ask<AlertList>(world, 'GET', 'alerts');
  expect(list.alerts.map(({ id }) => id)).toContain(alert.id);
  expect(list.totals).toMatchObject({ ok: list.alerts.length, all: list.alerts.length, most: 5_000 });

  const changed = { ...ERRORS, name: 'Life', enabled: false, groupBy: 'tag:team' };
  expect((await ask<Alert>(world, 'PUT', `alerts/${alert.id}`, changed)).body).toMatchObject({
    enabled: false,
    groupBy: 'tag:team',
  });
  expect((await ask(world, 'GET', `alerts/${alert.id}`)).body).toMatchObject({ states: [] });
  expect((await ask(world, 'DELETE', `alerts/${alert.id}`)).status).toBe(204);
  expect((await ask(world, 'GET', `alerts/${alert.id}`)).status).toBe(404);
  expect((await ask(world, 'DELETE', `alerts/${alert.id}`)).status).toBe(404);
});

test('a rule that cannot work is refused with what to write instead', async () => {
  const refused: [object, string][] = [
    [{ measure: 'errorrate' }, 'measure: '],
    [{ window: '3m' }, 'window: '],
    [{ groupBy: 'colour' }, 'groupBy: '],
    [{ filters: { tag: 'team' } }, 'filters.tag: must be NAME=VALUE'],
    [{ filters: { filter: 'modle:a' } }, 'filters.filter: there is no field "modle"; did you mean model?'],
    [{ filters: { colour: 'red' } }, 'There is no field colour in filters; known are model, provider'],
    [
      { condition: { kind: 'threshold', operator: 'gt', critical: 5 } },
      'condition.critical: errorRate is a fraction of 1; write 0.05 for 5 percent',
    ],
    [
      { condition: { kind: 'threshold', operator: 'gt', warning: 0.5, critical: 0.2 } },
      'condition.warning: must be below critical (0.2), so that a warning comes first',
    ],
    [
      { condition: { kind: 'threshold', operator: 'lt', warning: 0.1, critical: 0.2 } },
      'condition.warning: must be above critical (0.2), so that a warning comes first',
    ],
    [{ channelIds: ['chn_foreign'] }, 'channelIds: the organization has no channel chn_foreign'],
  ];
  for (const [change, message] of refused) {
    const { status, body } = await ask(world, 'POST', 'alerts', { ...ERRORS, ...change });
    expect(body.error).toContain(message);
    expect(status).toBe(400);
  }
});

test('names are unique in a project, and only there', async () => {
  await make(world, { name: 'Twice' });
  const { status, body } = await ask(world, 'POST', 'alerts', { ...ERRORS, name: 'Twice' });
  expect([status, body.error]).toEqual([409, 'There is an alert "Twice" already; choose another name']);
  const other = await world.addTenant();
  const response = await world.fetch(`/v1/alerts?projectId=${other.projectId}`, {
    bearer: other.bearer,
    json: { ...ERRORS, name: 'Twice' },
  });
  expect(response.status).toBe(201);
});

test('alerts come page by page, and an unknown cursor is refused', async () => {
  for (const name of ['Page a', 'Page b', 'Page c']) await make(world, { name });
  const { body: all } = await ask<AlertList>(world, 'GET', 'alerts');
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { body: AlertList } = await ask<AlertList>(
      world,
      'GET',
      `alerts?limit=2&cursor=${encodeURIComponent(cursor)}`,
    );
    names.push(...page.body.alerts.map(({ name }) => name));
    cursor = page.body.nextCursor;
  }
  expect(names).toEqual(all.alerts.map(({ name }) => name));
  expect((await ask(world, 'GET', 'alerts?cursor=nonsense')).status).toBe(400);
  expect((await ask(world, 'GET', `alerts/${all.alerts[0]?.id}/history?cursor=nonsense`)).status).toBe(400);
});

test('an alert of another project is not found', async () => {
  const alert = await make(world, { name: 'Foreign' });
  const other = await world.addTenant('Initech');
  const response = await world.fetch(`/v1/alerts/${alert.id}?projectId=${other.projectId}`, {
    bearer: other.bearer,
  });
  expect(response.status).toBe(404);
});

test('a silence is of a project, an alert or a group, and ends', async () => {
  const alert = await make(world, { name: 'Quiet', groupBy: 'model' });
  const until = new Date(world.clock.now() + 3_600_000).toISOString();
  const { body: silence } = await ask<Silence>(world, 'POST', 'silences', {
    alertId: alert.id,
    until,
    reason: 'Migration',
  });
  expect(silence).toMatchObject({ alertId: alert.id, alert: 'Quiet', group: null, until });
  expect((await ask<Alert>(world, 'GET', `alerts/${alert.id}`)).body.silencedUntil).toBe(until);
  expect((await ask(world, 'DELETE', `silences/${silence.id}`)).status).toBe(204);
  expect((await ask<Alert>(world, 'GET', `alerts/${alert.id}`)).body.silencedUntil).toBeNull();

  const past = new Date(world.clock.now() - 1).toISOString();
  const refused: [object, number][] = [
    [{ until: past, reason: 'x' }, 400],
    [{ until, reason: '' }, 400],
    [{ until, reason: 'x', group: 'gpt-4o' }, 400],
    [{ until, reason: 'x', alertId: 'alr_missing' }, 404],
  ];
  for (const [body, status] of refused)
    expect((await ask(world, 'POST', 'silences', body)).status).toBe(status);
});

test('a filter leaves the alerts that match, page by page in the usual order; what it cannot read is 400', async () => {
  const own = await openTestApp();
  for (let place = 0; place < 24; place++)
    await make(own, {
      name: `Rule ${String(place).padStart(2, '0')}`,
      enabled: place % 4 !== 0,
      groupBy: place % 3 === 0 ? 'model' : null,
      filters: place % 2 === 0 ? { environment: 'production' } : { model: 'gpt-4o' },
    });
  const { alerts: all } = (await ask<AlertList>(own, 'GET', 'alerts')).body;
  const filtered = async (filter: string, limit: number): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/alerts?projectId=${own.seed.projectId}&limit=${limit}&filter=${encodeURIComponent(filter)}${more}`;
      const reply = await own.fetch(path, { bearer: own.seed.bearer });
      expect(reply.status).toBe(200);
      const body = (await reply.json()) as AlertList;
      expect(body.alerts.length).toBeLessThanOrEqual(limit);
      found.push(...body.alerts.map(({ name }) => name));
      cursor = body.nextCursor;
    }
    return found;
  };
  const holds: [string, (alert: Alert) => boolean][] = [
    ['', () => true],
    ['group:model', ({ groupBy }) => groupBy === 'model'],
    ['enabled:false environment:production', ({ enabled, filters }) => !enabled && 'environment' in filters],
    ['-model:*', ({ filters }) => !('model' in filters)],
    ['name:*1 state:ok measure:errorRate', ({ name }) => name.endsWith('1')],
    ['"rule 0" -kind:anomaly', ({ name }) => name.startsWith('Rule 0')],
    ['firing>0', () => false],
  ];
  for (const [filter, test] of holds)
    for (const limit of [1, 5, 200])
      expect([filter, await filtered(filter, limit)]).toEqual([
        filter,
        all.filter(test).map(({ name }) => name),
      ]);
  const refused = `/v1/alerts?projectId=${own.seed.projectId}&filter=modle:a`;
  const reply = await own.fetch(refused, { bearer: own.seed.bearer });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('did you mean model?')]);
  await own.close();
});
