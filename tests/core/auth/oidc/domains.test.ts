import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { removeDomain, setDomain } from '../../../../src/core/auth/domains/change-domain.ts';
import { resetLink } from '../../../../src/core/auth/links/reset-link.ts';
import { inviteLink } from '../../../../src/core/invitations/index.ts';
import { createOrganization, removeUser } from '../../../../src/core/orgs/index.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { addApp, addPasskey } from '../../../helpers/factors.ts';
import { openSmtp, tokenIn } from '../../../helpers/smtp.ts';
import { auditRows } from '../../audit/rows.ts';
import { CLIENT, startProvider, type TestProvider } from './provider.ts';
import { openVisitor } from './visitor.ts';

const BASE = 'http://ledger.test';
const DOMAIN = 'example.com';
const SSO = /People at example\.com sign in with Acme SSO: choose "Continue with Acme SSO"/;

let provider: TestProvider;
let world: TestApp;
const visitor = openVisitor(() => world, BASE);
const entry = (id: string, name: string) => ({ id, name, issuer: provider.issuer, ...CLIENT });
const env = (id = 'acme', name = 'Acme SSO') => ({ OIDC_ISSUERS: JSON.stringify([entry(id, name)]) });
beforeAll(async () => {
  provider = await startProvider([BASE], 'acme');
  const person = (email: string, email_verified = true) => ({ email, email_verified });
  await provider.set({
    people: {
      grace: person('Grace@Example.com'),
      ada: person('ada@example.com'),
      eve: person('eve@example.com', false),
      sub: person('sub@mail.example.com'),
      other: person('other@globex.example'),
    },
  });
});
afterAll(() => provider.close());
beforeEach(async () => {
  world = await openTestApp({ now: Date.now(), env: { PUBLIC_URL: BASE, SIGNUP: 'closed', ...env() } });
});
afterEach(() => world.close());

const signIn = (login: string) => visitor.signIn('acme', (url) => provider.signIn(url, login));
const set = (more: object = {}) =>
  world.app.act(setDomain, {
    domain: DOMAIN,
    organization: 'Acme',
    provider: 'acme',
    role: 'viewer',
    ssoRequired: false,
    ...more,
  });
const message = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: Error) => error.message,
  );
const post = async (path: string, json: object) => {
  const reply = await world.fetch(path, { json });
  return [reply.status, ((await reply.json()) as { error?: string }).error] as const;
};

describe('people with an address of the domain', () => {
  test('join the organization with the role, even where sign-up is closed', async () => {
    await set();
    const { memberships } = await visitor.me(await signIn('grace'));
    expect(memberships).toMatchObject([{ organizationName: 'Acme', role: 'viewer' }]);
    const told = (await auditRows(world.ctx)).filter(
      ({ actor_email }) => actor_email === 'grace@example.com',
    );
    expect(told.map(({ action }) => action).sort()).toEqual([
      'member.added',
      'user.created',
      'user.signed_in',
    ]);
  });

  test('join with an account that they have, at their first sign-in only', async () => {
    const { id } = await world.app.act(createOrganization, { name: 'Globex' });
    await world.app.act(setDomain, {
      domain: DOMAIN,
      organization: id,
      provider: 'acme',
      role: 'admin',
      ssoRequired: false,
    });
    const roles = async () =>
      (await visitor.me(await signIn('ada'))).memberships.map((of) =>
        Object.values(of as object).slice(1, 3),
      );
    expect(await roles()).toEqual([
      ['Acme', 'owner'],
      ['Globex', 'admin'],
    ]);
    await world.app.act(removeUser, { organization: id, email: 'ada@example.com' });
    expect(await roles()).toEqual([['Acme', 'owner']]);
  });

  test('keep the role that they have', async () => {
    await set();
    const { memberships } = await visitor.me(await signIn('ada'));
    expect(memberships).toMatchObject([{ organizationName: 'Acme', role: 'owner' }]);
  });

  test('join once if they sign in several times at once', async () => {
    await set();
    const replies = await Promise.all(Array.from({ length: 4 }, () => signIn('grace')));
    for (const reply of replies) expect((await visitor.me(reply)).memberships).toHaveLength(1);
  });

  test.each(['eve', 'sub', 'other'])('others do not join: %s', async (login) => {
    await set();
    expect(visitor.sessionOf(await signIn(login))).toBe('');
  });

  test('do not join a deleted organization, or after the domain was removed', async () => {
    await set();
    await world.app.act(removeDomain, { domain: DOMAIN });
    expect(visitor.reasonOf(await signIn('grace'))).toMatch(/sign-up is closed/);
    await set();
    const { seed } = world;
    const path = `/v1/organizations/${seed.organizationId}`;
    expect((await world.fetch(path, { method: 'DELETE', bearer: seed.bearer })).ok).toBe(true);
    expect(visitor.reasonOf(await signIn('grace'))).toMatch(/sign-up is closed/);
  });
});

describe('a domain that requires single sign-on', () => {
  beforeEach(async () => {
    await signIn('ada');
    await set({ ssoRequired: true });
  });
  const email = 'ada@example.com';

  test('refuses passwords, links and sign-ups with a message that names the way, for unknown addresses too', async () => {
    await world.reopen({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'ledger@ledger.test', SIGNUP: 'open' });
    for (const address of [email, 'Nobody@Example.com']) {
      const body = { email: address };
      for (const [path, json] of [
        ['/v1/auth/login', { ...body, password: TEST_PASSWORD }],
        ['/v1/auth/sign-in/magic-link', body],
        ['/v1/auth/request-password-reset', body],
        ['/v1/auth/signup', { ...body, password: TEST_PASSWORD }],
      ] as const)
        expect(await post(path, json)).toEqual([403, expect.stringMatching(SSO)]);
    }
  });

  test('ends login sessions that began in another way, and spares those by the provider', async () => {
    await set({ ssoRequired: false });
    const [sso, ada] = [await signIn('ada'), await world.signIn(email)];
    const other = await world.addTenant();
    await world.ctx.db.sql.run(
      `UPDATE users SET email = 'eve@mail.example.com' WHERE id = '${other.userId}'`,
    );
    const statusOf = async (bearer: string) => (await world.fetch('/v1/auth/me', { bearer })).status;
    expect([await statusOf(ada), await statusOf(other.bearer)]).toEqual([200, 200]);
    await set({ ssoRequired: true });
    expect([await statusOf(ada), await statusOf(other.bearer)]).toEqual([401, 200]);
    expect((await visitor.me(sso)).user.email).toBe(email);
  });

  test("that another organization has set ends nobody's login sessions", async () => {
    await set({ ssoRequired: false });
    const { id } = await world.app.act(createOrganization, { name: 'Globex' });
    const bearer = await world.signIn(email);
    expect(await message(set({ organization: id, ssoRequired: true }))).toMatch(/belongs to another/);
    expect((await world.fetch('/v1/auth/me', { bearer })).status).toBe(200);
  });

  test('spares a sign-in by the provider with a second factor', async () => {
    await set({ ssoRequired: false });
    const { code } = await addApp(world, await world.signIn(email));
    const held = /second-factor=(.+)$/.exec((await signIn('ada')).headers.get('Location') ?? '')?.[1];
    world.clock.advance(30_000);
    const reply = await world.fetch('/v1/auth/login/second-factor', {
      json: { challenge: held, code: code() },
    });
    const { token } = (await reply.json()) as { token: string };
    await set({ ssoRequired: true });
    expect((await world.fetch('/v1/auth/me', { bearer: token })).status).toBe(200);
  });

  test('refuses a refused way with links that were sent before', async () => {
    const smtp = await openSmtp();
    await world.reopen({ SMTP_URL: smtp.url, MAIL_FROM: 'ledger@ledger.test', SIGNUP: 'open' });
    await set({ ssoRequired: false });
    await post('/v1/auth/sign-in/magic-link', { email });
    const magic = tokenIn(await smtp.next(email), 'magic');
    const stranger = 'new@example.com';
    await post('/v1/auth/signup', { email: stranger, name: 'New', organization: 'New' });
    const signUp = tokenIn(await smtp.next(stranger), 'sign-up');
    const bearer = await world.signIn(email);
    const change = { email: 'ada@elsewhere.example', password: TEST_PASSWORD };
    await world.fetch('/v1/auth/change-email', { json: change, bearer });
    const changed = tokenIn(await smtp.next(change.email), 'email');
    await set({ ssoRequired: true });
    expect(await post('/v1/auth/magic-link/verify', { token: magic })).toEqual([
      403,
      expect.stringMatching(SSO),
    ]);
    expect(await post('/v1/auth/signup/confirm', { token: signUp, password: TEST_PASSWORD })).toEqual([
      403,
      expect.stringMatching(SSO),
    ]);
    const cookie = visitor.sessionOf(await signIn('ada'));
    const confirmed = await world.fetch('/v1/auth/change-email/confirm', {
      json: { token: changed },
      headers: { Cookie: cookie, Origin: BASE },
    });
    expect([confirmed.status, await confirmed.json()]).toEqual([403, { error: expect.stringMatching(SSO) }]);
    await smtp.close();
  });

  test('refuses a passkey alone', async () => {
    // Passkeys work at localhost, which is the address of the requests.
    await world.reopen({ PUBLIC_URL: undefined });
    await set({ ssoRequired: false });
    const { authenticator } = await addPasskey(world, await world.signIn(email));
    await set({ ssoRequired: true });
    const begun = await world.fetch('/v1/auth/passkeys/sign-in/options', { method: 'POST' });
    const { options } = (await begun.json()) as { options: { challenge: string } };
    const response = authenticator.get(options);
    expect(await post('/v1/auth/passkeys/sign-in', { response })).toEqual([403, expect.stringMatching(SSO)]);
  });

  test('refuses an invited sign-up with a password, and lets the person in by the issuer', async () => {
    await world.reopen({ SIGNUP: 'invitation' });
    const { url } = await world.app.act(inviteLink, {
      organization: 'Acme',
      email: 'grace@example.com',
      role: 'viewer',
    });
    const token = url?.slice(url.indexOf('=') + 1);
    const reply = await post('/v1/invitations/sign-up', { token, password: TEST_PASSWORD, name: 'Grace' });
    expect(reply).toEqual([403, expect.stringMatching(SSO)]);
    expect(visitor.sessionOf(await signIn('grace'))).not.toBe('');
  });

  test('lets its people in by the issuer, and others by a password', async () => {
    expect((await visitor.me(await signIn('ada'))).user.email).toBe(email);
    const tenant = await world.app.act(createOrganization, { name: 'Globex' });
    await world.app.act(removeDomain, { domain: DOMAIN });
    const { email: other } = await world.addUser('owner', tenant.id);
    await set({ domain: 'acme.example', ssoRequired: true });
    expect(
      (await world.fetch('/v1/auth/login', { json: { email: other, password: TEST_PASSWORD } })).status,
    ).toBe(200);
  });

  test('does not lock the owner out: a reset link of the operator signs in, and the rule can be lifted', async () => {
    const { url } = await world.app.act(resetLink, { email });
    const token = url.slice(url.indexOf('=') + 1);
    const password = 'a new long password';
    expect((await post('/v1/auth/reset-password', { token, password }))[0]).toBe(200);
    expect((await post('/v1/auth/login', { email, password }))[0]).toBe(403);
    await set({ ssoRequired: false });
    expect((await post('/v1/auth/login', { email, password }))[0]).toBe(200);
  });

  test('names the operator if the provider is not configured any more', async () => {
    await world.reopen({ OIDC_ISSUERS: undefined });
    const [status, reason] = await post('/v1/auth/login', { email, password: TEST_PASSWORD });
    expect([status, reason]).toEqual([
      403,
      'People at example.com sign in with acme, which is not set up on this server; ask its operator',
    ]);
  });

  test('refuses another provider', async () => {
    const two = [entry('acme', 'Acme SSO'), { ...entry('other', 'Other'), issuer: 'http://127.0.0.1:9' }];
    await world.reopen({ OIDC_ISSUERS: JSON.stringify(two) });
    await world.app.act(removeDomain, { domain: DOMAIN });
    await world.ctx.db.sql.run(
      "INSERT INTO accounts (id, account_id, provider_id, user_id, created_at, updated_at) VALUES ('acc_other', '1', 'http://127.0.0.1:9/', (SELECT id FROM users LIMIT 1), 0, 0)",
    );
    await set({ provider: 'other', ssoRequired: true });
    expect(visitor.reasonOf(await signIn('ada'))).toMatch(/sign in with Other: choose "Continue with Other"/);
    expect(visitor.reasonOf(await signIn('grace'))).toMatch(/sign in with Other/);
  });
});

describe('the operator', () => {
  test('cannot require a provider that nobody has used, or that is not configured', async () => {
    expect(await message(set({ ssoRequired: true }))).toBe(
      'Nobody has signed in with Acme SSO yet; sign in once, then require it',
    );
    expect(await message(set({ provider: 'okta' }))).toBe(
      'okta is not a configured provider; configured are acme',
    );
    expect(await message(set({ domain: 'no domain' }))).toMatch(/^domain: is not a domain/);
    expect(await message(set({ role: 'owner' }))).toMatch(/^role: /);
  });

  test('cannot give the domain of an organization to another one', async () => {
    await set();
    await world.app.act(createOrganization, { name: 'Globex' });
    expect(await message(set({ organization: 'Globex' }))).toMatch(/belongs to another organization/);
    expect(await message(world.app.act(removeDomain, { domain: 'globex.example' }))).toBe(
      'Nothing is set for globex.example',
    );
  });
});

test('admins read the domains of their organization only', async () => {
  await set();
  const globex = await world.addTenant();
  const read = (organizationId: string, bearer: string) =>
    world.fetch(`/v1/organizations/${organizationId}/domains`, { bearer });
  const { organizationId } = world.seed;
  expect(await (await read(organizationId, world.seed.bearer)).json()).toEqual({
    domains: [
      {
        domain: DOMAIN,
        organizationId,
        organizationName: 'Acme',
        provider: 'acme',
        providerName: 'Acme SSO',
        role: 'viewer',
        ssoRequired: false,
      },
    ],
  });
  expect(await (await read(globex.organizationId, globex.bearer)).json()).toEqual({ domains: [] });
  expect((await read(organizationId, globex.bearer)).status).toBe(403);
});
