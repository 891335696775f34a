import { afterEach, beforeEach, expect, test } from 'bun:test';
import { sessions } from '../../../../src/core/auth/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { addApp, type Held, startSignIn, type WithApp } from '../../../helpers/factors.ts';
import {
  type IdentityProvider,
  OAUTH_ENV,
  openIdentityProvider,
} from '../../../helpers/identity-provider.ts';
import { linkFor } from '../../../helpers/links.ts';
import { openSmtp, type TestSmtp } from '../../../helpers/smtp.ts';
import { appCode } from '../../../helpers/totp.ts';

const NEW_PASSWORD = 'a new long password';

let world: TestApp;
let smtp: TestSmtp;
let provider: IdentityProvider;
let app: WithApp;
beforeEach(async () => {
  smtp = await openSmtp();
  provider = openIdentityProvider();
  const env = { ...OAUTH_ENV, SMTP_URL: smtp.url, MAIL_FROM: 'Spanledger <no-reply@example.com>' };
  world = await openTestApp({ env });
  app = await addApp(world, world.seed.bearer);
  world.clock.advance(30_000);
});
afterEach(async () => {
  await world.close();
  provider.close();
  await smtp.close();
});

/** The second step completes what a reply held back. */
async function expectHeld(held: Held): Promise<void> {
  expect(held).toMatchObject({ code: 'second_factor_required', methods: ['totp', 'recovery_code'] });
  const json = { challenge: held.challenge, code: app.code() };
  const reply = await world.fetch('/v1/auth/login/second-factor', { json });
  expect(reply.status).toBe(200);
  const { token } = (await reply.json()) as { token: string };
  expect((await world.fetch('/v1/auth/me', { bearer: token })).status).toBe(200);
}
const open = () => world.ctx.db.sql.$count(sessions);

test('a magic link needs the second step too', async () => {
  const email = world.seed.email;
  await world.fetch('/v1/auth/sign-in/magic-link', { json: { email } });
  const sent = async (): Promise<string> => {
    const { text } = await smtp.next(email);
    return /#magic=([\w-]+)/.exec(text)?.[1] ?? sent();
  };
  const before = await open();
  const reply = await world.fetch('/v1/auth/magic-link/verify', { json: { token: await sent() } });
  expect([reply.status, await open()]).toEqual([401, before]);
  await expectHeld((await reply.json()) as Held);
});

test('a new password by a link needs the second step too, after it is set', async () => {
  const token = await linkFor(world, 'reset', world.seed.userId);
  const reply = await world.fetch('/v1/auth/reset-password', { json: { token, password: NEW_PASSWORD } });
  expect([reply.status, await open()]).toEqual([401, 0]);
  await expectHeld((await reply.json()) as Held);
});

test.each(['a reset', 'a change'])(
  '%s of the password ends the sign-ins that somebody began before',
  async (how) => {
    const { email, userId, bearer } = world.seed;
    const { challenge } = await startSignIn(world, email);
    await world.fetch('/v1/auth/sign-in/magic-link', { json: { email } });
    const sent = async (): Promise<string> => {
      const { text } = await smtp.next(email);
      return /#magic=([\w-]+)/.exec(text)?.[1] ?? sent();
    };
    const magic = await sent();
    const reply =
      how === 'a reset'
        ? await world.fetch('/v1/auth/reset-password', {
            json: { token: await linkFor(world, 'reset', userId), password: NEW_PASSWORD },
          })
        : await world.fetch('/v1/auth/change-password', {
            bearer,
            json: { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD },
          });
    expect(reply.status).toBe(how === 'a reset' ? 401 : 204);
    const json = { challenge, code: app.code() };
    const step = await world.fetch('/v1/auth/login/second-factor', { json });
    expect([step.status, await step.json()]).toEqual([
      401,
      { error: 'This sign-in has expired; begin it again' },
    ]);
    expect((await world.fetch('/v1/auth/magic-link/verify', { json: { token: magic } })).status).toBe(403);
    // The sign-in that the reset itself begins goes on.
    if (how === 'a reset') await expectHeld((await reply.json()) as Held);
  },
);

test('an identity provider leads to the second step, with the page to open afterwards', async () => {
  provider.person = { id: 7, email: world.seed.email, verified: true };
  const begun = await world.fetch('/v1/auth/sign-in/social', {
    json: { provider: 'github', next: '/invite?x=1' },
    headers: { Origin: 'http://localhost' },
  });
  const { url } = (await begun.json()) as { url: string };
  const back = provider.visit(url);
  const before = await open();
  const reply = await world.fetch(`/v1/auth/callback/github?${back}`, {
    headers: { Cookie: begun.headers.get('Set-Cookie')?.split(';')[0] ?? '' },
  });
  expect([reply.status, await open()]).toEqual([302, before]);
  const location = new URL(reply.headers.get('Location') ?? '', 'http://localhost');
  expect([location.pathname, location.search]).toEqual(['/sign-in', '?next=%2Finvite%3Fx%3D1']);
  const challenge = new URLSearchParams(location.hash.slice(1)).get('second-factor') ?? '';
  const options = await world.fetch('/v1/auth/login/second-factor/options', { json: { challenge } });
  const { methods } = (await options.json()) as { methods: string[] };
  await expectHeld({ code: 'second_factor_required', challenge, methods } as Held);
});

test('every change of factors is told by mail', async () => {
  const { text } = await smtp.next(world.seed.email);
  expect(text).toContain('signing in needs a code of this app');
});

test('five wrong codes are told by mail, once, because whoever sends them knows the password', async () => {
  const wrong = appCode(app.secret, world.clock.now() + 100 * 30_000);
  const guesses = async (count: number) => {
    const { challenge } = await startSignIn(world, world.seed.email);
    for (let n = 0; n < count; n++)
      await world.fetch('/v1/auth/login/second-factor', { json: { challenge, code: wrong } });
    return challenge;
  };
  expect((await smtp.next(world.seed.email)).text).toContain('authenticator app');
  await guesses(8);
  expect((await smtp.next(world.seed.email)).text).toContain('five wrong codes');
  const challenge = await guesses(3);
  const recoveryCode = app.recoveryCodes?.[0];
  await world.fetch('/v1/auth/login/second-factor', { json: { challenge, recoveryCode } });
  expect((await smtp.next(world.seed.email)).text).toContain('You have 9 recovery codes left');
});
