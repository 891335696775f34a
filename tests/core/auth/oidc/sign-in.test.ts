import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { accounts } from '../../../../src/core/auth/table.ts';
import { users } from '../../../../src/core/orgs/table.ts';
import { openTestApp, type TestApp } from '../../../helpers/app.ts';
import { auditRows } from '../../audit/rows.ts';
import { CLIENT, type ProviderSettings, startProvider, type TestProvider } from './provider.ts';
import { type Browser, openVisitor, type Visitor } from './visitor.ts';

const BASE = 'http://ledger.test';
const GRACE = { email: 'grace@example.com', email_verified: true, name: 'Grace' };

let provider: TestProvider;
let world: TestApp;
let visitor: Visitor;
const issuers = (more: object = {}) => ({
  OIDC_ISSUERS: JSON.stringify([
    { id: 'acme', name: 'Acme SSO', issuer: provider.issuer, ...CLIENT, ...more },
  ]),
});
beforeAll(async () => {
  provider = await startProvider([BASE], 'acme');
});
afterAll(() => provider.close());
beforeEach(async () => {
  await provider.set({ people: { grace: GRACE } });
  world = await openTestApp({ now: Date.now(), env: { PUBLIC_URL: BASE, SIGNUP: 'open', ...issuers() } });
  visitor = openVisitor(() => world, BASE);
});
afterEach(() => world.close());

const signIn = (login = 'grace') => visitor.signIn('acme', (url) => provider.signIn(url, login));
const counts = async () => ({
  users: await world.ctx.db.sql.$count(users),
  accounts: await world.ctx.db.sql.$count(accounts),
});

describe('a person with a confirmed address', () => {
  test.each([true, false])(
    'gets an account, and the same one again (claims in the ID token: %p)',
    async (claimsInIdToken) => {
      await provider.set({ people: { grace: GRACE }, claimsInIdToken });
      const first = await visitor.me(await signIn());
      expect(first.user).toMatchObject({ email: 'grace@example.com', name: 'Grace', emailVerified: true });
      expect(first.memberships).toMatchObject([{ organizationName: 'Grace', role: 'owner' }]);
      const moved = { ...GRACE, email: 'ada@example.com' };
      await provider.set({ people: { grace: moved }, claimsInIdToken });
      expect((await visitor.me(await signIn())).user.id).toBe(first.user.id);
      expect(await counts()).toEqual({ users: 2, accounts: 2 });
    },
  );

  test('joins the account with that address, and is never somebody else with the same subject', async () => {
    await provider.set({ people: { 1: { ...GRACE, email: 'ada@example.com' }, 2: GRACE } });
    expect((await visitor.me(await signIn('1'))).user.id).toBe(world.seed.userId);
    expect((await visitor.me(await signIn('2'))).user.id).not.toBe(world.seed.userId);
    const kept = await world.ctx.db.sql.select().from(accounts);
    expect(kept.map((row) => [row.providerId, row.accountId])).toContainEqual([`${provider.issuer}/`, '1']);
  });

  test('signs in after the issuer has rotated its keys', async () => {
    await signIn();
    await provider.rotate();
    expect((await visitor.me(await signIn())).user.email).toBe('grace@example.com');
  });

  test('signs in only with an address for which the issuer may vouch', async () => {
    await world.reopen(issuers({ domains: ['acme.example', 'globex.example'] }));
    await provider.set({ people: { eve: { ...GRACE, email: 'ada@example.com' } } });
    expect(visitor.reasonOf(await signIn('eve'))).toBe(
      'Acme SSO is accepted for addresses at acme.example, globex.example only; yours is ada@example.com',
    );
    await provider.set({ people: { eve: { ...GRACE, email: 'eve@globex.example' } } });
    const { user } = await visitor.me(await signIn('eve'));
    await provider.set({ people: { eve: { ...GRACE, email: 'ada@example.com' } } });
    expect((await visitor.me(await signIn('eve'))).user).toEqual(user);
  });

  test('signs in with an address that only the operator declares confirmed', async () => {
    await provider.set({ people: { grace: { email: 'grace@acme.example' } } });
    expect(visitor.reasonOf(await signIn())).toMatch(/Acme SSO has not confirmed your email address/);
    await world.reopen(issuers({ domains: ['acme.example'], assumeVerified: true }));
    expect((await visitor.me(await signIn())).user.email).toBe('grace@acme.example');
    await provider.set({ people: { eve: { email: 'eve@acme.example', email_verified: false } } });
    expect(visitor.reasonOf(await signIn('eve'))).toMatch(/has not confirmed/);
  });
});

test('the browser is sent with PKCE, state, nonce and the configured scopes', async () => {
  await world.reopen(issuers({ scopes: ['email', 'groups'] }));
  const { url } = await visitor.begin('acme');
  const given = Object.fromEntries(new URL(url).searchParams);
  expect(url.startsWith(`${provider.issuer}/auth?`)).toBe(true);
  expect(given).toMatchObject({
    client_id: 'ledger',
    redirect_uri: `${BASE}/v1/auth/callback/acme`,
    scope: 'openid email groups',
    response_type: 'code',
    code_challenge_method: 'S256',
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(given[name]).toMatch(/^[\w-]{43}$/);
  expect(url).not.toContain('secret');
});

describe('nobody is signed in', () => {
  const forged = /did not pass the checks/;
  const HOUR = 3_600_000;
  const cases: [string, ProviderSettings, RegExp][] = [
    ['with the nonce of another sign-in', { alter: { nonce: 'another' } }, forged],
    ['without a nonce', { alter: { nonce: null } }, forged],
    ['with a token for another application', { alter: { aud: 'another' } }, /to another application/],
    ['with the token of another issuer', { alter: { iss: 'https://evil.example' } }, forged],
    ['with a token that is signed by another key', { foreignKey: true }, forged],
    ['without a subject', { alter: { sub: null } }, forged],
    [
      'with a token that has expired',
      { alter: { exp: Math.floor(Date.now() / 1000) - 120 } },
      /clocks .* differ/,
    ],
    ['with an issuer whose clock is hours behind', { clockOffsetMs: -2 * HOUR }, /clocks .* differ/],
    ['without an address', { people: { grace: { name: 'Grace' } } }, /sent no email address/],
    [
      'with an address that is none',
      { people: { grace: { ...GRACE, email: 'grace' } } },
      /sent no email address/,
    ],
    [
      'with an unconfirmed address',
      { people: { grace: { ...GRACE, email_verified: false } } },
      /has not confirmed/,
    ],
  ];
  test.each(cases)('%s', async (_name, settings, reason) => {
    await provider.set({ people: { grace: GRACE }, ...settings });
    const before = await counts();
    const reply = await signIn();
    expect(visitor.reasonOf(reply)).toMatch(reason);
    expect(visitor.sessionOf(reply)).toBe('');
    expect(await counts()).toEqual(before);
  });

  test('who cancels at the issuer', async () => {
    const reply = await visitor.signIn('acme', (url) => provider.cancel(url));
    expect(visitor.reasonOf(reply)).toMatch(/Acme SSO did not sign you in, because .* declined/);
  });

  test('with a code that was used before', async () => {
    const browser = await visitor.begin('acme');
    const back = await provider.signIn(browser.url, 'grace');
    const first = await visitor.comeBack('acme', browser, back);
    expect(visitor.sessionOf(first)).not.toBe('');
    const again = await visitor.comeBack('acme', browser, back);
    expect(visitor.reasonOf(again)).toMatch(/took too long or was used before/);
  });

  test('with a code that has expired', async () => {
    const browser = await visitor.begin('acme');
    const back = await provider.signIn(browser.url, 'grace');
    await provider.set({ people: { grace: GRACE }, clockOffsetMs: 120_000 });
    expect(visitor.reasonOf(await visitor.comeBack('acme', browser, back))).toMatch(/took too long/);
  });

  const over = /This sign-in is over/;
  const replays: [string, (mine: Browser, other: Browser) => Browser, RegExp][] = [
    ['with the reply to another browser', (mine, other) => ({ ...mine, cookie: other.cookie }), over],
    ['without the cookie of the sign-in', (mine) => ({ ...mine, cookie: '' }), over],
  ];
  test.each(replays)('%s', async (_name, change, reason) => {
    const mine = await visitor.begin('acme');
    const back = await provider.signIn(mine.url, 'grace');
    const reply = await visitor.comeBack('acme', change(mine, await visitor.begin('acme')), back);
    expect(visitor.reasonOf(reply)).toMatch(reason);
  });

  test('with a code that somebody else received', async () => {
    const mine = await visitor.begin('acme');
    const other = await visitor.begin('acme');
    const back = await provider.signIn(mine.url, 'grace');
    const theirs = await provider.signIn(other.url, 'grace');
    back.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    expect(visitor.reasonOf(await visitor.comeBack('acme', mine, back))).toMatch(/took too long or was used/);
  });

  test('with a reply that names another issuer', async () => {
    const mine = await visitor.begin('acme');
    const back = await provider.signIn(mine.url, 'grace');
    back.searchParams.set('iss', 'https://evil.example');
    expect(visitor.reasonOf(await visitor.comeBack('acme', mine, back))).toMatch(forged);
  });
});

describe('an issuer that is not reachable or set up wrongly', () => {
  const begin = async () => {
    const reply = await visitor.ask('acme');
    return [reply.status, ((await reply.json()) as { error: string }).error] as const;
  };

  test('is reported when the sign-in begins, and asked again later', async () => {
    await provider.set({ status: 503 });
    expect(await begin()).toEqual([503, 'Acme SSO does not answer; try again in a minute']);
    await provider.set({ status: 404 });
    expect(await begin()).toEqual([
      403,
      'Sign-in with Acme SSO is not set up correctly; tell the operator to run `spanledger auth check-issuer`',
    ]);
    await world.reopen(issuers({ issuer: 'http://127.0.0.1:9' }));
    expect((await begin())[0]).toBe(503);
    await provider.set({ people: { grace: GRACE } });
    await world.reopen(issuers());
    expect(visitor.sessionOf(await signIn())).not.toBe('');
  });

  test('is reported when it fails in the middle', async () => {
    const browser = await visitor.begin('acme');
    const back = await provider.signIn(browser.url, 'grace');
    await provider.set({ status: 500 });
    expect(visitor.reasonOf(await visitor.comeBack('acme', browser, back))).toMatch(/does not answer/);
  });

  test('is reported when it refuses the secret', async () => {
    await world.reopen(issuers({ clientSecret: 'wrong' }));
    expect(visitor.reasonOf(await signIn())).toMatch(/refused this server's client id or secret/);
  });

  test('is reported when it is another issuer than configured', async () => {
    await world.reopen(issuers({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') }));
    expect((await begin())[1]).toMatch(/not set up correctly/);
  });
});

test('neither the secret nor tokens are stored, logged or shown', async () => {
  await signIn();
  await provider.set({ people: { grace: GRACE }, alter: { nonce: 'x' } });
  const reply = await signIn();
  const kept = JSON.stringify([
    await world.ctx.db.sql.select().from(accounts),
    await auditRows(world.ctx),
    reply.headers.get('Location'),
    world.errors,
  ]);
  expect(kept).toContain(provider.issuer);
  for (const part of [CLIENT.clientSecret, 'eyJ']) expect(kept).not.toContain(part);
});

test('an office is not stopped by a few failures, and many are refused with a reason', async () => {
  await world.reopen(issuers({ clientSecret: 'wrong' }));
  for (let failures = 0; failures < 12; failures++)
    expect(visitor.reasonOf(await signIn())).toMatch(/client id or secret/);
  const browser = await visitor.begin('acme');
  const back = new URL(`${BASE}/?code=x&state=${new URL(browser.url).searchParams.get('state')}`);
  const reasons = new Set<string>();
  for (let tries = 0; tries < 11; tries++)
    reasons.add(visitor.reasonOf(await visitor.comeBack('acme', browser, back)));
  expect([...reasons].at(-1)).toMatch(/Too many sign-ins failed from your network/);
});

test('a person without an account is refused where sign-up is closed', async () => {
  await world.reopen({ SIGNUP: 'closed' });
  expect(visitor.reasonOf(await signIn())).toMatch(/There is no account for grace@example.com here/);
});
