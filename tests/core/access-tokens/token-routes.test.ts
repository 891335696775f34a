import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import type { CreatedToken, TokensPage } from '../../../src/core/access-tokens/contract.ts';
import { accessTokens } from '../../../src/core/access-tokens/table.ts';
import { organizationsChanged } from '../../../src/core/orgs/index.ts';
import { users } from '../../../src/core/orgs/table.ts';
import { createProject } from '../../../src/core/projects/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { asker } from '../../helpers/people.ts';
import { auditRows } from '../audit/rows.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let base: string;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
  base = `/v1/access-tokens?organizationId=${world.seed.organizationId}`;
});
afterEach(() => world.close());

const one = (id: string) => base.replace('?', `/${id}?`);
const create = async (more: object = {}, bearer = world.seed.bearer): Promise<CreatedToken> => {
  const { status, body } = await ask('POST', base, bearer, { name: 'ci', scopes: ['read'], ...more });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as CreatedToken;
};
const list = async (query = '') =>
  (await ask('GET', `${base}${query}`, world.seed.bearer)).body as TokensPage;
const read = async (token: string, address = '127.0.0.1') =>
  (await world.fetch(`/v1/events?projectId=${world.seed.projectId}`, { bearer: token, address })).status;

test('a token is shown once, where it is made, and then known by its prefix', async () => {
  const reply = await world.fetch(base, {
    bearer: world.seed.bearer,
    json: { name: ' cost report ', scopes: ['read', 'read'], expiresAt: '2026-09-01T02:00:00+02:00' },
  });
  expect([reply.status, reply.headers.get('Cache-Control')]).toEqual([201, 'no-store']);
  const { token, ...row } = (await reply.json()) as CreatedToken;
  expect(token).toMatch(/^slt_[0-9a-f]{64}$/);
  expect(row).toEqual({
    id: expect.stringMatching(/^tok_/) as unknown as string,
    name: 'cost report',
    organizationId: world.seed.organizationId,
    projectId: null,
    projectName: null,
    scopes: ['read'],
    prefix: token.slice(0, 16),
    state: 'active',
    createdAt: new Date(world.clock.now()).toISOString(),
    createdBy: 'ada@example.com',
    role: 'owner',
    lastUsedAt: null,
    expiresAt: '2026-09-01T00:00:00.000Z',
    revokedAt: null,
  });
  expect(await list()).toEqual({ accessTokens: [row], nextCursor: null });
  expect((await ask('GET', one(row.id), world.seed.bearer)).body).toEqual(row);
  const kept = JSON.stringify([
    await world.ctx.db.sql.select().from(accessTokens),
    await auditRows(world.ctx),
    await list(),
  ]);
  expect(kept).not.toContain(token.slice(0, 20));
  expect(await read(token)).toBe(200);
});

test('creation and revocation are audited with name, prefix, scopes and end, by the person who did it', async () => {
  const { id, prefix } = await create({ projectId: world.seed.projectId });
  await ask('DELETE', one(id), world.seed.bearer);
  const told = (await auditRows(world.ctx)).filter(({ subject_type }) => subject_type === 'access_token');
  const state = {
    name: 'ci',
    prefix,
    scopes: ['read'],
    projectId: world.seed.projectId,
    createdBy: world.seed.userId,
    expiresAt: null,
  };
  expect(told.map(({ action, actor_email, project_id }) => [action, actor_email, project_id])).toEqual([
    ['access_token.created', 'ada@example.com', world.seed.projectId],
    ['access_token.revoked', 'ada@example.com', world.seed.projectId],
  ]);
  expect(told.map(({ after }) => JSON.parse(after ?? '') as object)).toEqual([
    { ...state, revokedAt: null },
    { ...state, revokedAt: new Date(world.clock.now()).toISOString() },
  ]);
});

describe('what is refused', () => {
  const cases: [name: string, body: object, message: string | RegExp][] = [
    [
      'an unknown scope',
      { scopes: ['raed'] },
      'scopes.0: a token can have these scopes: read, prompts:read, guardrails:check, scores:write, datasets:write, experiments:run, deployments:write, ai:use',
    ],
    ['no scope', { scopes: [] }, /^scopes: /],
    ['scopes without end', { scopes: new Array(10_000).fill('read') }, /^scopes: /],
    ['no scopes at all', { scopes: undefined }, 'scopes is required'],
    ['no name', { name: ' ' }, /^name: /],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt: must be in the future'],
    ['an end that is no time', { expiresAt: 'tomorrow' }, /^expiresAt: /],
    ['an unknown project', { projectId: 'prj_0' }, 'projectId: the organization has no project prj_0'],
  ];
  test.each(cases)('%s is 400', async (_name, wrong, message) => {
    const body = { name: 'ci', scopes: ['read'], ...wrong };
    const reply = await ask('POST', base, world.seed.bearer, body);
    expect([reply.status, (reply.body as { error: string }).error]).toEqual([
      400,
      message instanceof RegExp ? (expect.stringMatching(message) as unknown as string) : message,
    ]);
    expect((await list()).accessTokens).toEqual([]);
  });

  test("another organization's project is refused as a missing one is", async () => {
    const { projectId } = await world.addTenant();
    const reply = await ask('POST', base, world.seed.bearer, { name: 'ci', scopes: ['read'], projectId });
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: `projectId: the organization has no project ${projectId}` },
    ]);
  });

  test('token 101; a revoked or an expired one makes room', async () => {
    const [first] = await Promise.all(Array.from({ length: 100 }, () => create()));
    const refused = await ask('POST', base, world.seed.bearer, { name: 'ci', scopes: ['read'] });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'An organization has at most 100 active access tokens; revoke some' },
    ]);
    await ask('DELETE', one(first?.id ?? ''), world.seed.bearer);
    await create({ expiresAt: new Date(world.clock.now() + 1_000).toISOString() });
    world.clock.advance(1_000);
    await create();
    await expect(create()).rejects.toThrow('409');
  });
});

test('the list comes in pages, newest first', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    made.unshift((await create()).id);
    world.clock.advance(1);
  }
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: TokensPage = await list(`&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.accessTokens.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(made);
});

test('a revoked token is refused at once, and revoking it again changes nothing', async () => {
  const { id, token } = await create();
  expect(await read(token)).toBe(200);
  expect((await ask('DELETE', one(id), world.seed.bearer)).status).toBe(204);
  expect(await read(token)).toBe(401);
  const before = await auditRows(world.ctx);
  world.clock.advance(1_000);
  expect((await ask('DELETE', one(id), world.seed.bearer)).status).toBe(204);
  expect(await auditRows(world.ctx)).toEqual(before);
  expect((await list()).accessTokens[0]).toMatchObject({ state: 'revoked', role: 'owner' });
});

test('a token works until the millisecond of its end', async () => {
  const { token } = await create({ expiresAt: new Date(world.clock.now() + DAY_MS).toISOString() });
  world.clock.advance(DAY_MS - 1);
  expect(await read(token)).toBe(200);
  world.clock.advance(1);
  expect(await read(token)).toBe(401);
  const bearer = await world.signIn(world.seed.email);
  expect((await ask('GET', base, bearer)).body).toMatchObject({ accessTokens: [{ state: 'expired' }] });
});

test('a token dies with the membership of its maker, also if they join again', async () => {
  const admin = await world.addUser('admin');
  const { id, token } = await create({}, admin.bearer);
  expect(await read(token)).toBe(200);
  const { organizationId } = world.seed;
  await ask('DELETE', `/v1/organizations/${organizationId}/members/${admin.userId}`, world.seed.bearer);
  expect(await read(token)).toBe(401);
  expect((await list()).accessTokens[0]).toMatchObject({ id, state: 'orphaned', role: null });
  world.clock.advance(1);
  const invitations = `/v1/organizations/${organizationId}/invitations`;
  const invited = await ask('POST', invitations, world.seed.bearer, { role: 'admin' });
  const link = (invited.body as { url: string }).url.split('=').at(-1);
  expect((await ask('POST', '/v1/invitations/accept', admin.bearer, { token: link })).status).toBe(200);
  expect((await ask('GET', base, admin.bearer)).status).toBe(200);
  expect(await read(token)).toBe(401);
});

test("a token has its maker's current role, not the one that it was made with", async () => {
  const admin = await world.addUser('admin');
  const { token } = await create({}, admin.bearer);
  const log = `/v1/audit?organizationId=${world.seed.organizationId}`;
  expect((await ask('GET', log, token)).status).toBe(200);
  const member = `/v1/organizations/${world.seed.organizationId}/members/${admin.userId}`;
  await ask('PUT', member, world.seed.bearer, { role: 'viewer' });
  expect(await ask('GET', log, token)).toMatchObject({
    status: 403,
    body: { error: 'This requires the role admin; yours is viewer' },
  });
  expect(await read(token)).toBe(200);
  await ask('PUT', member, world.seed.bearer, { role: 'admin' });
  expect((await ask('GET', log, token)).status).toBe(200);
});

test('exports and reports by POST are reads', async () => {
  const { token } = await create();
  const { projectId, organizationId, apiKey } = world.seed;
  await world.fetch('/v1/ingest', { apiKey, events: [{ provider: 'openai', model: 'gpt-4o' }] });
  const file = await world.fetch(`/v1/events/export?projectId=${projectId}&format=csv`, { bearer: token });
  expect([file.status, (await file.text()).includes('gpt-4o')]).toEqual([200, true]);
  await world.ctx.db.sql.run("UPDATE organizations SET plan = 'scale'");
  const log = await world.fetch(`/v1/audit/export?organizationId=${organizationId}`, { bearer: token });
  expect([log.status, (await log.text()).includes('access_token.created')]).toEqual([200, true]);
  const inspected = await ask('POST', `/v1/otel/inspect?projectId=${projectId}`, token, {
    resourceSpans: [],
  });
  expect(inspected.status).toBe(200);
});

test('each token has the rate limit of a session, apart from sessions and other tokens', async () => {
  const [first, second] = [await create(), await create()];
  for (let i = 0; i < 300; i++) expect(await read(first.token)).toBe(200);
  const refused = await world.fetch(`/v1/events?projectId=${world.seed.projectId}`, { bearer: first.token });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
  expect([await read(second.token), await read(world.seed.bearer)]).toEqual([200, 200]);
  world.clock.advance(60_000);
  expect(await read(first.token)).toBe(200);
});

test('an address that guesses tokens is stopped before the store is asked, but known tokens are not', async () => {
  const { token } = await create();
  await read(token);
  const guess = (n: number) => read(`slt_${n.toString(16).padStart(64, '0')}`);
  for (let n = 0; n < 300; n++) expect(await guess(n)).toBe(401);
  expect([await guess(300), await read(token), await read((await create()).token, '10.0.0.1')]).toEqual([
    429, 200, 200,
  ]);
  world.clock.advance(60_000);
  expect(await guess(301)).toBe(401);
});

test('a program that goes on with a revoked token does not shut out others at its address', async () => {
  const { id, token } = await create();
  await read(token);
  await ask('DELETE', one(id), world.seed.bearer);
  for (let n = 0; n < 301; n++) expect(await read(token)).toBe(401);
  expect(await read((await create()).token)).toBe(200);
});

test('the last use is noted to the minute, and not again within one', async () => {
  const { id, token } = await create();
  const lastUse = async () =>
    (await world.ctx.db.sql.select().from(accessTokens).where(eq(accessTokens.id, id)))[0]?.lastUsedAt;
  const at = world.clock.now();
  await read(token);
  await eventually('a last use', async () => (await lastUse())?.getTime() === at);
  world.clock.advance(59_999);
  await read(token);
  world.clock.advance(1);
  await read(token);
  await eventually('the next one', async () => (await lastUse())?.getTime() === at + 60_000);
});

test('a token of a deleted project, organization or person is refused', async () => {
  const project = await world.app.act(createProject, { organization: 'Acme', name: 'other' });
  const admin = await world.addUser('admin');
  const [ofPerson, ofProject, ofAll] = [
    await create({}, admin.bearer),
    await create({ projectId: project.id }),
    await create(),
  ];
  await world.ctx.db.sql.delete(users).where(eq(users.id, admin.userId));
  world.ctx.emit(organizationsChanged);
  expect(await read(ofPerson.token)).toBe(401);
  await ask('DELETE', `/v1/projects/${project.id}`, world.seed.bearer);
  expect(await read(ofProject.token)).toBe(401);
  expect((await list()).accessTokens.map(({ id }) => id)).toEqual([ofAll.id]);
  await ask('DELETE', `/v1/organizations/${world.seed.organizationId}`, world.seed.bearer);
  expect(await read(ofAll.token)).toBe(401);
});
