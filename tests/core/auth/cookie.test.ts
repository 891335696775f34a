import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sessions } from '../../../src/core/auth/table.ts';
import { users } from '../../../src/core/orgs/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const OWN = { Origin: 'http://localhost' };
const signIn = (headers: Record<string, string>, cookie: unknown = true) =>
  world.fetch('/v1/auth/login', {
    json: { email: world.seed.email, password: TEST_PASSWORD, cookie },
    headers,
  });
/** `name=value` of the cookie that a reply sets. */
const cookieOf = (reply: Response): string => reply.headers.get('Set-Cookie')?.split(';')[0] ?? '';
const count = async () => (await world.ctx.db.sql.select().from(sessions)).length;
const nameOf = async () => (await world.ctx.db.sql.select().from(users))[0]?.name;

test('a page signs in with a cookie that scripts can not read, and no token', async () => {
  const reply = await signIn(OWN);
  expect(await reply.json()).toMatchObject({ token: null, user: { email: world.seed.email } });
  expect(reply.headers.get('Set-Cookie')).toMatch(
    /^spanledger_session=\w{32}\.[\w%]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
  );
  const me = await world.fetch('/v1/auth/me', { headers: { Cookie: cookieOf(reply) } });
  expect(me.status).toBe(200);
});

test('where PUBLIC_URL is https the cookie is Secure and bound to the host', async () => {
  await world.reopen({ PUBLIC_URL: 'https://ledger.example.com/' });
  const reply = await signIn({ Origin: 'https://ledger.example.com' });
  expect(reply.headers.get('Set-Cookie')).toMatch(
    /^__Host-spanledger_session=.+; HttpOnly; SameSite=Lax; Secure$/,
  );
  const headers = { Cookie: cookieOf(reply) };
  expect((await world.fetch('/v1/auth/me', { headers })).status).toBe(200);
  const plain = { Cookie: cookieOf(reply).replace('__Host-', '') };
  expect((await world.fetch('/v1/auth/me', { headers: plain })).status).toBe(401);
  // Named as the server is called from inside, not as people call it.
  expect((await signIn(OWN)).status).toBe(403);
});

describe('a change by cookie', () => {
  const cases: [string, Record<string, string>, number][] = [
    ['from the own page', OWN, 204],
    ['from the own page, by a browser that hides Origin', { 'Sec-Fetch-Site': 'same-origin' }, 204],
    ['from another site', { Origin: 'https://evil.example' }, 403],
    ['from another port', { Origin: 'http://localhost:8080' }, 403],
    ['from another scheme', { Origin: 'https://localhost' }, 403],
    ['from a subdomain', { Origin: 'http://a.localhost' }, 403],
    ['from nowhere', {}, 403],
    ['from a sandboxed page', { Origin: 'null' }, 403],
    ['from another site, by a browser that hides Origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['from a sister site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['that lies in Sec-Fetch-Site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }, 403],
  ];
  test.each(cases)('%s', async (_name, headers, status) => {
    const Cookie = cookieOf(await signIn(OWN));
    const put = { method: 'PUT', json: { name: 'Changed' } };
    const reply = await world.fetch('/v1/auth/me', { ...put, headers: { ...headers, Cookie } });
    expect(reply.status).toBe(status);
    expect(await nameOf()).toBe(status === 204 ? 'Changed' : 'ada');
    if (status === 403)
      expect(await reply.json()).toEqual({ error: expect.stringMatching(/^This came from another site/) });
  });

  test('with a bearer token the origin does not matter, and the cookie is not looked at', async () => {
    const Cookie = cookieOf(await signIn(OWN));
    const headers = { Cookie, Origin: 'https://evil.example' };
    const json = { name: 'Changed' };
    const put = (bearer: string) => world.fetch('/v1/auth/me', { method: 'PUT', json, headers, bearer });
    expect((await put('nonsense')).status).toBe(401);
    expect((await put(world.seed.bearer)).status).toBe(204);
  });

  test('reading needs no origin, and no origin is ever allowed by CORS', async () => {
    const Cookie = cookieOf(await signIn(OWN));
    const reply = await world.fetch('/v1/auth/me', { headers: { Cookie, Origin: 'https://evil.example' } });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const preflight = await world.fetch('/v1/auth/me', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });
});

test('another site can not sign a browser in', async () => {
  const before = await count();
  expect((await signIn({ Origin: 'https://evil.example' })).status).toBe(403);
  expect((await signIn({})).status).toBe(403);
  expect(await count()).toBe(before);
  expect((await signIn({ Origin: 'https://evil.example' }, false)).headers.get('Set-Cookie')).toBeNull();
});

test('each sign-in has a new session, and logging out ends it on the server and in the browser', async () => {
  const [first, second] = [cookieOf(await signIn(OWN)), cookieOf(await signIn(OWN))];
  expect(first).not.toBe(second);
  const reply = await world.fetch('/v1/auth/logout', { method: 'POST', headers: { ...OWN, Cookie: first } });
  expect(reply.headers.get('Set-Cookie')).toBe(
    'spanledger_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  );
  const me = (Cookie: string) => world.fetch('/v1/auth/me', { headers: { Cookie } });
  expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200]);
});

test('another secret ends every cookie', async () => {
  const Cookie = cookieOf(await signIn(OWN));
  await world.reopen({ BETTER_AUTH_SECRET: 'another secret of the tests, also long enough' });
  expect((await world.fetch('/v1/auth/me', { headers: { Cookie } })).status).toBe(401);
});

test('a cookie opens no route of a project key', async () => {
  const Cookie = cookieOf(await signIn(OWN));
  const reply = await world.fetch('/v1/sdk/config', { headers: { ...OWN, Cookie } });
  expect([reply.status, await reply.json()]).toMatchObject([401, { error: 'Invalid API key' }]);
});
