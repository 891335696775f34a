import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { recoveryCodes, sessions, totpFactors, verifications } from '../../../../src/core/auth/table.ts';
import { matchTotp, totpUri } from '../../../../src/core/auth/two-factor/totp.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { addApp, startSignIn, type WithApp } from '../../../helpers/factors.ts';
import { asker } from '../../../helpers/people.ts';
import { appCode } from '../../../helpers/totp.ts';
import { auditRows } from '../../audit/rows.ts';

const STEP_MS = 30_000;

describe('codes', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // RFC 6238, appendix B, the last six of eight digits.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d seconds the code is that of RFC 6238', (seconds, code) => {
    expect(matchTotp(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(appCode(secret, seconds * 1000)).toBe(code);
  });

  test('the address for the app has the secret and the account', () => {
    expect(totpUri('ABC', 'ada+x@example.com')).toBe(
      'otpauth://totp/Spanledger:ada%2Bx%40example.com?secret=ABC&issuer=Spanledger',
    );
  });
});

let world: TestApp;
let ada: string;
beforeEach(async () => {
  world = await openTestApp();
  ada = world.seed.bearer;
});
afterEach(() => world.close());

const ask = (path: string, json: unknown, bearer = ada) => asker(world)('POST', path, bearer, json);
const secondStep = (json: object, address = '198.51.100.9') =>
  world.fetch('/v1/auth/login/second-factor', { json, address });
const meStatus = async (bearer: string) => (await world.fetch('/v1/auth/me', { bearer })).status;

describe('adding an authenticator app', () => {
  const begin = async () =>
    (await ask('/v1/auth/two-factor/totp', {})).body as Record<'secret' | 'uri' | 'enrolment', string>;

  test('asks for the password, also for the first factor and right after a sign-in, and holds up who guesses it', async () => {
    const { secret, enrolment } = await begin();
    const confirm = (given: { password?: string }) => {
      const code = appCode(secret, world.clock.now());
      return ask('/v1/auth/two-factor/totp/confirm', { enrolment, code, ...given });
    };
    expect(await confirm({})).toEqual({ status: 400, body: { error: 'password is required' } });
    for (let i = 0; i < 10; i++) {
      const wrong = await confirm({ password: 'wrong password' });
      expect(wrong).toEqual({ status: 403, body: { error: 'The password is wrong' } });
    }
    expect(await confirm({ password: TEST_PASSWORD })).toMatchObject({
      status: 429,
      body: { error: expect.any(String) },
    });
    expect(await world.ctx.db.sql.$count(totpFactors)).toBe(0);
    world.clock.advance(60_000);
    expect((await confirm({ password: TEST_PASSWORD })).status).toBe(200);
  });

  test('stores nothing before the first code, and then an encrypted secret and hashed codes', async () => {
    const { secret, uri, enrolment } = await begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect(enrolment).not.toContain(secret);
    expect(await world.ctx.db.sql.$count(totpFactors)).toBe(0);
    const code = appCode(secret, world.clock.now());
    const { status, body } = await ask('/v1/auth/two-factor/totp/confirm', {
      ...{ enrolment, code, password: TEST_PASSWORD },
    });
    const { recoveryCodes: codes } = body as { recoveryCodes: string[] };
    expect(status).toBe(200);
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    const stored = JSON.stringify([
      await world.ctx.db.sql.select().from(totpFactors),
      await world.ctx.db.sql.select().from(recoveryCodes),
    ]);
    for (const known of [secret, ...codes, ...codes.map((each) => each.replaceAll('-', ''))])
      expect(stored).not.toContain(known);
  });

  test('counts once when it is confirmed several times at once', async () => {
    const { secret, enrolment } = await begin();
    const body = { enrolment, code: appCode(secret, world.clock.now()), password: TEST_PASSWORD };
    const confirm = () => ask('/v1/auth/two-factor/totp/confirm', body);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(confirm));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect((await confirm()).status).toBe(409);
    expect((await auditRows(world.ctx)).filter(({ action }) => action === 'user.totp_added')).toHaveLength(1);
    expect(await world.ctx.db.sql.$count(recoveryCodes)).toBe(10);
  });

  test('refuses a wrong code, an enrolment of another person, a changed one and an old one', async () => {
    const { secret, enrolment } = await begin();
    const confirm = (given: { enrolment?: string; code?: string }, bearer = ada) => {
      const code = appCode(secret, world.clock.now());
      const body = { enrolment, code, password: TEST_PASSWORD, ...given };
      return ask('/v1/auth/two-factor/totp/confirm', body, bearer);
    };
    const wrongCode = appCode(secret, world.clock.now() + 10 * STEP_MS);
    expect((await confirm({ code: wrongCode })).status).toBe(403);
    expect((await confirm({ code: '12345' })).status).toBe(400);
    expect((await confirm({}, (await world.addUser('member')).bearer)).status).toBe(403);
    expect(
      (await confirm({ enrolment: `${enrolment.startsWith('A') ? 'B' : 'A'}${enrolment.slice(1)}` })).status,
    ).toBe(403);
    expect((await confirm({ enrolment: 'nonsense' })).status).toBe(403);
    world.clock.advance(15 * 60_000);
    expect((await confirm({})).status).toBe(403);
    expect(await world.ctx.db.sql.$count(totpFactors)).toBe(0);
  });

  test('ends the other login sessions of the person, and only theirs', async () => {
    const other = await world.signIn(world.seed.email);
    const member = await world.addUser('member');
    await addApp(world, ada);
    expect([await meStatus(ada), await meStatus(other), await meStatus(member.bearer)]).toEqual([
      200, 401, 200,
    ]);
  });

  test('replaces an earlier app, and keeps the recovery codes', async () => {
    const first = await addApp(world, ada);
    world.clock.advance(STEP_MS);
    const second = await addApp(world, ada);
    expect(second.recoveryCodes).toBeNull();
    world.clock.advance(STEP_MS);
    const { challenge } = await startSignIn(world, world.seed.email);
    expect((await secondStep({ challenge, code: first.code() })).status).toBe(401);
    expect((await secondStep({ challenge, code: second.code() })).status).toBe(200);
  });

  test('is possible without a password only shortly after a sign-in', async () => {
    await world.ctx.db.sql.run("DELETE FROM accounts WHERE provider_id = 'credential'");
    const { secret, enrolment } = await begin();
    const confirm = () => {
      const code = appCode(secret, world.clock.now());
      return ask('/v1/auth/two-factor/totp/confirm', { enrolment, code });
    };
    world.clock.advance(10 * 60_000);
    expect(await confirm()).toEqual({
      status: 403,
      body: { code: 'sign_in_again', error: expect.stringContaining('within 10 minutes') },
    });
    await world.ctx.db.sql.run(`UPDATE sessions SET proven_at = ${world.clock.now()}`);
    expect((await confirm()).status).toBe(200);
  });
});

describe('signing in with an authenticator app', () => {
  let app: WithApp;
  beforeEach(async () => {
    app = await addApp(world, ada);
    world.clock.advance(STEP_MS);
  });

  test('the password alone gives a challenge and no login session', async () => {
    const before = await world.ctx.db.sql.$count(sessions);
    const json = { email: world.seed.email, password: TEST_PASSWORD };
    const reply = await world.fetch('/v1/auth/login', { json });
    expect([reply.status, reply.headers.get('Cache-Control'), reply.headers.get('Set-Cookie')]).toEqual([
      401,
      'no-store',
      null,
    ]);
    expect(await reply.json()).toEqual({
      error: expect.stringContaining('/v1/auth/login/second-factor'),
      code: 'second_factor_required',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(world.clock.now() + 15 * 60_000).toISOString(),
      methods: ['totp', 'recovery_code'],
    });
    expect(await world.ctx.db.sql.$count(sessions)).toBe(before);
  });

  test('a wrong password says nothing about the factor', async () => {
    const json = { email: world.seed.email, password: 'wrong password' };
    const reply = await world.fetch('/v1/auth/login', { json });
    expect([reply.status, await reply.json()]).toEqual([401, { error: 'Not authenticated' }]);
  });

  test('the code completes it, in the shape of a login', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    const code = app.code();
    const reply = await secondStep({ challenge, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('Cache-Control')).toBe('no-store');
    const { token, user } = (await reply.json()) as { token: string; user: { id: string } };
    expect(user.id).toBe(world.seed.userId);
    expect(await meStatus(token)).toBe(200);
  });

  test('a challenge in the form of an earlier version has expired', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    await world.ctx.db.sql.update(verifications).set({ value: world.seed.userId });
    const reply = await secondStep({ challenge, code: app.code() });
    expect(reply.status).toBe(401);
  });

  test('with `cookie` the session is kept by the browser, from the own pages only', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    const json = { challenge, code: app.code(), cookie: true };
    const foreign = { json, headers: { Origin: 'https://evil.example' } };
    expect((await world.fetch('/v1/auth/login/second-factor', foreign)).status).toBe(403);
    const own = { json, headers: { Origin: 'http://localhost' } };
    const reply = await world.fetch('/v1/auth/login/second-factor', own);
    expect([reply.status, ((await reply.json()) as { token: null }).token]).toEqual([200, null]);
    expect(reply.headers.get('Set-Cookie')).toStartWith('spanledger_session=');
  });

  test.each([
    [-2, 401],
    [-1, 401],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('a code that is %d steps off gives %d', async (steps, status) => {
    // The step before this one added the app, so its code was used.
    const { challenge } = await startSignIn(world, world.seed.email);
    const code = appCode(app.secret, world.clock.now() + steps * STEP_MS);
    expect((await secondStep({ challenge, code })).status).toBe(status);
  });

  test('the code of the step before is accepted, if it was not used', async () => {
    world.clock.advance(STEP_MS);
    const { challenge } = await startSignIn(world, world.seed.email);
    const code = appCode(app.secret, world.clock.now() - STEP_MS);
    expect((await secondStep({ challenge, code })).status).toBe(200);
  });

  test('no code is accepted twice, nor an earlier one after it', async () => {
    const earlier = app.code();
    world.clock.advance(STEP_MS);
    const code = app.code();
    const [first, second] = [
      await startSignIn(world, world.seed.email),
      await startSignIn(world, world.seed.email),
    ];
    expect((await secondStep({ challenge: first.challenge, code })).status).toBe(200);
    for (const used of [code, earlier]) {
      const reply = await secondStep({ challenge: second.challenge, code: used });
      expect([reply.status, await reply.json()]).toEqual([
        401,
        { error: 'The code is wrong or was used before; wait for the next one' },
      ]);
    }
    world.clock.advance(STEP_MS);
    expect((await secondStep({ challenge: second.challenge, code: app.code() })).status).toBe(200);
  });

  test('of concurrent requests with one code, one gets in', async () => {
    const held = await Promise.all([1, 2, 3, 4].map(() => startSignIn(world, world.seed.email)));
    const code = app.code();
    const replies = await Promise.all(held.map(({ challenge }) => secondStep({ challenge, code })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('a challenge is for one sign-in, and for 15 minutes', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    expect((await secondStep({ challenge, code: app.code() })).status).toBe(200);
    world.clock.advance(STEP_MS);
    const over = { error: 'This sign-in has expired; begin it again' };
    const again = await secondStep({ challenge, code: app.code() });
    expect([again.status, await again.json()]).toEqual([401, over]);
    const next = await startSignIn(world, world.seed.email);
    world.clock.advance(15 * 60_000);
    const late = await secondStep({ challenge: next.challenge, code: app.code() });
    expect([late.status, await late.json()]).toEqual([401, over]);
    expect((await secondStep({ challenge: 'nonsense', code: app.code() })).status).toBe(401);
  });

  test('one factor is to be sent', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    const none = await secondStep({ challenge });
    expect([none.status, await none.json()]).toEqual([
      400,
      { error: 'send one of code, recoveryCode and passkey' },
    ]);
    const two = await secondStep({ challenge, code: app.code(), recoveryCode: app.recoveryCodes?.[0] });
    expect(two.status).toBe(400);
  });

  test('five wrong codes are checked at once, whatever the address; then ever longer waits', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    const guess = (n: number) =>
      secondStep({ challenge, code: String(n).padStart(6, '0') }, `203.0.113.${n}`);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    const waits = [];
    for (let n = 0; n < 4; n++) {
      const refused = await guess(50 + n);
      const wait = Number(refused.headers.get('Retry-After'));
      waits.push(wait);
      world.clock.advance(wait * 1_000 - 1);
      expect((await guess(60 + n)).status).toBe(429);
      world.clock.advance(1);
      expect((await guess(70 + n)).status).toBe(401);
    }
    expect(waits).toEqual([30, 60, 120, 240]);
    // A recovery code is too long to guess, so it stays open to the owner.
    const recoveryCode = app.recoveryCodes?.[0];
    expect((await secondStep({ challenge, recoveryCode })).status).toBe(200);
  });

  test('a right code ends the waits', async () => {
    const { challenge } = await startSignIn(world, world.seed.email);
    const wrong = appCode(app.secret, world.clock.now() + 100 * STEP_MS);
    for (let n = 0; n < 4; n++) expect((await secondStep({ challenge, code: wrong })).status).toBe(401);
    expect((await secondStep({ challenge, code: app.code() })).status).toBe(200);
    const next = await startSignIn(world, world.seed.email);
    for (let n = 0; n < 5; n++)
      expect((await secondStep({ challenge: next.challenge, code: wrong })).status).toBe(401);
  });

  test('after a change of the secret of the server, recovery codes still open the account', async () => {
    await world.reopen({ BETTER_AUTH_SECRET: 'another secret of the tests, also long enough' });
    const { challenge } = await startSignIn(world, world.seed.email);
    const reply = await secondStep({ challenge, code: app.code() });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
      401,
      expect.stringMatching(/^The secret of this server has changed/),
    ]);
    expect((await secondStep({ challenge, recoveryCode: app.recoveryCodes?.[3] })).status).toBe(200);
  });

  test('removing it asks for the password; then the password is enough again, and the codes are gone', async () => {
    expect((await ask('/v1/auth/two-factor/totp/remove', {})).status).toBe(400);
    const removed = await ask('/v1/auth/two-factor/totp/remove', { password: TEST_PASSWORD });
    expect(removed.status).toBe(204);
    await world.signIn(world.seed.email);
    expect(await world.ctx.db.sql.$count(recoveryCodes)).toBe(0);
    expect((await ask('/v1/auth/two-factor/totp/remove', { password: TEST_PASSWORD })).status).toBe(404);
  });
});
