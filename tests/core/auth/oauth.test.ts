import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { accounts } from '../../../src/core/auth/table.ts';
import { inviteLink } from '../../../src/core/invitations/index.ts';
import { users } from '../../../src/core/orgs/table.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import {
  ACCESS_TOKEN,
  type IdentityProvider,
  OAUTH_ENV,
  openIdentityProvider,
} from '../../helpers/identity-provider.ts';
import { auditRows } from '../audit/rows.ts';

const OWN = { Origin: 'http://ledger.test' };
const STRANGER = 'grace@example.com';

let world: TestApp;
let provider: IdentityProvider;
const env = { ...OAUTH_ENV, PUBLIC_URL: 'http://ledger.test', SIGNUP: 'open' };
beforeEach(async () => {
  provider = openIdentityProvider();
  world = await openTestApp({ env });
});
afterEach(async () => {
  await world.close();
  provider.close();
});

type Browser = { cookie: string; query: URLSearchParams; url: string };
const cookieOf = (reply: Response, name: string) =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';
const begin = async (name: string, next?: string): Promise<Browser> => {
  const json = next === undefined ? { provider: name } : { provider: name, next };
  const reply = await world.fetch('/v1/auth/sign-in/social', { json, headers: OWN });
  const { url } = (await reply.json()) as { url: string };
  return { url, cookie: cookieOf(reply, 'spanledger_oauth'), query: provider.visit(url) };
};
const comeBack = (name: string, { cookie, query }: Pick<Browser, 'cookie' | 'query'>) =>
  world.fetch(`/v1/auth/callback/${name}?${query}`, { headers: { Cookie: cookie } });
const reasonOf = (reply: Response) =>
  decodeURIComponent(/^\/sign-in#error=(.+)$/.exec(reply.headers.get('Location') ?? '')?.[1] ?? 'none');
const me = async (reply: Response) => {
  const Cookie = cookieOf(reply, 'spanledger_session');
  const answer = await world.fetch('/v1/auth/me', { headers: { Cookie } });
  return (await answer.json()) as { user: { id: string; email: string }; memberships: unknown[] };
};
const signIn = async (name = 'github') => comeBack(name, await begin(name));
const counts = async () => ({
  users: await world.ctx.db.sql.$count(users),
  accounts: await world.ctx.db.sql.$count(accounts),
});

describe.each(['github', 'google'])('%s', (name) => {
  test('signs a stranger up with an organization of their own, and the same person in again', async () => {
    const first = await comeBack(name, await begin(name, '/projects?tab=1#x'));
    expect([first.status, first.headers.get('Location')]).toEqual([302, '/projects?tab=1#x']);
    expect(first.headers.getSetCookie()).toEqual([
      'spanledger_oauth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^spanledger_session=.+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/),
    ]);
    const { user, memberships } = await me(first);
    const known = { emailVerified: true, secondFactor: false, operator: false, timeZone: 'UTC' };
    expect(user).toEqual({ id: user.id, email: STRANGER, name: 'Grace', ...known } as never);
    expect(memberships).toMatchObject([{ organizationName: 'Grace', role: 'owner' }]);
    provider.person = { ...provider.person, email: 'moved@example.com', name: 'Other' };
    expect((await me(await signIn(name))).user.id).toBe(user.id);
    expect(await counts()).toEqual({ users: 2, accounts: 2 });
  });

  test('gets a fixed address of its own and a challenge, and asks no other host', async () => {
    const { url } = await begin(name);
    const given = new URL(url).searchParams;
    expect(given.get('redirect_uri')).toBe(`http://ledger.test/v1/auth/callback/${name}`);
    expect([given.get('code_challenge_method'), given.get('response_type')]).toEqual(['S256', 'code']);
    expect(url).not.toContain('secret');
    await signIn(name);
    expect(
      provider.asked.every((asked) =>
        /^(github\.com|api\.github\.com|accounts\.google\.com|oauth2\.googleapis\.com)\//.test(asked),
      ),
    ).toBe(true);
  });

  test('joins an account with the address that the provider has confirmed', async () => {
    provider.person = { id: 7, email: 'Ada@Example.com', verified: true };
    expect((await me(await signIn(name))).user.id).toBe(world.seed.userId);
    const told = (await auditRows(world.ctx)).filter(({ action }) => action === 'user.identity_linked');
    expect(told).toMatchObject([{ actor_email: world.seed.email, address: '127.0.0.1' }]);
  });

  const person = (email: string | null, verified: boolean) => async () => {
    provider.person = { id: 7, email, verified };
  };
  const mood = (given: IdentityProvider['mood']) => async () => {
    provider.mood = given;
  };
  const refused: [string, () => Promise<unknown>, RegExp][] = [
    ['an address that the provider has not confirmed', person('ada@example.com', false), /has not confirmed/],
    ['no address', person(null, true), /sent no email address/],
    ['a code that is not taken', mood('refusing'), /did not say who you are/],
    ['a provider that is broken', mood('broken'), /did not say who you are/],
    ['a stranger where sign-up is closed', () => world.reopen({ SIGNUP: 'closed' }), /sign-up is closed/],
    ['a stranger whom nobody has invited', () => world.reopen({ SIGNUP: 'invitation' }), /sign-up is closed/],
  ];
  test.each(refused)('with %s signs nobody in', async (_name, change, reason) => {
    await change();
    const before = await counts();
    const reply = await signIn(name);
    expect(reply.status).toBe(302);
    expect(reasonOf(reply)).toMatch(reason);
    expect(cookieOf(reply, 'spanledger_session')).toBe('');
    expect(await counts()).toEqual(before);
    expect(world.errors).toEqual([]);
  });

  test('of five answers for one person at once all sign the same one in', async () => {
    const browsers = await Promise.all(Array.from({ length: 5 }, () => begin(name)));
    const replies = await Promise.all(browsers.map((browser) => comeBack(name, browser)));
    const people = await Promise.all(replies.map(async (reply) => (await me(reply)).user.id));
    expect(new Set(people).size).toBe(1);
    expect(await counts()).toEqual({ users: 2, accounts: 2 });
  });
});

describe('an answer that the browser did not ask for', () => {
  const over = /This sign-in is over/;
  const cases: [
    string,
    (browser: Browser) => Promise<Pick<Browser, 'cookie' | 'query'>> | Pick<Browser, 'cookie' | 'query'>,
  ][] = [
    ['without a cookie', (browser) => ({ ...browser, cookie: '' })],
    [
      "with another browser's cookie",
      async (browser) => ({ ...browser, cookie: (await begin('github')).cookie }),
    ],
    [
      'without a state',
      ({ cookie, query }) => ({ cookie, query: new URLSearchParams({ code: query.get('code') ?? '' }) }),
    ],
    [
      'with another state',
      ({ cookie, query }) => ({
        cookie,
        query: new URLSearchParams({ code: query.get('code') ?? '', state: 'x' }),
      }),
    ],
    ['with a changed cookie', (browser) => ({ ...browser, cookie: browser.cookie.replace('=e', '=f') })],
    [
      'with a cookie that nobody signed',
      (browser) => ({ ...browser, cookie: `${browser.cookie.split('.')[0]}.` }),
    ],
    [
      'with a cookie of another version',
      (browser) => {
        const text = Buffer.from(JSON.stringify({ state: browser.query.get('state') })).toString('base64url');
        const signed = createHmac('sha256', world.ctx.secret)
          .update(`oauth-state:${text}`)
          .digest('base64url');
        return { ...browser, cookie: `spanledger_oauth=${text}.${signed}` };
      },
    ],
    [
      'after ten minutes',
      (browser) => {
        world.clock.advance(600_000);
        return browser;
      },
    ],
    [
      'after the secret was changed',
      async (browser) => {
        await world.reopen({ BETTER_AUTH_SECRET: 'another secret of the tests, also long enough' });
        return browser;
      },
    ],
  ];
  test.each(cases)('%s', async (_name, change) => {
    const browser = await change(await begin('github'));
    const asked = provider.asked.length;
    expect(reasonOf(await comeBack('github', browser))).toMatch(over);
    expect(provider.asked.length).toBe(asked);
    expect((await counts()).users).toBe(1);
  });

  test('of the other provider, or with an error', async () => {
    expect(reasonOf(await comeBack('google', await begin('github')))).toMatch(over);
    const { cookie, query } = await begin('github');
    const denied = new URLSearchParams({ error: 'access_denied', state: query.get('state') ?? '' });
    expect(reasonOf(await comeBack('github', { cookie, query: denied }))).toBe('GitHub did not sign you in');
  });
});

test('a redirect of the provider is not followed to an address inside', async () => {
  provider.mood = 'redirecting';
  expect(reasonOf(await signIn('google'))).toMatch(/did not say who you are/);
  expect(provider.asked.some((asked) => asked.includes('169.254'))).toBe(false);
});

test('who was invited by address gets an account, and accepts as themselves', async () => {
  await world.reopen({ SIGNUP: 'invitation' });
  const { url } = await world.app.act(inviteLink, { organization: 'Acme', email: STRANGER, role: 'viewer' });
  const reply = await signIn();
  expect((await me(reply)).memberships).toEqual([]);
  const accepted = await world.fetch('/v1/invitations/accept', {
    json: { token: url?.slice(url.indexOf('=') + 1) },
    headers: { ...OWN, Cookie: cookieOf(reply, 'spanledger_session') },
  });
  expect(accepted.status).toBe(200);
});

test('a sign-in begins on the own page only, and leads back there only', async () => {
  const ask = (json: object, headers: Record<string, string> = OWN) =>
    world.fetch('/v1/auth/sign-in/social', { json, headers });
  expect((await ask({ provider: 'github' }, { Origin: 'https://evil.example' })).status).toBe(403);
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '', '/a\nb'])
    expect((await ask({ provider: 'github', next })).status).toBe(400);
  expect((await ask({ provider: 'myspace' })).status).toBe(400);
  await world.reopen({ GITHUB_CLIENT_ID: undefined, GITHUB_CLIENT_SECRET: undefined });
  expect(await (await ask({ provider: 'github' })).json()).toEqual({
    error: 'Sign-in with github is not set up here',
  });
  expect(await (await world.fetch('/v1/auth/methods')).json()).toEqual({
    signup: 'open',
    mail: false,
    passkeys: false,
    needsOwner: false,
    oauth: [{ id: 'google', name: 'Google' }],
  });
});

test('neither the secrets of the providers nor their tokens are kept or told', async () => {
  await signIn('github');
  provider.mood = 'refusing';
  const reply = await signIn('google');
  const kept = JSON.stringify([
    await world.ctx.db.sql.select().from(accounts),
    await auditRows(world.ctx),
    reply.headers.get('Location'),
  ]);
  for (const canary of [ACCESS_TOKEN, OAUTH_ENV.GITHUB_CLIENT_SECRET, OAUTH_ENV.GOOGLE_CLIENT_SECRET])
    expect(kept).not.toContain(canary);
});
