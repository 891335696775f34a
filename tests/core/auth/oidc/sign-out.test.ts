import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../../helpers/app.ts';
import { CLIENT, startProvider, type TestProvider } from './provider.ts';
import { openVisitor } from './visitor.ts';

const BASE = 'http://ledger.test';
let provider: TestProvider;
let world: TestApp;
const visitor = openVisitor(() => world, BASE);
const env = (more: object = {}) => ({
  PUBLIC_URL: BASE,
  SIGNUP: 'open',
  OIDC_ISSUERS: JSON.stringify([{ id: 'acme', name: 'Acme', issuer: provider.issuer, ...CLIENT, ...more }]),
});
beforeAll(async () => {
  provider = await startProvider([BASE], 'acme');
  await provider.set({ people: { grace: { email: 'grace@example.com', email_verified: true } } });
  world = await openTestApp({ now: Date.now(), env: env() });
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

/** Signs in and out; the cookies are those that a browser would send to each route. */
const signOut = async (): Promise<Response> => {
  const reply = await visitor.signIn('acme', (url) => provider.signIn(url, 'grace'));
  const issuer = reply.headers.getSetCookie().find((cookie) => cookie.startsWith('spanledger_issuer='));
  expect(issuer).toContain('; Path=/v1/auth/logout;');
  const Cookie = `${visitor.sessionOf(reply)}; ${issuer?.split(';')[0]}`;
  return world.fetch('/v1/auth/logout', { method: 'POST', headers: { Cookie, Origin: BASE } });
};

test('signing out also signs out at the issuer, which takes the person back to the sign-in page', async () => {
  const reply = await signOut();
  expect(reply.status).toBe(200);
  expect(reply.headers.getSetCookie()).toEqual([
    'spanledger_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    'spanledger_issuer=; Path=/v1/auth/logout; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
  const { endSessionUrl } = (await reply.json()) as { endSessionUrl: string };
  const url = new URL(endSessionUrl);
  expect(url.href).toStartWith(`${provider.issuer}/session/end?`);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${BASE}/sign-in`);
  expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
  // The issuer accepts both: its page asks for nothing but the consent to sign out.
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('logout')]);
});

test('it does not where the operator does not want that, and where the issuer does not reply', async () => {
  await world.reopen(env({ logout: false }));
  expect((await signOut()).status).toBe(204);
  await world.reopen(env());
  const reply = await visitor.signIn('acme', (url) => provider.signIn(url, 'grace'));
  await world.reopen(env({ issuer: 'http://127.0.0.1:9' }));
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const headers = { Cookie: cookies.join('; '), Origin: BASE };
  expect((await world.fetch('/v1/auth/logout', { method: 'POST', headers })).status).toBe(204);
});

test('a cookie that names no issuer is ignored', async () => {
  await world.reopen(env());
  for (const value of ['other.x', '', 'acme', '.', '%00']) {
    const session = visitor.sessionOf(await visitor.signIn('acme', (url) => provider.signIn(url, 'grace')));
    const headers = { Cookie: `${session}; spanledger_issuer=${value}`, Origin: BASE };
    const reply = await world.fetch('/v1/auth/logout', { method: 'POST', headers });
    expect(reply.status).toBe(value === 'acme' ? 200 : 204);
  }
});
