import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { sessions } from '../../../src/core/auth/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const login = (email: string, password: string, address = '198.51.100.1') =>
  world.fetch('/v1/auth/login', { json: { email, password }, address });
const counts = (responses: Response[]) => {
  const byStatus = Object.groupBy(responses, ({ status }) => String(status));
  return Object.fromEntries(Object.entries(byStatus).map(([status, list]) => [status, list?.length]));
};

test('a sign-in gives a signed token, its end and the person', async () => {
  const response = await login(' ADA@Example.com ', TEST_PASSWORD);
  expect(response.status).toBe(200);
  expect(response.headers.get('Set-Cookie')).toBeNull();
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toEqual({
    token: expect.stringMatching(/^\w{32}\.[\w+/]{43}=$/),
    expiresAt: new Date(world.clock.now() + 604_800_000).toISOString(),
    user: { id: world.seed.userId, email: 'ada@example.com', name: 'ada' },
  });
  expect((await world.fetch('/v1/auth/me', { bearer: String(body.token) })).status).toBe(200);
});

test('the session remembers the peer of the socket, not what a header says', async () => {
  await world.fetch('/v1/auth/login', {
    json: { email: world.seed.email, password: TEST_PASSWORD },
    address: '198.51.100.7',
    headers: { 'X-Forwarded-For': '1.2.3.4', 'X-Client-Address': '1.2.3.4', 'User-Agent': 'test/1' },
  });
  const rows = await world.ctx.db.sql.select().from(sessions);
  expect(rows.map((row) => [row.ipAddress, row.userAgent])).toContainEqual(['198.51.100.7', 'test/1']);
  expect(JSON.stringify(rows)).not.toContain('1.2.3.4');
});

test('each sign-in is a session of its own', async () => {
  const tokens = await Promise.all([1, 2, 3].map(() => world.signIn(world.seed.email)));
  expect(new Set([...tokens, world.seed.bearer]).size).toBe(4);
});

describe('what does not fit', () => {
  test.each([
    ['a wrong password', 'ada@example.com', 'wrong password'],
    ['an unknown address', 'nobody@example.com', TEST_PASSWORD],
    ['a password of 1,024 characters', 'ada@example.com', 'x'.repeat(1_024)],
  ])('%s is 401, says the same and costs one hash', async (_name, email, password) => {
    const hash = spyOn(Bun.password, 'hash');
    const verify = spyOn(Bun.password, 'verify');
    const response = await login(email, password);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Not authenticated' });
    expect(hash.mock.calls.length + verify.mock.calls.length).toBe(1);
    hash.mockRestore();
    verify.mockRestore();
  });

  test.each([
    ['no address', {}, 'email is required'],
    ['no password', { email: 'ada@example.com' }, 'password is required'],
    ['a broken address', { email: 'ada', password: 'x' }, 'email: Invalid email address'],
    ['an array', { email: ['a@b.cd'], password: 'x' }, 'email: must be a text'],
    ['an endless password', { email: 'a@b.cd', password: 'x'.repeat(1_025) }, /^password: must have at most/],
  ])('%s is 400', async (_name, json, message) => {
    const response = await world.fetch('/v1/auth/login', { json });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: string };
    if (typeof message === 'string') expect(error).toBe(message);
    else expect(error).toMatch(message);
  });
});

describe('the throttle', () => {
  test('after ten failures each further one doubles the delay of the account at that address', async () => {
    for (let i = 0; i < 10; i++) expect((await login(world.seed.email, 'wrong password')).status).toBe(401);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const refused = await login(world.seed.email, TEST_PASSWORD);
      expect(refused.status).toBe(429);
      expect(await refused.json()).toEqual({ error: 'Rate limit exceeded' });
      expect(refused.headers.get('Retry-After')).toBe(String(seconds));
      world.clock.advance(seconds * 1_000 - 1);
      expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(429);
      world.clock.advance(1);
      expect((await login(world.seed.email, 'wrong password')).status).toBe(401);
    }
    expect((await login(world.seed.email, TEST_PASSWORD, '198.51.100.2')).status).toBe(200);
    expect((await login('nobody@example.com', 'wrong password')).status).toBe(401);
    world.clock.advance(60_000);
    expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
  });

  test('an unknown account is delayed in the same way', async () => {
    for (let i = 0; i < 10; i++) await login('nobody@example.com', 'wrong password');
    expect((await login('nobody@example.com', 'wrong password')).status).toBe(429);
  });

  test('of 50 wrong passwords at once ten are tried', async () => {
    const verify = spyOn(Bun.password, 'verify');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => login(world.seed.email, 'wrong password')),
    );
    expect(counts(responses)).toEqual({ 401: 10, 429: 40 });
    expect(verify).toHaveBeenCalledTimes(10);
    verify.mockRestore();
  });

  test('200 right passwords at once all pass', async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => login(world.seed.email, TEST_PASSWORD)),
    );
    expect(counts(responses)).toEqual({ 200: 200 });
  });

  describe('over a hundred failures', () => {
    const newcomer = '198.51.100.2';

    test('at other accounts delay an address, but not whoever is signed in from there', async () => {
      expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
      const colleague = await world.addUser('member');
      for (let i = 0; i < 100; i++) await login(`nobody-${i}@example.com`, 'wrong password');
      expect((await login('nobody@example.com', 'wrong password')).status).toBe(429);
      expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
      expect((await login(colleague.email, TEST_PASSWORD)).status).toBe(429);
      expect((await login(colleague.email, TEST_PASSWORD, newcomer)).status).toBe(200);
      world.clock.advance(1_000);
      expect((await login(colleague.email, TEST_PASSWORD)).status).toBe(200);
    });

    test('from other addresses delay an account by seconds, and its owner at a known address not at all', async () => {
      expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
      for (let i = 0; i < 100; i++) await login(world.seed.email, 'wrong password', `203.0.113.${i}`);
      for (const seconds of [1, 2, 4, 8, 10, 10]) {
        const refused = await login(world.seed.email, TEST_PASSWORD, newcomer);
        expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, String(seconds)]);
        expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
        world.clock.advance(seconds * 1_000);
        await login(world.seed.email, 'wrong password', `203.0.113.${100 + seconds}`);
      }
      world.clock.advance(10_000);
      expect((await login(world.seed.email, TEST_PASSWORD, newcomer)).status).toBe(200);
    });

    test('delay guesses from a known address too', async () => {
      expect((await login(world.seed.email, TEST_PASSWORD)).status).toBe(200);
      for (let i = 0; i < 100; i++) await login(world.seed.email, 'wrong password', `203.0.113.${i}`);
      for (let i = 0; i < 10; i++) expect((await login(world.seed.email, 'wrong')).status).toBe(401);
      expect((await login(world.seed.email, 'wrong password')).status).toBe(429);
    });
  });
});
