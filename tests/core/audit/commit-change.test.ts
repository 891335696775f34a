import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { commitChange, defineSubject } from '../../../src/core/audit/index.ts';
import { apiKeys } from '../../../src/core/keys/table.ts';
import { organizationSubject, setPlan } from '../../../src/core/orgs/index.ts';
import { organizations } from '../../../src/core/orgs/table.ts';
import type { Actor } from '../../../src/module.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { auditRows, runSql } from './rows.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const ada: Actor = {
  kind: 'user',
  userId: 'usr_1',
  email: 'ada@example.com',
  source: { address: '192.0.2.7', userAgent: 'a browser' },
};
const rename = (name: string, id = world.seed.organizationId) => ({
  statements: [world.ctx.db.sql.update(organizations).set({ name }).where(eq(organizations.id, id))],
  audit: [{ action: 'organization.renamed', organizationId: id, subject: { of: organizationSubject, id } }],
});
const nameNow = async () => (await world.ctx.db.sql.select().from(organizations))[0]?.name;

test('an entry has who, what, where from, and the state before and after as it was in the transaction', async () => {
  const { organizationId } = world.seed;
  await commitChange(world.ctx, ada, rename('Acme & Co'));
  const row = (await auditRows(world.ctx, organizationId)).at(-1);
  expect(row).toMatchObject({
    actor_kind: 'user',
    actor_id: 'usr_1',
    actor_email: 'ada@example.com',
    address: '192.0.2.7',
    user_agent: 'a browser',
    action: 'organization.renamed',
    subject_type: 'organization',
    subject_id: organizationId,
    at: world.clock.now(),
  });
  const state = {
    name: 'Acme',
    plan: 'scale',
    monthlyEvents: null,
    monthlyBytes: null,
    retentionDays: null,
    requiresSecondFactor: false,
    deletedAt: null,
  };
  expect(JSON.parse(row?.before ?? '')).toEqual(state);
  expect(JSON.parse(row?.after ?? '')).toEqual({ ...state, name: 'Acme & Co' });
});

test('what can not be told does not happen', async () => {
  await runSql(
    world.ctx,
    `CREATE TRIGGER broken BEFORE INSERT ON audit_log WHEN NEW.action = 'organization.renamed'
     BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  const before = await auditRows(world.ctx);
  await expect(commitChange(world.ctx, ada, rename('Other'))).rejects.toThrow('no room');
  expect(await nameNow()).toBe('Acme');
  expect(await auditRows(world.ctx)).toEqual(before);
});

test('a change that fails is not told', async () => {
  const before = await auditRows(world.ctx);
  const change = rename('Other');
  const broken = world.ctx.db.sql.insert(apiKeys).values({
    id: 'key_1',
    projectId: 'prj_none',
    name: 'x',
    prefix: 'x',
    hash: 'x',
    createdAt: new Date(0),
  });
  await expect(
    commitChange(world.ctx, ada, { ...change, statements: [...change.statements, broken] }),
  ).rejects.toThrow('FOREIGN KEY');
  expect(await nameNow()).toBe('Acme');
  expect(await auditRows(world.ctx)).toEqual(before);
});

test('a change of nothing is not told', async () => {
  const before = await auditRows(world.ctx);
  expect(await commitChange(world.ctx, ada, rename('x', 'org_none'))).toEqual([0]);
  expect(await auditRows(world.ctx)).toEqual(before);
});

test('each organization has a chain of its own, without gaps under simultaneous changes', async () => {
  const { seed, ctx } = world;
  const other = await world.addTenant();
  const started = (await auditRows(ctx, seed.organizationId)).length;
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      commitChange(ctx, ada, rename(`n${i}`, i % 3 === 0 ? other.organizationId : seed.organizationId)),
    ),
  );
  for (const id of [seed.organizationId, other.organizationId]) {
    const rows = await auditRows(ctx, id);
    let previous = '';
    for (const [i, { hash, ...row }] of rows.entries()) {
      expect([row.seq, row.previous_hash]).toEqual([i + 1, previous]);
      const { id, at, actor_kind, actor_id, actor_email, project_id, action } = row;
      const { subject_type, subject_id, before, after, address, user_agent } = row;
      const values = [row.organization_id, row.seq, id, at, actor_kind, actor_id, actor_email, project_id];
      values.push(action, subject_type, subject_id, before, after, address, user_agent, row.previous_hash);
      expect(hash).toBe(createHash('sha256').update(JSON.stringify(values)).digest('hex'));
      previous = hash;
    }
  }
  expect(await auditRows(ctx, seed.organizationId)).toHaveLength(started + 40);
});

test('the operator is named, and has no address', async () => {
  await world.app.act(setPlan, { organization: 'Acme', plan: 'free' }, { kind: 'operator', name: 'root' });
  expect((await auditRows(world.ctx, world.seed.organizationId)).at(-1)).toMatchObject({
    actor_kind: 'operator',
    actor_id: 'operator:root',
    actor_email: null,
    address: null,
    action: 'billing.plan_changed',
  });
});

test('states given in words are looked through for secrets, and a subject may not show a secret column', async () => {
  const { organizationId } = world.seed;
  await commitChange(world.ctx, ada, {
    statements: [],
    audit: [
      { action: 'x.done', organizationId, after: { password: 'hunter2', list: [{ api_key: 'x' }], n: 1 } },
    ],
  });
  const row = (await auditRows(world.ctx, organizationId)).at(-1);
  expect(JSON.parse(row?.after ?? '')).toEqual({
    password: '[REDACTED]',
    list: [{ api_key: '[REDACTED]' }],
    n: 1,
  });
  expect(() => defineSubject('api_key', apiKeys, ['name', 'hash'])).toThrow(
    'api_key.hash must not be audited',
  );
});
