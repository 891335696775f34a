import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createProject } from '../../../src/core/projects/index.ts';
import {
  type Dashboard,
  dashboardSchema,
  type ListedDashboard,
  MAX_DASHBOARDS,
} from '../../../src/features/dashboards/contract.ts';
import { importDashboardAction } from '../../../src/features/dashboards/index.ts';
import { dashboards } from '../../../src/features/dashboards/table.ts';
import { erasureJob as runErasures } from '../../../src/features/erasure/jobs.ts';
import { auditRows } from '../../core/audit/rows.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole } from '../../helpers/people.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
});
afterEach(() => world.close());

const path = (id = '', projectId = world.seed.projectId): string =>
  `/v1/dashboards${id === '' ? '' : `/${id}`}?projectId=${projectId}`;
const tile = { id: 'cost', title: 'Cost', kind: 'bars', measures: ['cost'], x: 0, y: 0, w: 6, h: 4 };
const save = (body: object, bearer = world.seed.bearer) => ask('POST', path(), bearer, body);
const made = async (body: object, bearer = world.seed.bearer): Promise<Dashboard> => {
  const reply = await save(body, bearer);
  expect([body, reply.status]).toEqual([body, 201]);
  return dashboardSchema.strict().parse(reply.body);
};
const names = async (bearer: string): Promise<string[]> =>
  ((await ask('GET', path(), bearer)).body as { dashboards: ListedDashboard[] }).dashboards.map(
    ({ name }) => name,
  );

describe('who sees and changes a dashboard', () => {
  test('a shared one is seen by all and changed by its author and admins; a private one is its author’s', async () => {
    const { member, viewer, admin } = await everyRole(world);
    const shared = await made({ name: 'Team', tiles: [tile] }, member.bearer);
    const own = await made({ name: 'Mine', shared: false }, member.bearer);
    expect(shared).toMatchObject({ shared: true, revision: 1, createdBy: member.userId });
    expect(await names(member.bearer)).toEqual(['Mine', 'Team']);
    expect(await names(viewer.bearer)).toEqual(['Team']);
    expect(await names(admin.bearer)).toEqual(['Team']);

    const other = await world.addUser('member');
    const status = async (method: string, id: string, bearer: string): Promise<number> =>
      (await ask(method, path(id), bearer, method === 'PUT' ? { name: 'X', tiles: [] } : undefined)).status;
    expect(await status('PUT', shared.id, other.bearer)).toBe(403);
    expect(await status('DELETE', shared.id, other.bearer)).toBe(403);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect([method, await status(method, own.id, admin.bearer)]).toEqual([method, 404]);
    expect(await status('PUT', shared.id, admin.bearer)).toBe(200);
    expect(await status('DELETE', own.id, member.bearer)).toBe(204);
  });

  test('is its project’s only', async () => {
    const { id } = await made({ name: 'Team' });
    const other = await world.app.act(createProject, { organization: 'Acme', name: 'second' });
    expect((await ask('GET', path(id, other.id), world.seed.bearer)).status).toBe(404);
    expect((await ask('DELETE', path(id, other.id), world.seed.bearer)).status).toBe(404);
  });

  test('one that an admin makes private goes to its author', async () => {
    const { member, admin } = await everyRole(world);
    const { id } = await made({ name: 'Team' }, member.bearer);
    const reply = await ask('PUT', path(id), admin.bearer, { name: 'Team', shared: false });
    expect(reply.status).toBe(200);
    expect([await names(member.bearer), await names(admin.bearer)]).toEqual([['Team'], []]);
  });
});

describe('changes', () => {
  test('of a revision that is not the newest are refused, and nothing is lost', async () => {
    const { id, revision } = await made({ name: 'Team', tiles: [tile] });
    const put = (body: object) => ask('PUT', path(id), world.seed.bearer, { name: 'Team', ...body });
    expect((await put({ tiles: [], revision })).status).toBe(200);
    const late = await put({ tiles: [tile], revision });
    expect(late).toMatchObject({ status: 409, body: { error: expect.stringContaining('load it again') } });
    expect((await ask('GET', path(id), world.seed.bearer)).body).toMatchObject({ tiles: [], revision: 2 });
  });

  test('a name is taken once among shared ones, and once among those of a person', async () => {
    await made({ name: 'Team' });
    expect((await save({ name: ' Team ' })).status).toBe(409);
    await made({ name: 'Team', shared: false });
    expect((await save({ name: 'Team', shared: false })).status).toBe(409);
  });

  test('there is a most, with a clear answer', async () => {
    for (let n = 0; n < MAX_DASHBOARDS; n++) await made({ name: `d${n}` });
    expect(await save({ name: 'one more' })).toMatchObject({
      status: 409,
      body: { error: 'A project has at most 100 dashboards; delete one first' },
    });
  });

  test.each([
    ['two tiles of one id', [tile, tile]],
    ['a tile beyond the grid', [{ ...tile, x: 8 }]],
    ['a filter that cannot be read', [{ ...tile, filter: 'latency>soon' }]],
    ['a matrix of one dimension', [{ ...tile, kind: 'matrix', groupBy: ['model'] }]],
    ['an unknown measure', [{ ...tile, measures: ['happiness'] }]],
    ['no measure', [{ ...tile, measures: [] }]],
    ['an unknown dimension', [{ ...tile, groupBy: ['weather'] }]],
    ['a tag without a name', [{ ...tile, groupBy: ['tag:'] }]],
    ['an unknown field', [{ ...tile, color: 'red' }]],
    ['25 tiles', Array.from({ length: 25 }, (_, n) => ({ ...tile, id: `t${n}` }))],
    ['no list', 'x'],
  ])('%s is refused by name', async (_, tiles) => {
    const reply = await save({ name: 'Odd', tiles });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain('tiles');
  });

  test('a name that would be cut where it is stored is refused', async () => {
    expect((await save({ name: '\u0000hidden', tiles: [] })).status).toBe(400);
  });
});

test('erasing a user removes the tiles whose filter names them, and no others, and the audit log counts the dashboards', async () => {
  const tiles = (filter: string) => [
    { ...tile, filter },
    { ...tile, id: 'b' },
    { ...tile, id: 'c' },
  ];
  const { id } = await made({ name: 'plain', tiles: tiles('user:ann') });
  await made({ name: 'quoted', tiles: tiles('-user:"ann" model:gpt-4o') });
  await made({ name: 'listed', tiles: tiles('user:bob,ann') });
  await made({ name: 'longer', tiles: tiles('user:anna user:joann') });
  await made({ name: 'none', tiles: [tile] });
  const erased = await world.fetch(`/v1/projects/${world.seed.projectId}/erasures`, {
    bearer: world.seed.bearer,
    json: { userId: 'ann' },
  });
  expect(erased.status).toBeLessThan(300);
  await runErasures.run(world.ctx, new AbortController().signal);
  const shown = await world.ctx.db.sql.select().from(dashboards).orderBy(dashboards.name);
  expect(
    shown.map(({ name, tiles, revision }) => [name, tiles.map((one) => one.id).join(), revision]),
  ).toEqual([
    ['listed', 'b,c', 2],
    ['longer', `${tile.id},b,c`, 1],
    ['none', tile.id, 1],
    ['plain', 'b,c', 2],
    ['quoted', 'b,c', 2],
  ]);
  const stale = await ask('PUT', path(id), world.seed.bearer, { name: 'plain', tiles: [], revision: 1 });
  expect(stale.status).toBe(409);
  const [entry] = (await auditRows(world.ctx)).filter(({ action }) => action === 'end_user.erased');
  expect(JSON.parse(entry?.after ?? '{}')).toMatchObject({ changed: { dashboards: 3 } });
});

test('an import replaces the shared dashboard of its name', async () => {
  const { projectId } = world.seed;
  const dashboard = { name: 'Costs', tiles: [tile] };
  const first = await world.app.act(importDashboardAction, { project: projectId, dashboard });
  const second = await world.app.act(importDashboardAction, {
    project: projectId,
    dashboard: { name: 'Costs', tiles: [] },
  });
  expect(second).toMatchObject({ id: (first as Dashboard).id, revision: 2, tiles: [], author: null });
});
