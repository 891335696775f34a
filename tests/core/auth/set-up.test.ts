import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createSetupToken, createUser, initLedger, provision } from '../../../src/core/auth/index.ts';
import { accounts, setupTokens } from '../../../src/core/auth/table.ts';
import { apiKeys } from '../../../src/core/keys/table.ts';
import { members, organizations, users } from '../../../src/core/orgs/table.ts';
import { projects } from '../../../src/core/projects/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';

const MINUTES_30 = 30 * 60_000;

let world: TestApp;
afterEach(() => world.close());

/** Rows of each table that setting up writes. */
const rows = async () => {
  const db = world.ctx.db.sql;
  const tables = [organizations, projects, users, accounts, members, apiKeys];
  return Promise.all(tables.map(async (table) => (await db.$count(table)) as number));
};

describe('on a file without an owner', () => {
  const email = 'grace@example.com';
  const details = {
    organization: 'Navy',
    project: 'Compiler',
    name: 'Grace',
    email,
    password: TEST_PASSWORD,
  };
  const redeem = (token: string, more: object = {}) =>
    world.fetch('/v1/auth/setup', { json: { token, ...details, ...more } });
  const newToken = async () => (await createSetupToken(world.ctx))?.token ?? '';

  beforeEach(async () => {
    world = await openTestApp({ empty: true });
  });

  test('a setup token makes organization, project, owner and key, and signs the owner in', async () => {
    const made = await createSetupToken(world.ctx);
    expect(made?.expiresAt).toBe(new Date(world.clock.now() + MINUTES_30).toISOString());
    expect(JSON.stringify(await world.ctx.db.sql.select().from(setupTokens))).not.toContain(
      made?.token ?? '',
    );
    const response = await redeem(made?.token ?? '');
    expect(response.status).toBe(201);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      organizationId: expect.stringMatching(/^org_/),
      projectId: expect.stringMatching(/^prj_/),
      keyId: expect.stringMatching(/^key_/),
      userId: expect.stringMatching(/^usr_/),
      apiKey: expect.stringMatching(/^slk_/),
      token: expect.any(String),
      expiresAt: expect.any(String),
      user: { id: body.userId, email, name: 'Grace' },
    });
    const me = await world.fetch('/v1/auth/me', { bearer: String(body.token) });
    expect(await me.json()).toMatchObject({ memberships: [{ organizationName: 'Navy', role: 'owner' }] });
    expect((await world.fetch('/v1/sdk/config', { apiKey: String(body.apiKey) })).status).toBe(200);
    expect(await world.ctx.db.sql.select({ plan: organizations.plan }).from(organizations)).toEqual([
      { plan: 'scale' },
    ]);
    expect(await createSetupToken(world.ctx)).toBeNull();
  });

  test('the token is good until 30 minutes are over', async () => {
    const token = await newToken();
    world.clock.advance(MINUTES_30);
    expect((await redeem(token)).status).toBe(403);
    world.clock.advance(-1);
    expect((await redeem(token)).status).toBe(201);
  });

  test.each([
    ['unknown', async () => 'f'.repeat(64)],
    ['replaced by a newer one', async () => [await newToken(), await newToken()][0] ?? ''],
  ])('a token that is %s is refused and makes nothing', async (_name, token) => {
    const response = await redeem(await token());
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: 'This setup link is not valid any more; restart the server for a new one',
    });
    expect(await rows()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a token is checked without being used; the sign-in page is told that there is no owner', async () => {
    const check = (token: string): Promise<Response> =>
      world.fetch('/v1/auth/setup/check', { json: { token } });
    const needsOwner = async (): Promise<boolean> =>
      ((await (await world.fetch('/v1/auth/methods')).json()) as { needsOwner: boolean }).needsOwner;
    const token = await newToken();
    expect((await check(token)).status).toBe(204);
    world.clock.advance(MINUTES_30);
    expect((await check(token)).status).toBe(403);
    world.clock.advance(-1);
    expect([(await check(token)).status, await needsOwner()]).toEqual([204, true]);
    expect((await redeem(token)).status).toBe(201);
    expect([(await check(token)).status, await needsOwner()]).toEqual([403, false]);
  });

  test('guessing is bounded', async () => {
    for (let i = 0; i < 10; i++) expect((await redeem(`guess ${i}`)).status).toBe(403);
    expect((await redeem('guess 10')).status).toBe(429);
  });

  test('of ten redemptions at once one succeeds, and the others leave nothing behind', async () => {
    const token = await newToken();
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => redeem(token, { email: `g${n}@example.com` })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...new Array<number>(9).fill(409)]);
    expect(await rows()).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('init ends the tokens that are open', async () => {
    const token = await newToken();
    const { organization: org, ...rest } = details;
    await world.app.act(initLedger, { org, ...rest });
    const response = await redeem(token, { email: 'mallory@example.com' });
    expect(response.status).toBe(403);
    expect(await rows()).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test.each([
    ['a short password', { password: 'seven77' }, 'password: must have at least 8 characters'],
    ['no project', { project: ' ' }, 'project: must have at least 1 character'],
    ['a broken address', { email: 'grace' }, 'email: Invalid email address'],
  ])('%s is 400 and leaves the token as it is', async (_name, more, error) => {
    const token = await newToken();
    const response = await redeem(token, more);
    expect([response.status, await response.json()]).toEqual([400, { error }]);
    expect((await redeem(token)).status).toBe(201);
  });

  test('of inits at once one succeeds', async () => {
    const { organization: org, ...rest } = details;
    const all = await Promise.allSettled(
      [1, 2, 3].map((n) => world.app.act(initLedger, { org, ...rest, email: `g${n}@example.com` })),
    );
    expect(
      all.map((result) => (result.status === 'rejected' ? result.reason.status : 'made')).sort(),
    ).toEqual([409, 409, 'made']);
    expect(await rows()).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('on a file with an owner', () => {
  beforeEach(async () => {
    world = await openTestApp();
  });

  test('init is refused', async () => {
    const again = { org: 'Other', project: 'p', email: 'eve@example.com', password: TEST_PASSWORD };
    await expect(world.app.act(initLedger, again)).rejects.toMatchObject({
      status: 409,
      message: 'This file has an owner already; sign in',
    });
    expect(await rows()).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('users.create adds a person who can sign in, with argon2id at rest', async () => {
    const person = { email: ' Bob@Example.com', name: 'Bob', password: TEST_PASSWORD, role: 'viewer' };
    const made = await world.app.act(createUser, { ...person, organization: 'Acme' });
    expect(made).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
      email: 'bob@example.com',
      name: 'Bob',
      organizationId: world.seed.organizationId,
      role: 'viewer',
    });
    expect(await world.signIn('bob@example.com')).toBeString();
    const kept = await world.ctx.db.sql.select({ password: accounts.password }).from(accounts);
    for (const { password } of kept) expect(password).toStartWith('$argon2id$');
  });

  test.each([
    ['an address that has an account', { email: 'ADA@example.com' }, 409],
    ['an unknown organization', { organization: 'nobody' }, 404],
    ['an unknown role', { role: 'god' }, 400],
    ['a short password', { password: 'seven77' }, 400],
  ])('users.create with %s is refused and adds nothing', async (_name, more, status) => {
    const before = await rows();
    const person = {
      email: 'bob@example.com',
      password: TEST_PASSWORD,
      role: 'member',
      organization: 'Acme',
    };
    await expect(world.app.act(createUser, { ...person, ...more })).rejects.toMatchObject({ status });
    expect(await rows()).toEqual(before);
  });

  const signUp = (more: object = {}) =>
    world.fetch('/v1/auth/signup', { json: { email: 'eve@example.com', password: TEST_PASSWORD, ...more } });

  test('strangers cannot sign up unless the operator opens it', async () => {
    const response = await signUp();
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: "Sign-up is closed here; ask an organization's admin for an invitation" },
    ]);
  });

  test('where it is open, a stranger gets an account and an organization of their own', async () => {
    await world.reopen({ SIGNUP: 'open' });
    const response = await signUp({ organization: 'Eve & Co' });
    expect(response.status).toBe(201);
    const { token } = (await response.json()) as { token: string };
    const me = await world.fetch('/v1/auth/me', { bearer: token });
    expect(await me.json()).toMatchObject({
      user: { email: 'eve@example.com', name: 'eve' },
      memberships: [{ organizationName: 'Eve & Co', role: 'owner', projects: [] }],
    });
    expect((await signUp()).status).toBe(409);
    expect((await signUp({ email: 'mia@example.com', password: 'seven77' })).status).toBe(400);
  });
});

describe('provisioning', () => {
  const given = {
    organization: 'Navy',
    project: 'Compiler',
    email: 'grace@example.com',
    password: TEST_PASSWORD,
  };

  test('sets up a file that nobody has used, and no other', async () => {
    world = await openTestApp({ empty: true });
    expect(await provision(world.ctx, given)).toMatchObject({ apiKey: expect.stringMatching(/^slk_/) });
    const before = await rows();
    expect(await provision(world.ctx, { ...given, email: 'else@example.com' })).toBeNull();
    expect(await rows()).toEqual(before);
  });

  test('leaves a file alone whose owner has deleted the organization', async () => {
    world = await openTestApp();
    const { organizationId, bearer, email } = world.seed;
    await world.fetch(`/v1/organizations/${organizationId}`, { method: 'DELETE', bearer });
    const before = await rows();
    expect(await provision(world.ctx, { ...given, email })).toBeNull();
    expect(await rows()).toEqual(before);
  });
});
