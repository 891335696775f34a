import { afterEach, beforeEach, expect, test } from 'bun:test';
import { authOf } from '../../../src/core/auth/index.ts';
import type { AuditPage } from '../../../src/features/audit/contract.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { auditRows } from '../audit/rows.ts';

const AGENT = `Mozilla/5.0 ${'x'.repeat(600)}`;

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const login = (email: string, password: string, address = '203.0.113.7') =>
  world.fetch('/v1/auth/login', { json: { email, password }, address, headers: { 'User-Agent': AGENT } });
/** Entries about a person in an organization's log, oldest first, as its admins see them. */
const told = async (who = world.seed, query = 'action=user.') => {
  await authOf(world.ctx).idle();
  const path = `/v1/audit?organizationId=${who.organizationId}&${query}`;
  const reply = await world.fetch(path, { bearer: who.bearer });
  return ((await reply.json()) as AuditPage).entries.reverse();
};

test('sign-in, failure, sign-out and ended sessions are told with network and the start of the user agent', async () => {
  const before = (await told()).length;
  expect((await login(world.seed.email, 'wrong', '2001:db8:1:2:3:4:5:6')).status).toBe(401);
  const { token: bearer } = (await (await login(world.seed.email, TEST_PASSWORD)).json()) as {
    token: string;
  };
  await world.fetch('/v1/auth/logout', { method: 'POST', bearer });
  await world.signIn(world.seed.email);
  await world.fetch('/v1/auth/sessions', { method: 'DELETE', bearer: world.seed.bearer });
  const entries = (await told()).slice(before);
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['user.sign_in_failed', { failures: 1, by: 'password' }],
    ['user.signed_in', { signIns: 1 }],
    ['user.signed_out', null],
    ['user.signed_in', { signIns: 1 }],
    ['user.sessions_ended', null],
  ]);
  expect(entries[0]?.actor).toEqual({ kind: 'user', id: world.seed.userId, email: world.seed.email });
  expect(entries[0]?.source).toEqual({ address: '2001:db8:1:2', userAgent: AGENT.slice(0, 120) });
  expect(entries[1]?.source).toEqual({ address: '203.0.113.7', userAgent: AGENT.slice(0, 120) });
  expect(JSON.stringify(entries)).not.toContain('wrong');
});

test('each organization of the person tells it, no other one does', async () => {
  const other = await world.addTenant();
  const member = await world.addUser('viewer');
  await world.ctx.db.sql.run(
    `INSERT INTO members VALUES ('${other.organizationId}', '${member.userId}', 'viewer', 0)`,
  );
  const third = await world.addTenant('Hooli');
  const query = `actor=${encodeURIComponent(member.email)}`;
  await login(member.email, 'wrong');
  for (const who of [world.seed, other])
    expect((await told(who, query)).at(-1)).toMatchObject({ action: 'user.sign_in_failed' });
  expect(await told(third, query)).toEqual([]);
});

test('a person without an organization is told of in the log of the installation', async () => {
  const { email, userId } = await world.addUser('viewer');
  await world.ctx.db.sql.run(`DELETE FROM members WHERE user_id = '${userId}'`);
  await login(email, TEST_PASSWORD);
  expect((await auditRows(world.ctx, 'installation')).map(({ action }) => action)).toEqual([
    'user.signed_in',
  ]);
});

test('a flood of failures makes few entries, whether the address is known or not', async () => {
  const count = async () => {
    await authOf(world.ctx).idle();
    return (await auditRows(world.ctx)).filter(({ action }) => action === 'user.sign_in_failed');
  };
  // Each from another network, so that no limit stops them.
  const flood = (email: (i: number) => string) =>
    Promise.all(Array.from({ length: 99 }, (_, i) => login(email(i), 'wrong', `198.51.100.${i}`)));
  await flood(() => world.seed.email);
  const known = await count();
  expect(known.length).toBe(21);
  await flood((i) => `somebody-${i}@example.com`);
  const unknown = (await count()).filter(({ organization_id: chain }) => chain === 'installation');
  expect(unknown.length).toBe(21);
  expect(JSON.stringify(unknown)).not.toContain('somebody-');
  expect(unknown[0]).toMatchObject({ actor_kind: 'system', actor_id: 'system:sign-in', actor_email: null });
});

test('a script that signs in all the time makes few entries too', async () => {
  const before = (await told()).length;
  for (let i = 0; i < 60; i++) await world.signIn(world.seed.email);
  expect((await told()).length - before).toBeLessThan(26);
});
