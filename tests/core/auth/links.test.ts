import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { resetLink } from '../../../src/core/auth/links/reset-link.ts';
import { accounts, sessions, verifications } from '../../../src/core/auth/table.ts';
import { organizations, users } from '../../../src/core/orgs/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { openSmtp, type TestSmtp, tokenIn } from '../../helpers/smtp.ts';

const MINUTES_15 = 15 * 60_000;
const NEW_PASSWORD = 'a new long password';
const STRANGER = 'grace@example.com';

let world: TestApp;
let smtp: TestSmtp;
beforeEach(async () => {
  smtp = await openSmtp();
  world = await openTestApp({
    // better-auth goes by the system's clock.
    now: Date.now(),
    env: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'ledger@example.com',
      PUBLIC_URL: 'http://ledger.test',
      SIGNUP: 'open',
    },
  });
});
afterEach(async () => {
  setSystemTime();
  await world.close();
  await smtp.close();
});

const post = (path: string, json: unknown, more: { bearer?: string; address?: string } = {}) =>
  world.fetch(`/v1/auth/${path}`, { json, ...more });
const login = async (email: string, password: string) => (await post('login', { email, password })).status;
const me = async (bearer: string) => (await world.fetch('/v1/auth/me', { bearer })).status;
const rows = async () => {
  const db = world.ctx.db.sql;
  const [people, ways, open, orgs] = await Promise.all([
    db.$count(users),
    db.$count(accounts),
    db.$count(sessions),
    db.$count(organizations),
  ]);
  return { people, ways, open, orgs };
};
const advance = (ms: number): void => {
  world.clock.advance(ms);
  setSystemTime(new Date(world.clock.now()));
};

/** Each kind of link: how it is asked for, and how it is redeemed. */
const KINDS = [
  ['sign-up', 'signup', 'signup/confirm', STRANGER, 201],
  ['reset', 'request-password-reset', 'reset-password', 'ada@example.com', 200],
  ['magic', 'sign-in/magic-link', 'magic-link/verify', 'ada@example.com', 200],
] as const;

describe.each(KINDS)('a %s link', (kind, ask, redeem, email, success) => {
  const newToken = async () => {
    expect((await post(ask, { email })).status).toBe(202);
    return tokenIn(await smtp.next(email), kind);
  };
  const use = (token: string) =>
    post(redeem, kind === 'magic' ? { token } : { token, password: NEW_PASSWORD });

  test('signs its owner in, once', async () => {
    const token = await newToken();
    const reply = await use(token);
    expect([reply.status, reply.headers.get('Cache-Control')]).toEqual([success, 'no-store']);
    const { token: bearer } = (await reply.json()) as { token: string };
    expect(await me(bearer)).toBe(200);
    const before = await rows();
    const again = await use(token);
    expect([again.status, await again.json()]).toEqual([
      403,
      { error: 'This link is not valid any more; ask for a new one' },
    ]);
    expect(await rows()).toEqual(before);
  });

  test('is kept as a hash only', async () => {
    const token = await newToken();
    const kept = JSON.stringify(await world.ctx.db.sql.select().from(verifications));
    expect(kept).toContain(kind === 'magic' ? 'magic-link:' : `${kind}:`);
    expect(kept).not.toContain(token);
  });

  test('of ten uses at once one succeeds', async () => {
    const token = await newToken();
    const replies = await Promise.all(Array.from({ length: 10 }, () => use(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([success, ...Array(9).fill(403)]);
  });

  test('lasts for 15 minutes', async () => {
    const token = await newToken();
    advance(MINUTES_15 + 5_000);
    const before = await rows();
    expect((await use(token)).status).toBe(403);
    expect(await rows()).toEqual(before);
  });

  test('of one kind is not of another', async () => {
    const token = await newToken();
    for (const [other, , path] of KINDS) {
      if (other === kind) continue;
      const reply = await post(path, other === 'magic' ? { token } : { token, password: NEW_PASSWORD });
      expect(reply.status).toBe(403);
    }
    expect((await use(token)).status).toBe(success);
  });

  test('can be asked for five times an hour', async () => {
    for (let i = 0; i < 5; i++)
      expect((await post(ask, { email }, { address: `203.0.113.${i}` })).status).toBe(202);
    const refused = await post(ask, { email });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
  });
});

test.each([
  ['request-password-reset', STRANGER],
  ['sign-in/magic-link', STRANGER],
])('%s answers alike for an unknown address, and sends nothing', async (path, unknown) => {
  const known = await post(path, { email: world.seed.email });
  const other = await post(path, { email: unknown });
  const text = async (reply: Response, email: string) => (await reply.text()).replace(email, 'X');
  expect([other.status, await text(other, unknown)]).toEqual([
    known.status,
    await text(known, world.seed.email),
  ]);
  await smtp.next(world.seed.email);
  // A mail to the stranger would have left as late as the other did.
  await Bun.sleep(50);
  expect(smtp.mails).toEqual([]);
  expect(await world.ctx.db.sql.$count(verifications)).toBe(1);
});

describe('sign-up by mail', () => {
  test('of an address with an account answers alike and tells its owner only', async () => {
    const fresh = await post('signup', { email: STRANGER });
    const taken = await post('signup', { email: world.seed.email, password: 'an attacker chose this' });
    expect([taken.status, (await taken.text()).replace(world.seed.email, STRANGER)]).toEqual([
      202,
      await fresh.text(),
    ]);
    expect((await smtp.next(world.seed.email)).text).toContain('You already have a Spanledger account');
    expect(await login(world.seed.email, 'an attacker chose this')).toBe(401);
  });

  test('makes nothing before the link is used, and a password that was sent along opens nothing', async () => {
    const before = await rows();
    await post('signup', { email: STRANGER, password: 'an attacker chose this', organization: 'Navy' });
    const token = tokenIn(await smtp.next(STRANGER), 'sign-up');
    expect(await rows()).toEqual(before);
    await post('signup/confirm', { token, password: NEW_PASSWORD });
    expect(await login(STRANGER, 'an attacker chose this')).toBe(401);
    expect(await login(STRANGER, NEW_PASSWORD)).toBe(200);
    expect(
      await world.ctx.db.sql
        .select({ name: organizations.name, plan: organizations.plan })
        .from(organizations),
    ).toContainEqual({ name: 'Navy', plan: 'free' });
    expect(
      (await world.ctx.db.sql.select().from(users)).find(({ email }) => email === STRANGER)?.emailVerified,
    ).toBe(true);
  });

  test('of two links for one address, used at once, one makes the account', async () => {
    const tokens = [];
    for (let i = 0; i < 2; i++) {
      await post('signup', { email: STRANGER });
      tokens.push(tokenIn(await smtp.next(STRANGER), 'sign-up'));
    }
    const replies = await Promise.all(
      tokens.map((token) => post('signup/confirm', { token, password: NEW_PASSWORD })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect(await rows()).toMatchObject({ people: 2, orgs: 2 });
  });

  test('twenty strangers at once get twenty accounts', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const email = `stranger-${i}@example.com`;
        await post('signup', { email });
        return tokenIn(await smtp.next(email), 'sign-up');
      }),
    );
    const replies = await Promise.all(
      tokens.map((token) => post('signup/confirm', { token, password: NEW_PASSWORD })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await rows()).toEqual({ people: 21, ways: 21, open: 21, orgs: 21 });
  });

  test.each(['closed', 'invitation'])('is refused where SIGNUP is %s, even with a link', async (SIGNUP) => {
    await post('signup', { email: STRANGER });
    const token = tokenIn(await smtp.next(STRANGER), 'sign-up');
    await world.reopen({ SIGNUP });
    const before = await rows();
    expect((await post('signup', { email: 'other@example.com' })).status).toBe(403);
    expect((await post('signup/confirm', { token, password: NEW_PASSWORD })).status).toBe(403);
    expect(await rows()).toEqual(before);
  });
});

describe('a password', () => {
  test('that was reset is the only one, every session ends, and older links too', async () => {
    const tokens = [];
    for (let i = 0; i < 2; i++) {
      await post('request-password-reset', { email: world.seed.email });
      tokens.push(tokenIn(await smtp.next(world.seed.email), 'reset'));
    }
    const [older, newer] = tokens;
    expect((await post('reset-password', { token: newer, password: NEW_PASSWORD })).status).toBe(200);
    expect(await me(world.seed.bearer)).toBe(401);
    expect((await post('reset-password', { token: older, password: 'yet another password' })).status).toBe(
      403,
    );
    expect([
      await login(world.seed.email, TEST_PASSWORD),
      await login(world.seed.email, NEW_PASSWORD),
    ]).toEqual([401, 200]);
    expect(await world.ctx.db.sql.$count(accounts)).toBe(1);
  });

  test('that is too short costs no link', async () => {
    await post('request-password-reset', { email: world.seed.email });
    const token = tokenIn(await smtp.next(world.seed.email), 'reset');
    expect((await post('reset-password', { token, password: 'short' })).status).toBe(400);
    expect((await post('reset-password', { token, password: NEW_PASSWORD })).status).toBe(200);
  });

  test('that is changed ends the other sessions and tells its owner', async () => {
    const other = await world.signIn(world.seed.email);
    const change = (currentPassword: string) =>
      post('change-password', { currentPassword, newPassword: NEW_PASSWORD }, { bearer: world.seed.bearer });
    expect((await change('a wrong one')).status).toBe(401);
    expect([await me(other), await login(world.seed.email, TEST_PASSWORD)]).toEqual([200, 200]);
    expect((await change(TEST_PASSWORD)).status).toBe(204);
    expect([await me(other), await me(world.seed.bearer)]).toEqual([401, 200]);
    expect([
      await login(world.seed.email, TEST_PASSWORD),
      await login(world.seed.email, NEW_PASSWORD),
    ]).toEqual([401, 200]);
    expect((await smtp.next(world.seed.email)).text).toContain('was changed');
  });

  test('is not guessed by who has found a session', async () => {
    const change = () =>
      post(
        'change-password',
        { currentPassword: 'a wrong one', newPassword: NEW_PASSWORD },
        { bearer: world.seed.bearer },
      );
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await change()).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  test('can be reset by a link of the operator, without mail', async () => {
    await world.reopen({ SMTP_URL: undefined });
    expect((await post('request-password-reset', { email: world.seed.email })).status).toBe(409);
    const { url } = await world.app.act(resetLink, { email: world.seed.email });
    expect(url).toStartWith('http://ledger.test/link#reset=');
    const token = url.slice(url.indexOf('=') + 1);
    expect((await post('reset-password', { token, password: NEW_PASSWORD })).status).toBe(200);
    await expect(world.app.act(resetLink, { email: STRANGER })).rejects.toMatchObject({ status: 404 });
  });
});

test('a person without a proven address proves it by mail', async () => {
  await world.reopen({ SMTP_URL: undefined });
  const { token: bearer } = (await (
    await post('signup', { email: STRANGER, password: NEW_PASSWORD })
  ).json()) as { token: string };
  await world.reopen();
  const verified = async () =>
    ((await (await world.fetch('/v1/auth/me', { bearer })).json()) as { user: { emailVerified: boolean } })
      .user.emailVerified;
  expect(await verified()).toBe(false);
  expect((await world.fetch('/v1/auth/send-verification-email', { method: 'POST', bearer })).status).toBe(
    202,
  );
  const token = tokenIn(await smtp.next(STRANGER), 'verify');
  expect((await post('verify-email', { token }, { bearer })).status).toBe(204);
  expect((await post('verify-email', { token }, { bearer })).status).toBe(403);
  expect(await verified()).toBe(true);
});

test('a magic link takes away what an unproven account was opened with', async () => {
  await world.reopen({ SMTP_URL: undefined });
  const squatter = (await (await post('signup', { email: STRANGER, password: NEW_PASSWORD })).json()) as {
    token: string;
  };
  await world.reopen();
  await post('sign-in/magic-link', { email: STRANGER });
  expect(
    (await post('magic-link/verify', { token: tokenIn(await smtp.next(STRANGER), 'magic') })).status,
  ).toBe(200);
  expect([await me(squatter.token), await login(STRANGER, NEW_PASSWORD)]).toEqual([401, 401]);
});
