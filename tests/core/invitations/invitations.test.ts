import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { inviteLink } from '../../../src/core/invitations/index.ts';
import { invitations } from '../../../src/core/invitations/table.ts';
import { members, users } from '../../../src/core/orgs/table.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { asker, rolesOf } from '../../helpers/people.ts';
import { openSmtp, type TestSmtp, tokenIn } from '../../helpers/smtp.ts';

const STRANGER = 'grace@example.com';
const EXPIRED = { error: 'This link is not valid any more; ask for a new one' };

let world: TestApp;
let smtp: TestSmtp;
let ask: ReturnType<typeof asker>;
let base: string;
beforeEach(async () => {
  smtp = await openSmtp();
  world = await openTestApp({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com', PUBLIC_URL: 'http://ledger.test' },
  });
  ask = asker(world);
  base = `/v1/organizations/${world.seed.organizationId}/invitations`;
});
afterEach(async () => {
  await world.close();
  await smtp.close();
});

const tokenOf = (url: string | null) => url?.slice(url.indexOf('=') + 1) ?? '';
const invite = async (json: object, bearer = world.seed.bearer) => {
  const { status, body } = await ask('POST', base, bearer, json);
  return { status, ...(body as { id: string; url: string | null; state: string }) };
};
/** An invitation without an address: its link is in the reply. */
const linkToken = async (role = 'member') => tokenOf((await invite({ role })).url);
const mailToken = async (email: string, role = 'member') => {
  expect((await invite({ email, role })).status).toBe(201);
  return tokenIn(await smtp.next(email), 'invite');
};
const signUp = (json: object) =>
  world.fetch('/v1/invitations/sign-up', { json: { password: TEST_PASSWORD, ...json } });
const accept = (token: string, bearer: string) => ask('POST', '/v1/invitations/accept', bearer, { token });
const states = async () => {
  const { body } = await ask('GET', base, world.seed.bearer);
  return (body as { invitations: { state: string }[] }).invitations.map(({ state }) => state);
};
const counts = async () => {
  const db = world.ctx.db.sql;
  return { users: await db.$count(users), members: await db.$count(members) };
};

describe('by mail', () => {
  test('a new person gets an account with a proven address and the role', async () => {
    const token = await mailToken(STRANGER, 'viewer');
    const reply = await signUp({ token, name: 'Grace' });
    expect(reply.status).toBe(201);
    const { token: bearer } = (await reply.json()) as { token: string };
    expect(await ask('GET', '/v1/auth/me', bearer)).toMatchObject({
      status: 200,
      body: {
        user: { email: STRANGER, name: 'Grace', emailVerified: true },
        memberships: [{ organizationId: world.seed.organizationId, role: 'viewer' }],
      },
    });
    expect(await states()).toEqual(['accepted']);
  });

  test('the link is in the mail only: neither in the reply, nor in a list, nor in the file', async () => {
    const { url } = await invite({ email: STRANGER, role: 'member' });
    expect(url).toBeNull();
    const token = tokenIn(await smtp.next(STRANGER), 'invite');
    expect(JSON.stringify(await ask('GET', base, world.seed.bearer))).not.toContain(token);
    expect(JSON.stringify(await world.ctx.db.sql.select().from(invitations))).not.toContain(token);
  });

  test('a person with an account accepts as themselves, somebody else can not', async () => {
    const stranger = await world.addTenant();
    const token = await mailToken(stranger.email, 'admin');
    const other = await world.addTenant('Hooli');
    expect(await accept(token, other.bearer)).toEqual({
      status: 403,
      body: { error: `This invitation is for ${stranger.email}; sign in with that address to accept it` },
    });
    expect((await signUp({ token, email: 'else@example.com' })).status).toBe(403);
    expect((await signUp({ token })).status).toBe(409);
    expect(await accept(token, stranger.bearer)).toEqual({
      status: 200,
      body: { organizationId: world.seed.organizationId, role: 'admin' },
    });
    expect((await rolesOf(world))[stranger.userId]).toBe('admin');
  });

  test('its text is about who invites, and escaped', async () => {
    await ask('PUT', `/v1/organizations/${world.seed.organizationId}`, world.seed.bearer, {
      name: '<b>A&B</b>',
    });
    await invite({ email: STRANGER, role: 'member' });
    const { text, raw } = await smtp.next(STRANGER);
    expect(text).toContain(
      'ada@example.com invites you to &quot;&lt;b&gt;A&amp;B&lt;/b&gt;&quot; as member.',
    );
    expect(raw).toContain('Subject: =?UTF-8?Q?Join_=22=3Cb=3EA=26B=3C/b=3E=22_on_Spanl?=');
  });

  test('a member is not invited again, and an address gets five mails an hour', async () => {
    expect((await invite({ email: world.seed.email, role: 'member' })).status).toBe(409);
    for (let i = 0; i < 5; i++) await mailToken(STRANGER);
    expect((await invite({ email: STRANGER, role: 'member' })).status).toBe(429);
  });
});

describe('by link', () => {
  test('whoever has it joins after they confirmed their address, once', async () => {
    const token = await linkToken();
    const before = await counts();
    expect((await signUp({ token })).status).toBe(400);
    expect((await signUp({ token, email: STRANGER })).status).toBe(202);
    expect(await counts()).toEqual(before);
    const confirmed = tokenIn(await smtp.next(STRANGER), 'invite');
    expect((await ask('POST', '/v1/invitations/preview', '', { token: confirmed })).body).toMatchObject({
      email: STRANGER,
      mailFirst: false,
    });
    const reply = await signUp({ token: confirmed });
    expect(reply.status).toBe(201);
    const { token: bearer } = (await reply.json()) as { token: string };
    expect(await ask('GET', '/v1/auth/me', bearer)).toMatchObject({
      body: { user: { emailVerified: true } },
    });
    expect((await signUp({ token: confirmed })).status).toBe(403);
    expect((await signUp({ token, email: 'else@example.com' })).status).toBe(403);
  });

  test('answers alike whether an address has an account, and so does the mail', async () => {
    const stranger = await world.addTenant();
    const answers = [];
    for (const email of [stranger.email, STRANGER]) {
      const token = await linkToken();
      const reply = await signUp({ token, email });
      const preview = await ask('POST', '/v1/invitations/preview', '', { token });
      const { text } = await smtp.next(email);
      const told = [reply.status, await reply.text(), JSON.stringify(preview), text].join(' ');
      answers.push(
        told
          .replaceAll(email, 'X')
          .replace(/#token[^\s"<]*/g, '#token')
          .replace(/(Message-ID|Date|boundary|----_).*/g, ''),
      );
    }
    expect(answers[0]).toContain('202');
    expect(answers[1]).toBe(answers[0] ?? '');
  });

  test('without mail: whoever has it joins, with an address that nobody has proven', async () => {
    await world.reopen({ SMTP_URL: undefined });
    const token = await linkToken();
    expect((await ask('POST', '/v1/invitations/preview', '', { token })).body).toMatchObject({
      mailFirst: false,
    });
    expect((await world.fetch('/v1/invitations/sign-up', { json: { token, email: STRANGER } })).status).toBe(
      400,
    );
    const reply = await signUp({ token, email: STRANGER });
    const { token: bearer } = (await reply.json()) as { token: string };
    expect(await ask('GET', '/v1/auth/me', bearer)).toMatchObject({
      body: { user: { emailVerified: false } },
    });
  });

  test('without mail: a client that tries one address after another has to wait', async () => {
    const { email } = await world.addTenant();
    await world.reopen({ SMTP_URL: undefined });
    const token = await linkToken();
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await signUp({ token, email })).status);
    expect(statuses).toEqual([...Array(10).fill(409), 429]);
  });

  test('of the operator, for an address, is printed and not sent', async () => {
    await world.reopen({ SMTP_URL: undefined });
    const { url } = await world.app.act(inviteLink, {
      organization: 'Acme',
      email: STRANGER,
      role: 'member',
    });
    expect(url).toStartWith('http://ledger.test/invite#token=');
    expect((await signUp({ token: tokenOf(url) })).status).toBe(201);
    expect(smtp.mails).toEqual([]);
  });

  test('says what it leads to', async () => {
    const preview = (token: string) => ask('POST', '/v1/invitations/preview', '', { token });
    const token = await linkToken('viewer');
    expect((await preview(token)).body).toEqual({
      organizationName: 'Acme',
      role: 'viewer',
      email: null,
      expiresAt: new Date(world.clock.now() + 7 * DAY_MS).toISOString(),
      mailFirst: true,
    });
    expect((await preview(await mailToken(STRANGER))).body).toMatchObject({
      email: STRANGER,
      mailFirst: false,
    });
    expect(await preview('nonsense')).toEqual({ status: 403, body: EXPIRED });
  });
});

describe('a link that is over', () => {
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['revoked', (id) => ask('DELETE', `${base}/${id}`, world.seed.bearer)],
    ['seven days old', async () => world.clock.advance(7 * DAY_MS)],
    [
      'of a deleted organization',
      () => ask('DELETE', `/v1/organizations/${world.seed.organizationId}`, world.seed.bearer),
    ],
  ];
  test.each(ends)('%s: nobody joins by it', async (_name, end) => {
    const stranger = await world.addTenant();
    const { id, url } = await invite({ role: 'member' });
    await end(id);
    const bearer = await world.signIn(stranger.email);
    const before = await counts();
    expect(await accept(tokenOf(url), bearer)).toEqual({ status: 403, body: EXPIRED });
    expect((await signUp({ token: tokenOf(url), email: STRANGER })).status).toBe(403);
    expect(await counts()).toEqual(before);
  });

  test.each(['removed', 'demoted'])('of an admin who was %s meanwhile: nobody joins by it', async (how) => {
    const admin = await world.addUser('admin');
    const { url } = await invite({ role: 'admin' }, admin.bearer);
    const path = `/v1/organizations/${world.seed.organizationId}/members/${admin.userId}`;
    if (how === 'removed') await ask('DELETE', path, world.seed.bearer);
    else await ask('PUT', path, world.seed.bearer, { role: 'member' });
    const before = await counts();
    expect((await accept(tokenOf(url), admin.bearer)).status).toBe(403);
    expect((await signUp({ token: tokenOf(url), email: STRANGER })).status).toBe(403);
    expect([await counts(), await states()]).toEqual([before, ['revoked']]);
  });

  test('is good to the last millisecond', async () => {
    await world.reopen({ SMTP_URL: undefined });
    const token = await linkToken();
    world.clock.advance(7 * DAY_MS - 1);
    expect((await signUp({ token, email: STRANGER })).status).toBe(201);
  });

  test('used at once by ten strangers and ten members of others lets one in', async () => {
    await world.reopen({ SMTP_URL: undefined });
    const token = await linkToken();
    const others = await Promise.all(Array.from({ length: 10 }, (_, i) => world.addTenant(`T${i}`)));
    const before = await counts();
    const replies = await Promise.all([
      ...others.map(({ bearer }) => accept(token, bearer)),
      ...others.map((_, i) => signUp({ token, email: `stranger-${i}@example.com` })),
    ]);
    const won = replies.filter(({ status }) => status < 300);
    expect([won.length, replies.filter(({ status }) => status === 403).length]).toEqual([1, 19]);
    const after = await counts();
    expect(after.members).toBe(before.members + 1);
    expect(after.users - before.users).toBe(won[0]?.status === 201 ? 1 : 0);
  });

  test('used twice by one person is refused, and the member keeps their role', async () => {
    const viewer = await world.addUser('viewer');
    const token = await linkToken('admin');
    expect((await accept(token, viewer.bearer)).status).toBe(409);
    expect((await rolesOf(world))[viewer.userId]).toBe('viewer');
    expect(await states()).toEqual(['open']);
  });
});

test.each([
  ['owner', 201],
  ['admin', 201],
  ['member', 403],
  ['viewer', 403],
] as const)('%s may invite: %i', async (role, status) => {
  const { bearer } = role === 'owner' ? world.seed : await world.addUser(role);
  const { id } = await invite({ role: 'member' });
  expect((await invite({ role: 'viewer' }, bearer)).status).toBe(status);
  expect((await ask('GET', base, bearer)).status).toBe(status === 201 ? 200 : 403);
  expect((await ask('DELETE', `${base}/${id}`, bearer)).status).toBe(status === 201 ? 204 : 403);
  expect((await invite({ role: 'owner' }, bearer)).status).toBe(status === 201 ? 400 : 403);
});

test('where SIGNUP is closed an invitation is for people with an account only', async () => {
  const token = await linkToken();
  const stranger = await world.addTenant();
  await world.reopen({ SIGNUP: 'closed' });
  expect((await signUp({ token, email: STRANGER })).status).toBe(403);
  expect((await accept(token, stranger.bearer)).status).toBe(200);
});

test('an organization has at most 200 open invitations', async () => {
  const replies = await Promise.all(Array.from({ length: 205 }, () => invite({ role: 'viewer' })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(200);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
});

test('an invitation of another organization can not be revoked', async () => {
  const stranger = await world.addTenant();
  const { id } = await invite({ role: 'member' });
  const path = `/v1/organizations/${stranger.organizationId}/invitations/${id}`;
  expect((await ask('DELETE', path, stranger.bearer)).status).toBe(404);
  expect(await states()).toEqual(['open']);
});
