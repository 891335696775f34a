import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { sql } from 'drizzle-orm';
import type { Ctx } from '../../src/context.ts';
import { modules } from '../../src/features.ts';
import { type AuditRow, auditRows, runSql } from '../core/audit/rows.ts';
import { openTestApp } from '../helpers/app.ts';
import type { AuditScenarios, Unaudited } from '../helpers/audit.ts';

type ScenarioFile = { scenarios: AuditScenarios; unaudited?: Unaudited };
const files = await Promise.all(
  [...new Glob('*.scenarios.ts').scanSync(import.meta.dir)].map(
    async (name) => (await import(`./${name}`)) as ScenarioFile,
  ),
);
const scenarios = files.flatMap((file) => Object.entries(file.scenarios));
const unaudited = files.flatMap((file) => Object.keys(file.unaudited ?? {}));

const writes = modules.flatMap(({ routes = [], actions = [] }) => [
  ...routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  ...actions.map(({ name }) => name),
]);

test('every write route and action has a scenario, or a reason why it is not audited', () => {
  const known = [...scenarios.map(([name]) => name), ...unaudited];
  const missing = writes.filter((write) => !known.includes(write));
  expect(missing, 'Add a scenario of each to a file tests/audit/*.scenarios.ts').toEqual([]);
  expect(known.sort(), 'A scenario is there twice, or its route or action does not exist').toEqual(
    writes.sort(),
  );
});

/** Tables that a request may write even if it changes nothing: its login session, the use of its key. */
const NOTED = ['sessions', 'api_keys.last_used_at'];

/** All rows of all tables that have some: a hundred tables have none, and one statement finds the others. */
async function dump(ctx: Ctx): Promise<Record<string, string>> {
  const tables = await ctx.db.sql.all<{ name: string }>(
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  const own = tables.filter(({ name }) => !NOTED.includes(name));
  const filled = await ctx.db.sql.all<{ name: string }>(
    sql.raw(
      own
        .map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM "${name}")`)
        .join(' UNION ALL '),
    ),
  );
  const rows: Record<string, string> = {};
  for (const { name } of filled) {
    const found = await ctx.db.sql.all<Record<string, unknown>>(sql.raw(`SELECT * FROM "${name}"`));
    for (const row of found) for (const key in row) if (NOTED.includes(`${name}.${key}`)) delete row[key];
    rows[name] = JSON.stringify(found);
  }
  return rows;
}

const BREAK = "CREATE TRIGGER broken BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no room'); END";

test.each(scenarios)(
  '%s changes nothing if it cannot be audited, and is told once it can',
  async (name, scenario) => {
    const { prepare, empty, events, tells } = scenario;
    const world = await openTestApp({ ...(empty ? { empty } : {}), ...(events ? { events } : {}) });
    try {
      const prepared = await prepare?.(world);
      await runSql(world.ctx, BREAK);
      const before = await dump(world.ctx);
      const failed = await Promise.resolve(scenario.act(world, prepared)).catch((error: unknown) => error);
      expect(failed instanceof Response ? failed.status >= 500 : failed instanceof Error).toBe(true);
      expect(await dump(world.ctx)).toEqual(before);
      await runSql(world.ctx, 'DROP TRIGGER broken');
      world.errors.length = 0;

      const known = new Set((await auditRows(world.ctx)).map(({ id }) => id));
      const result = await scenario.act(world, prepared);
      if (result instanceof Response && !result.ok)
        throw new Error(`${result.status} ${await result.text()}`);
      const told = (await auditRows(world.ctx)).filter(({ id }) => !known.has(id));
      expect(told.map(({ action }) => action)).toEqual([...tells]);
      for (const row of told) expectSource(row, name.includes(' '));
      expect(world.errors).toEqual([]);
    } finally {
      world.errors.length = 0;
      await world.close();
    }
  },
);

/** Routes are called by a user, with the request's origin; actions by the operator. */
function expectSource(row: AuditRow, isRoute: boolean): void {
  expect(row.action).toMatch(/^[a-z_]+\.[a-z_]+$/);
  if (row.actor_kind === 'system') {
    // Work that the request started; its actor is the name of the job.
    expect(row.actor_id).toStartWith('system:');
  } else if (isRoute) {
    expect(row).toMatchObject({
      actor_kind: 'user',
      actor_email: expect.stringContaining('@'),
      address: '127.0.0.1',
    });
  } else {
    expect(row).toMatchObject({ actor_kind: 'operator', actor_email: null });
    expect(row.actor_id).toStartWith('operator:');
  }
}
