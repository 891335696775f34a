import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { totpFactors } from '../../../src/core/auth/table.ts';
import { inviteLink } from '../../../src/core/invitations/index.ts';
import { users } from '../../../src/core/orgs/table.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { addApp } from '../../helpers/factors.ts';
import { type IdentityProvider, OAUTH_ENV, openIdentityProvider } from '../../helpers/identity-provider.ts';
import { openSmtp, type TestSmtp, tokenIn } from '../../helpers/smtp.ts';

const VICTIM = 'grace@example.com';
const ATTACKERS = 'a password that the attacker chose';
const VICTIMS = 'a password that the victim chose';
const OWN = { Origin: 'http://ledger.test' };

let world: TestApp;
let smtp: TestSmtp;
let provider: IdentityProvider;
beforeEach(async () => {
  [smtp, provider] = [await openSmtp(), openIdentityProvider()];
  const env = {
    ...OAUTH_ENV,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'ledger@example.com',
    PUBLIC_URL: 'http://ledger.test',
  };
  // better-auth goes by the system's clock.
  world = await openTestApp({ now: Date.now(), env });
});
afterEach(async () => {
  await world.close();
  provider.close();
  await smtp.close();
});

const post = (path: string, json: object, bearer?: string) =>
  world.fetch(`/v1/${path}`, { json, ...(bearer === undefined ? {} : { bearer }) });
const login = async (password: string) => (await post('auth/login', { email: VICTIM, password })).status;
const me = async (bearer: string) => (await world.fetch('/v1/auth/me', { bearer })).status;
const tokenOf = async (reply: Response) => ((await reply.json()) as { token: string }).token;
const invitationLink = async () => {
  const { url } = await world.app.act(inviteLink, { organization: 'Acme', role: 'admin' });
  return url?.split('=')[1] ?? '';
};

/** Signs up with an address, through an invitation link that names none, while the server sends no mail. */
const signUp = async (email: string, password: string) => {
  await world.reopen({ SMTP_URL: undefined });
  const token = await invitationLink();
  const bearer = await tokenOf(await post('invitations/sign-up', { token, email, password }));
  await world.reopen();
  return bearer;
};

const read = async (bearer: string) =>
  (await world.fetch(`/v1/events?projectId=${world.seed.projectId}`, { bearer })).status;
const newAccessToken = async (bearer: string) => {
  const { organizationId } = world.seed;
  const body = { name: 'mine', scopes: ['read'] };
  return tokenOf(await post(`access-tokens?organizationId=${organizationId}`, body, bearer));
};

/** The ways in which a person proves that the address is theirs. Each is asked for by whoever knows the address. */
const PROOFS: [string, (attacker: string) => Promise<Response>][] = [
  [
    'confirms the address, as the attacker asked the server to suggest',
    async (attacker) => {
      await post('auth/send-verification-email', {}, attacker);
      return post('auth/verify-email', { token: tokenIn(await smtp.next(VICTIM), 'verify') });
    },
  ],
  [
    'confirms it with a new password',
    async (attacker) => {
      await post('auth/send-verification-email', {}, attacker);
      const token = tokenIn(await smtp.next(VICTIM), 'verify');
      return post('auth/verify-email', { token, password: VICTIMS });
    },
  ],
  [
    'confirms it while signed in to another account',
    async (attacker) => {
      await post('auth/send-verification-email', {}, attacker);
      const token = tokenIn(await smtp.next(VICTIM), 'verify');
      return post('auth/verify-email', { token }, world.seed.bearer);
    },
  ],
  [
    'resets the password',
    async () => {
      await post('auth/request-password-reset', { email: VICTIM });
      const token = tokenIn(await smtp.next(VICTIM), 'reset');
      return post('auth/reset-password', { token, password: VICTIMS });
    },
  ],
  [
    'signs in by a magic link',
    async () => {
      await post('auth/sign-in/magic-link', { email: VICTIM });
      return post('auth/magic-link/verify', { token: tokenIn(await smtp.next(VICTIM), 'magic') });
    },
  ],
  [
    'accepts an invitation of another organization by mail',
    async () => {
      const { bearer, organizationId } = await world.addTenant();
      await post(`organizations/${organizationId}/invitations`, { email: VICTIM, role: 'viewer' }, bearer);
      const token = tokenIn(await smtp.next(VICTIM), 'invite');
      return post('invitations/sign-up', { token, password: VICTIMS });
    },
  ],
  ['signs in with GitHub', () => signInWith('github')],
  ['signs in with Google', () => signInWith('google')],
];

async function signInWith(name: string): Promise<Response> {
  provider.person = { id: 7, email: VICTIM, verified: true };
  const begun = await world.fetch('/v1/auth/sign-in/social', { json: { provider: name }, headers: OWN });
  const { url } = (await begun.json()) as { url: string };
  const Cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return world.fetch(`/v1/auth/callback/${name}?${provider.visit(url)}`, { headers: { Cookie } });
}

describe.each(PROOFS)('somebody signed up as the victim, who then %s', (_name, prove) => {
  test("the attacker's password and sessions end, and the account is the victim's", async () => {
    const attacker = await signUp(VICTIM, ATTACKERS);
    const second = await tokenOf(await post('auth/login', { email: VICTIM, password: ATTACKERS }));
    expect([await me(attacker), await me(second)]).toEqual([200, 200]);
    const accessToken = await newAccessToken(attacker);
    expect(await read(accessToken)).toBe(200);
    const proven = await prove(attacker);
    expect(proven.status).toBeLessThan(303);
    expect(proven.headers.get('Location') ?? '/').toBe('/');
    expect([await me(attacker), await me(second), await login(ATTACKERS)]).toEqual([401, 401, 401]);
    expect(await read(accessToken)).toBe(401);
    // The victim gets in by mail, whatever they did before.
    await post('auth/request-password-reset', { email: VICTIM });
    const token = tokenIn(await smtp.next(VICTIM), 'reset');
    expect((await post('auth/reset-password', { token, password: VICTIMS })).status).toBe(200);
    expect(await login(VICTIMS)).toBe(200);
  });
});

test.each(PROOFS)(
  'an authenticator app of somebody who signed up as the victim ends when the victim %s',
  async (_name, prove) => {
    const attacker = await signUp(VICTIM, ATTACKERS);
    await addApp(world, attacker, ATTACKERS);
    expect((await smtp.next(VICTIM)).text).toContain('authenticator app');
    const proven = await prove(attacker);
    expect(proven.status).toBeLessThan(303);
    expect(proven.headers.get('Location') ?? '/').toBe('/');
    const [victim] = await world.ctx.db.sql.select().from(users).where(eq(users.email, VICTIM));
    expect(victim).toMatchObject({ emailVerified: true, secondFactor: false });
    expect(await world.ctx.db.sql.$count(totpFactors)).toBe(0);
  },
);

test('who signed up and confirms in the same browser keeps the password; sessions elsewhere end', async () => {
  const own = await signUp(VICTIM, VICTIMS);
  const other = await tokenOf(await post('auth/login', { email: VICTIM, password: VICTIMS }));
  await post('auth/send-verification-email', {}, own);
  const token = tokenIn(await smtp.next(VICTIM), 'verify');
  expect((await post('auth/verify-email', { token }, own)).status).toBe(204);
  expect([await me(own), await me(other), await login(VICTIMS)]).toEqual([200, 401, 200]);
});

test('a confirmed account keeps its password and sessions when an identity joins it', async () => {
  const { bearer } = world.seed;
  provider.person = { id: 7, email: world.seed.email, verified: true };
  await signInWith('github');
  expect(await me(bearer)).toBe(200);
});

test("a confirmation in the victim's browser by another site counts as not signed in", async () => {
  const bearer = await signUp(VICTIM, ATTACKERS);
  await post('auth/send-verification-email', {}, bearer);
  const token = tokenIn(await smtp.next(VICTIM), 'verify');
  const Cookie = `spanledger_session=${encodeURIComponent(bearer)}`;
  const init = { json: { token }, headers: { Cookie, Origin: 'https://evil.example' } };
  expect((await world.fetch('/v1/auth/verify-email', init)).status).toBe(204);
  expect([await me(bearer), await login(ATTACKERS)]).toEqual([401, 401]);
});
