import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createProject } from '../../../src/core/projects/index.ts';
import { MAX_VIEWS, type SavedView, savedViewSchema } from '../../../src/core/views/contract.ts';
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
  `/v1/views${id === '' ? '' : `/${id}`}?projectId=${projectId}`;
const save = (name: string, search: unknown = {}, bearer = world.seed.bearer) =>
  ask('POST', path(), bearer, { name, search });
const made = async (name: string, search: unknown = {}, bearer = world.seed.bearer): Promise<SavedView> => {
  const { status, body } = await save(name, search, bearer);
  expect([name, status]).toEqual([name, 201]);
  return savedViewSchema.strict().parse(body);
};
const names = async (bearer = world.seed.bearer, projectId = world.seed.projectId): Promise<string[]> =>
  ((await ask('GET', path('', projectId), bearer)).body as { views: SavedView[] }).views.map(
    ({ name }) => name,
  );

const FILTERS = {
  status: 'rate_limited',
  kind: 'all',
  model: 'gpt-4o',
  provider: 'openai',
  environment: 'staging',
  errorCode: '429',
  userId: 'u-1',
  sessionId: 's-1',
  keyId: 'key_1',
  tag: 'team=search',
  costStatus: 'unpriced',
  by: 'tag:team',
  across: 'model',
  cell: 'errorRate',
  spread: 'heatmap',
  columns: 'time,model,agentVersion',
};

describe('saved views', () => {
  test('are there for everybody in the project, by name, and in no other project', async () => {
    const { member, viewer } = await everyRole(world);
    const { id } = await world.app.act(createProject, { organization: 'Acme', name: 'second' });
    const view = await made('  Failures of a user ', FILTERS, member.bearer);
    expect(view).toMatchObject({
      name: 'Failures of a user',
      search: FILTERS,
      createdBy: member.userId,
      updatedAt: '2026-06-15T12:00:00.000Z',
    });
    await made('all', {});
    expect(await names(viewer.bearer)).toEqual(['all', 'Failures of a user']);
    expect(await names(viewer.bearer, id)).toEqual([]);
    expect((await ask('DELETE', path(view.id, id), world.seed.bearer)).status).toBe(404);
    expect((await ask('PUT', path(view.id, id), world.seed.bearer, { name: 'x' })).status).toBe(404);
  });

  test('are changed and deleted by who made them and by admins', async () => {
    const { admin, member, viewer } = await everyRole(world);
    const other = await world.addUser('member');
    const { id } = await made('mine', {}, member.bearer);
    for (const [method, json] of [['PUT', { name: 'theirs' }], ['DELETE']] as const) {
      const { status, body } = await ask(method, path(id), other.bearer, json);
      expect([method, status]).toEqual([method, 403]);
      expect(body).toEqual({ error: expect.stringMatching(/^This view is of .+ an admin may change it$/) });
      expect((await ask(method, path(id), viewer.bearer, json)).status).toBe(403);
    }
    expect((await save('viewed', {}, viewer.bearer)).status).toBe(403);
    const renamed = await ask('PUT', path(id), member.bearer, { name: 'renamed' });
    expect(renamed.body).toMatchObject({ name: 'renamed', search: {} });
    const moved = await ask('PUT', path(id), admin.bearer, { search: { status: 'error' } });
    expect(moved.body).toMatchObject({
      name: 'renamed',
      search: { status: 'error' },
      createdBy: member.userId,
    });
    expect((await ask('DELETE', path(id), admin.bearer)).status).toBe(204);
    expect((await ask('DELETE', path(id), admin.bearer)).status).toBe(404);
    expect(await names()).toEqual([]);
  });

  test('are of one page, and a private one is seen and changed by nobody else', async () => {
    const { admin, member } = await everyRole(world);
    const own = { name: 'mine', search: { sort: 'cost', filter: 'user:ada' }, isPrivate: true };
    const { status, body } = await ask('POST', `${path()}&page=traces`, member.bearer, own);
    expect(status).toBe(201);
    const view = savedViewSchema.parse(body);
    expect(view).toMatchObject({ page: 'traces', isPrivate: true, search: own.search });
    expect(await names(member.bearer)).toEqual(['mine']);
    expect(await names(admin.bearer)).toEqual([]);
    for (const [method, json] of [['PUT', { name: 'theirs' }], ['DELETE']] as const)
      expect((await ask(method, path(view.id), admin.bearer, json)).status).toBe(404);
    // Names are told apart by page and owner.
    for (const page of ['traces', 'users'])
      expect(
        (await ask('POST', `${path()}&page=${page}`, admin.bearer, { name: 'mine', search: {} })).status,
      ).toBe(201);
    const ofPage = await ask('GET', `${path()}&page=users`, member.bearer);
    expect((ofPage.body as { views: SavedView[] }).views.map(({ page }) => page)).toEqual(['users']);
    const taken = await ask('PUT', path(view.id), member.bearer, { isPrivate: false });
    expect(taken.status).toBe(409);
    const shared = await ask('PUT', path(view.id), member.bearer, { isPrivate: false, name: 'ours' });
    expect(shared.body).toMatchObject({ isPrivate: false, name: 'ours' });
    // An admin may change it now, but not take it away from the others.
    expect((await ask('PUT', path(view.id), admin.bearer, { isPrivate: true })).status).toBe(403);
    expect((await ask('POST', `${path()}&page=keys`, member.bearer, own)).status).toBe(400);
  });

  test('open a page for each person who chose one, until it is deleted or gives way', async () => {
    const { member, viewer } = await everyRole(world);
    const one = await made('one', {}, member.bearer);
    const two = await made('two', {}, member.bearer);
    const own = await ask('POST', path(), member.bearer, { name: 'own', search: {}, isPrivate: true });
    const choose = async (id: string, isDefault: boolean, bearer = viewer.bearer): Promise<number> =>
      (await ask('PUT', path(`${id}/default`), bearer, { isDefault })).status;
    const chosen = async (bearer = viewer.bearer): Promise<string[]> =>
      ((await ask('GET', path(), bearer)).body as { views: SavedView[] }).views
        .filter(({ isDefault }) => isDefault)
        .map(({ name }) => name);
    expect(await choose(one.id, true)).toBe(200);
    expect(await choose(two.id, true)).toBe(200);
    expect([await chosen(), await chosen(member.bearer)]).toEqual([['two'], []]);
    expect(await choose((own.body as SavedView).id, true)).toBe(404);
    await choose(two.id, false);
    expect(await chosen()).toEqual([]);
    await choose(one.id, true);
    expect((await ask('DELETE', path(one.id), member.bearer)).status).toBe(204);
    expect(await chosen()).toEqual([]);
  });

  test('stay when who made them has left', async () => {
    const { member } = await everyRole(world);
    await made('kept', {}, member.bearer);
    const url = `/v1/organizations/${world.seed.organizationId}/leave`;
    expect((await ask('POST', url, member.bearer)).status).toBe(204);
    expect(await names()).toEqual(['kept']);
    expect((await ask('GET', path(), member.bearer)).status).toBe(403);
  });

  test('have names of their own', async () => {
    const { id } = await made('one');
    await made('two');
    for (const taken of [await save('one'), await ask('PUT', path(id), world.seed.bearer, { name: 'two' })])
      expect([taken.status, taken.body]).toEqual([
        409,
        { error: expect.stringMatching(/^There is a view (one|two) already$/) },
      ]);
    expect((await ask('PUT', path(id), world.seed.bearer, { name: 'one' })).status).toBe(200);
  });

  test('are at most a hundred a project, however many are saved at once', async () => {
    for (let i = 2; i < MAX_VIEWS; i++) await made(`v${i}`);
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => save(name)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const { status, body } of replies)
      if (status !== 201)
        expect([status, body]).toEqual([409, { error: 'A project has at most 100 views; delete one first' }]);
    expect(await names()).toHaveLength(MAX_VIEWS);
  });

  test.each<[string, unknown]>([
    ['no name', { search: {} }],
    ['an empty name', { name: '  ', search: {} }],
    ['a name that is too long', { name: 'x'.repeat(81), search: {} }],
    ['no filters', { name: 'x' }],
    ['a filter that there is not', { name: 'x', search: { colour: 'red' } }],
    ['a time range', { name: 'x', search: { range: '7d' } }],
    ['a status that there is not', { name: 'x', search: { status: 'bad' } }],
    ['a filter that is no text', { name: 'x', search: { model: 4 } }],
    ['columns that are no names', { name: 'x', search: { columns: 'a b' } }],
    ['an unknown field', { name: 'x', search: {}, id: 'view_1' }],
    ['nothing', null],
    ['a list', []],
  ])('are refused with %s', async (_, body) => {
    const { status, body: reply } = await ask('POST', path(), world.seed.bearer, body);
    expect(status).toBe(400);
    expect((reply as { error: string }).error.length).toBeGreaterThan(5);
  });

  test('are not changed into nothing', async () => {
    const { id } = await made('one');
    expect(await ask('PUT', path(id), world.seed.bearer, {})).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('give name, search or isPrivate') },
    });
  });

  test('are told in the audit log by their name, without who is filtered for', async () => {
    const { id } = await made('Ada', { userId: 'ada@customer.example' });
    await ask('PUT', path(id), world.seed.bearer, { name: 'One customer' });
    const told = (await auditRows(world.ctx, world.seed.organizationId)).slice(-2);
    expect(told.map(({ action, project_id }) => [action, project_id])).toEqual([
      ['saved_view.created', world.seed.projectId],
      ['saved_view.updated', world.seed.projectId],
    ]);
    const created = { name: 'Ada', page: 'events', createdBy: world.seed.userId, owner: '' };
    expect([told[1]?.before, told[1]?.after].map((text) => JSON.parse(text ?? ''))).toEqual([
      created,
      { ...created, name: 'One customer' },
    ]);
    expect(JSON.stringify(told)).not.toContain('ada@customer.example');
  });
});
