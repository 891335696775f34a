import { afterEach, beforeEach, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { runJob } from '../../../src/core/jobs/index.ts';
import { deletionModule } from '../../../src/features/deletion/index.ts';
import { tables as owned } from '../../../src/features.ts';
import type { Job } from '../../../src/module.ts';
import { openTestApp, type Tenant, type TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';

const [purgeProjects, purgeOrganizations] = deletionModule.jobs as [Job, Job];

/** The log outlives the organization that it tells of. */
const keptTables = ['audit_heads', 'audit_log'];

let world: TestApp;
let ask: ReturnType<typeof asker>;
let kept: Tenant;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
  kept = await world.addTenant();
});
afterEach(() => world.close());

const tables = async () =>
  (
    await world.ctx.db.sql.all<{ name: string }>(
      sql`SELECT s.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table' AND c.name = 'organization_id' ORDER BY 1`,
    )
  ).map(({ name }) => name);
const rowsOf = async (id: string) => {
  const counts: Record<string, number> = {};
  for (const table of await tables()) {
    const [row] = await world.ctx.db.sql.all<{ n: number }>(
      sql.raw(`SELECT count(*) AS n FROM ${table} WHERE organization_id = '${id}'`),
    );
    counts[table] = row?.n ?? 0;
  }
  return counts;
};
const fill = async ({ bearer, organizationId, projectId, apiKey }: Tenant) => {
  await world.fetch('/v1/ingest', { apiKey, events: [{ provider: 'openai', model: 'gpt-4o' }] });
  await ask('POST', `/v1/organizations/${organizationId}/invitations`, bearer, { role: 'viewer' });
  await ask('POST', `/v1/views?projectId=${projectId}`, bearer, { name: 'all', search: {} });
};
const remove = () => ask('DELETE', `/v1/organizations/${world.seed.organizationId}`, world.seed.bearer);

test('every table with rows of organizations is known', async () => {
  const known = owned.filter(({ scope, by }) => scope === 'organization' && by === 'organization_id');
  // Rows of projects may name their organization too; they are deleted before it.
  const deleted = [...known, ...owned.filter(({ scope }) => scope === 'project')].map(({ name }) => name);
  const unknown = (await tables()).filter((name) => !deleted.includes(name));
  expect(unknown, "Set `scope` to 'project' or 'organization' in the manifest").toEqual([]);
  expect(
    known
      .filter(({ kept }) => kept)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(keptTables);
});

test('a deleted organization is inaccessible immediately, and all its rows are gone after the purge', async () => {
  await fill(world.seed);
  await fill(kept);
  const { email, organizationId, apiKey } = world.seed;
  const others = await rowsOf(kept.organizationId);
  expect((await remove()).status).toBe(204);
  const bearer = await world.signIn(email);
  expect((await ask('GET', '/v1/auth/me', bearer)).body).toMatchObject({ memberships: [] });
  expect((await ask('GET', `/v1/organizations/${organizationId}`, bearer)).status).toBe(403);
  expect((await world.fetch('/v1/sdk/config', { apiKey })).status).toBe(401);
  expect((await runJob(world.ctx, purgeOrganizations, 'manual')).result).toEqual({ removed: 0, waiting: 1 });
  expect((await runJob(world.ctx, purgeProjects, 'manual')).status).toBe('ok');
  expect((await runJob(world.ctx, purgeOrganizations, 'manual')).result).toEqual({ removed: 1, waiting: 0 });
  const left = await rowsOf(organizationId);
  for (const table of keptTables) {
    expect(left[table]).toBeGreaterThan(0);
    delete left[table];
  }
  expect(Object.values(left).filter((count) => count > 0)).toEqual([]);
  expect(await world.ctx.db.sql.all(sql`SELECT id FROM organizations`)).toEqual([
    { id: kept.organizationId },
  ]);
  expect(await rowsOf(kept.organizationId)).toEqual(others);
});

test('of ten concurrent deletions one is audited', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, remove));
  expect(replies.every(({ status }) => status === 204 || status === 403)).toBe(true);
  const told = await world.ctx.db.sql.all(
    sql`SELECT id FROM audit_log WHERE action = 'organization.deleted'`,
  );
  expect(told).toHaveLength(1);
});
