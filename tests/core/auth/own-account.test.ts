import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { accounts, sessions } from '../../../src/core/auth/table.ts';
import { invitations } from '../../../src/core/invitations/table.ts';
import { members, users } from '../../../src/core/orgs/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';
import { openSmtp, type TestSmtp, tokenIn } from '../../helpers/smtp.ts';
import { auditRows } from '../audit/rows.ts';

const NEW = 'lovelace@example.com';
const password = TEST_PASSWORD;

let world: TestApp;
let smtp: TestSmtp;
let ask: ReturnType<typeof asker>;
beforeEach(async () => {
  smtp = await openSmtp();
  world = await openTestApp({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com', PUBLIC_URL: 'http://ledger.test' },
  });
  ask = asker(world);
});
afterEach(async () => {
  await world.close();
  await smtp.close();
});

const post = (path: string, json: object, bearer = world.seed.bearer) =>
  ask('POST', `/v1/auth/${path}`, bearer, json);
const emailOf = async (bearer = world.seed.bearer) => {
  const { status, body } = await ask('GET', '/v1/auth/me', bearer);
  return status === 200 ? (body as { user: { email: string } }).user.email : status;
};
const mailed = async (to: string) => tokenIn(await smtp.next(to), 'email');

describe('the own address', () => {
  test('changes by a link to the new one; the old one gets a notice, other sessions and older links end', async () => {
    const other = await world.signIn(world.seed.email);
    await world.fetch('/v1/auth/request-password-reset', { json: { email: world.seed.email } });
    const reset = tokenIn(await smtp.next(world.seed.email), 'reset');
    expect((await post('change-email', { email: NEW, password })).status).toBe(202);
    expect(await emailOf()).toBe('ada@example.com');
    const token = await mailed(NEW);
    expect((await post('change-email/confirm', { token })).status).toBe(204);
    expect([await emailOf(), await emailOf(other)]).toEqual([NEW, 401]);
    expect((await smtp.next('ada@example.com')).text).toContain(NEW);
    expect((await post('change-email/confirm', { token })).status).toBe(403);
    const stale = { token: reset, password: 'a new long password' };
    expect((await post('reset-password', stale)).status).toBe(403);
    expect(typeof (await world.signIn(NEW))).toBe('string');
    const told = (await auditRows(world.ctx, world.seed.organizationId)).filter(
      ({ action }) => action === 'user.email_changed',
    );
    expect(told.map(({ before, after }) => [before, after])).toEqual([
      [expect.stringContaining('ada@example.com'), expect.stringContaining(NEW)],
    ]);
  });

  test('needs the password, and a link of its own account', async () => {
    expect((await post('change-email', { email: NEW })).status).toBe(400);
    expect((await post('change-email', { email: NEW, password: 'a wrong one' })).status).toBe(403);
    expect((await post('change-email', { email: 'ada@example.com', password })).status).toBe(400);
    await post('change-email', { email: NEW, password });
    const token = await mailed(NEW);
    const victim = await world.addTenant();
    expect(await post('change-email/confirm', { token }, victim.bearer)).toEqual({
      status: 403,
      body: { error: 'This link belongs to another account; sign in to that one and open it again' },
    });
    expect([await emailOf(), await emailOf(victim.bearer)]).toEqual(['ada@example.com', victim.email]);
  });

  test('of another account is answered alike, and its owner gets a mail without a link to confirm', async () => {
    const { email } = await world.addTenant();
    const taken = await post('change-email', { email, password });
    const free = await post('change-email', { email: NEW, password });
    expect(JSON.stringify(taken).replace(email, NEW)).toBe(JSON.stringify(free));
    expect((await smtp.next(email)).text).not.toContain('#email=');
  });

  test('that somebody else took meanwhile is refused', async () => {
    await post('change-email', { email: NEW, password });
    const token = await mailed(NEW);
    const other = await world.addTenant();
    await world.ctx.db.sql.run(`UPDATE users SET email = '${NEW}' WHERE id = '${other.userId}'`);
    expect((await post('change-email/confirm', { token })).status).toBe(409);
    expect(await emailOf()).toBe('ada@example.com');
  });

  test('does not change where no mail is sent', async () => {
    await world.reopen({ SMTP_URL: undefined });
    expect((await post('change-email', { email: NEW, password })).status).toBe(409);
  });
});

describe('the own account', () => {
  const remove = (bearer: string, json: object = { password }) => post('delete-account', json, bearer);

  test('is deleted with what opens it; the log tells of it, and what they made stays', async () => {
    const admin = await world.addUser('admin');
    const project = `/v1/projects/${world.seed.projectId}`;
    const { body } = await ask('POST', `${project}/keys`, admin.bearer, { name: 'theirs' });
    const { id } = body as { id: string };
    expect((await remove(admin.bearer)).status).toBe(204);
    expect(await emailOf(admin.bearer)).toBe(401);
    const where = ({ userId }: { userId: string }) => userId === admin.userId;
    const { sql } = world.ctx.db;
    expect((await sql.select().from(users)).map((user) => user.id)).toEqual([world.seed.userId]);
    for (const table of [accounts, sessions, members])
      expect((await sql.select().from(table)).filter(where)).toEqual([]);
    const { body: list } = await ask('GET', `${project}/keys`, world.seed.bearer);
    const keys = (list as { keys: { id: string; createdBy: string | null; makerLeft: boolean }[] }).keys;
    expect(keys.find((key) => key.id === id)).toMatchObject({ createdBy: null, makerLeft: true });
    expect((await smtp.next(admin.email)).text).toContain('was deleted');
    const told = (await auditRows(world.ctx)).filter(({ actor_id: actor }) => actor === admin.userId);
    expect(told.map(({ action, organization_id: chain }) => `${chain} ${action}`)).toEqual(
      expect.arrayContaining(['installation user.deleted', `${world.seed.organizationId} member.left`]),
    );
    const again = await world.fetch('/v1/auth/login', { json: { email: admin.email, password } });
    expect(again.status).toBe(401);
  });

  test('needs the password, and is not deleted while an organization has no other owner', async () => {
    expect((await remove(world.seed.bearer, {})).status).toBe(400);
    expect((await remove(world.seed.bearer, { password: 'a wrong one' })).status).toBe(403);
    expect(await remove(world.seed.bearer)).toEqual({
      status: 409,
      body: {
        error:
          'You are the only owner of Acme: make another member the owner, or delete the organization first',
      },
    });
    const { userId } = await world.addUser('owner');
    expect(userId).toStartWith('usr_');
    expect((await remove(world.seed.bearer)).status).toBe(204);
  });

  test('of two owners who delete theirs at once, one stays', async () => {
    const second = await world.addUser('owner');
    const replies = await Promise.all([remove(world.seed.bearer), remove(second.bearer)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await world.ctx.db.sql.$count(members)).toBe(1);
  });

  test('leaves no address in the invitation that it accepted', async () => {
    await ask('POST', `/v1/organizations/${world.seed.organizationId}/invitations`, world.seed.bearer, {
      email: NEW,
      role: 'member',
    });
    const token = tokenIn(await smtp.next(NEW), 'invite');
    const reply = await world.fetch('/v1/invitations/sign-up', { json: { token, password } });
    const { token: bearer } = (await reply.json()) as { token: string };
    expect(await remove(bearer)).toEqual({ status: 204, body: null });
    await world.app.act((await import('../../../src/core/orgs/index.ts')).createOrganization, {
      name: 'the listener has run by now',
    });
    expect(JSON.stringify(await world.ctx.db.sql.select().from(invitations))).not.toContain(NEW);
  });
});

describe('the time zone of a person', () => {
  const zone = async () => {
    const { body } = await ask('GET', '/v1/auth/me', world.seed.bearer);
    return (body as { user: { timeZone: string } }).user.timeZone;
  };
  const choose = (timeZone: unknown) => ask('PUT', '/v1/auth/preferences', world.seed.bearer, { timeZone });

  test('is UTC until they choose another, which is in the audit log', async () => {
    expect(await zone()).toBe('UTC');
    for (const name of ['Europe/Berlin', 'browser']) {
      expect((await choose(name)).status).toBe(204);
      expect(await zone()).toBe(name);
    }
    const rows = await auditRows(world.ctx);
    const row = rows.find(({ action }) => action === 'user.preferences_changed');
    expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toMatchObject([
      { timeZone: 'UTC' },
      { timeZone: 'Europe/Berlin' },
    ]);
  });

  test('has a name that is known', async () => {
    for (const name of ['Europe/Atlantis', '+02:00', '', 3, 'x'.repeat(5_000)])
      expect((await choose(name)).status).toBe(400);
    expect(await zone()).toBe('UTC');
  });
});
