import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { spanEventId } from '../../../src/core/events/index.ts';
import { packLabelsOp } from '../../../src/core/events/stores/sqlite/labels/label-packs.ts';
import { keepRunRowsJob } from '../../../src/core/events/stores/sqlite/runs/keep-rows.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { projectsChanged } from '../../../src/core/projects/index.ts';
import { keepLines } from '../../../src/core/quarantine/index.ts';
import { extendScope, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { recordCounted } from '../../../src/core/usage/index.ts';
import type { SqlValue } from '../../../src/db/connection.ts';
import { projectColumn } from '../../../src/db/owned-table.ts';
import { deletionModule } from '../../../src/features/deletion/index.ts';
import { tables } from '../../../src/features.ts';
import { type Job, listen, type Module } from '../../../src/module.ts';
import { anEvent, type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const keptTables = ['audit_log'];
/** Rows that are deleted with the segment or batch to which they belong, and not counted. */
const parts = [
  'event_pieces',
  'event_blocks',
  'event_segment_flips',
  'event_segment_runs',
  'event_log_flips',
  'event_log_links',
];
const [job] = deletionModule.jobs as [Job];
/** Counts what it is told of projects. */
let told = 0;
const counting: Module = {
  name: 'counting',
  on: [
    listen(projectsChanged, () => {
      told++;
    }),
  ],
};
let fixture: JobFixture;
let gone: ProjectScope;
let kept: ProjectScope;
beforeEach(async () => {
  fixture = openJobFixture(NOW, [deletionModule, counting]);
  await fixture.addOrganization('org', 'free');
  gone = await fixture.addProject('gone', 'org');
  kept = await fixture.addProject('kept', 'org');
  for (const scope of [gone, kept]) await fill(scope);
});
afterEach(() => fixture.close());

async function fill(scope: ProjectScope): Promise<void> {
  await fixture.record(
    scope,
    Array.from({ length: 1200 }, (_, i) => NOW - i * 3_600_000),
  );
  const events = Array.from({ length: 600 }, () => ({ ...anEvent(NOW), dated: false }));
  const refused = Array.from({ length: 600 }, (_, line) => ({ line, error: 'e', body: '{}' }));
  const effects = keepLines(fixture.ctx, scope, refused);
  await recordCounted(fixture.ctx, extendScope(scope, { monthlyEvents: 1e9, monthlyBytes: 1e12 }), events, {
    effects,
  });
  const people = { user_id: 'ada', session_id: 'chat' };
  await fixture.record(scope, [NOW, NOW - 40 * 86_400_000], people);
  // Details that fill a piece and a block of their own.
  const release = (): string => Array.from({ length: 400 }, () => crypto.randomUUID()).join();
  await fixture.record(scope, [NOW], { release: release(), metadata: { note: release() } });
  for (const isSealed of [true, false]) {
    const trace = (isSealed ? 'ab' : 'cd').repeat(16);
    await recordSpan(scope, trace, CHILD, PARENT);
    if (isSealed) await fixture.seal(scope);
    // The child no longer counts: a flip of a segment, then of a batch.
    await recordSpan(scope, trace, PARENT, null);
  }
  await fixture.ctx.db.writer.write(packLabelsOp, { project: scope.no, now: NOW });
  await keepRunRowsJob.run(fixture.ctx, new AbortController().signal);
  const counts = await rowsOf(scope);
  const empty = new Set(Object.keys(counts).filter((table) => counts[table] === 0));
  for (const table of [...empty]) await addRow(table, scope, empty);
}

const [PARENT, CHILD] = ['1'.repeat(16), '2'.repeat(16)];

async function recordSpan(scope: ProjectScope, trace_id: string, span_id: string, parent: string | null) {
  const event_id = spanEventId(trace_id, span_id);
  const span = { ...anEvent(NOW), event_id, trace_id, span_id, parent_span_id: parent, agent: 'a' };
  await recordCounted(fixture.ctx, extendScope(scope, { monthlyEvents: 1e9, monthlyBytes: 1e12 }), [span], {
    spans: true,
  });
}

/**
 * Adds a row of a project to a table that nothing above has filled: its ids, and any value in every other column. Rows
 * that it refers to are added first.
 */
async function addRow(table: string, scope: ProjectScope, empty: Set<string>): Promise<void> {
  if (!empty.delete(table)) return;
  const { no, projectId, organizationId } = scope;
  const ids: Record<string, SqlValue> = {
    project: no,
    project_id: projectId,
    organization_id: organizationId,
    created_by: 'usr_0',
    channel_id: `chn_${organizationId}`,
  };
  await fixture.run(
    "INSERT OR IGNORE INTO users (id, name, email, created_at, updated_at) VALUES ('usr_0', 'u', 'u@example.com', 0, 0)",
  );
  await fixture.run(
    `INSERT OR IGNORE INTO channels (id, organization_id, name, kind, target, settings, enabled, types, created_at, updated_at)
     VALUES (?, ?, 'c', 'email', 't', '{}', 1, '[]', 0, 0)`,
    [`chn_${organizationId}`, organizationId],
  );
  const references = await fixture.run(`SELECT "table", "from" FROM pragma_foreign_key_list('${table}')`);
  for (const [parent, column] of references.rows) {
    if (empty.has(String(parent))) await addRow(String(parent), scope, empty);
    ids[String(column)] ??= `${parent}_${no}`;
  }
  const { rows } = await fixture.run(`SELECT name, type FROM pragma_table_info('${table}')`);
  const values = rows.map(([name, type]) => ids[String(name)] ?? (type === 'TEXT' ? `${table}_${no}` : no));
  await fixture.run(`INSERT INTO ${table} VALUES (${values.map(() => '?')})`, values);
}

/** The tables that the file has with rows of projects, from the file itself. */
async function tablesOfProjects(): Promise<{ table: string; column: string }[]> {
  const { rows } = await fixture.run(
    `SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
     WHERE s.type = 'table' AND c.name IN ('project', 'project_id', 'project_no') ORDER BY 1`,
  );
  return rows.map(([table, column]) => ({ table: String(table), column: String(column) }));
}

async function rowsOf(scope: ProjectScope): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column } of await tablesOfProjects()) {
    if (keptTables.includes(table)) continue;
    const where = column === 'project_id' ? `${column} = '${scope.projectId}'` : `${column} = ${scope.no}`;
    counts[table] = await fixture.count(table, where);
  }
  return { ...counts, projects: await fixture.count('projects', `no = ${scope.no}`) };
}

const askToDelete = (scope: ProjectScope): Promise<unknown> =>
  fixture.run('UPDATE projects SET deleted_at = ? WHERE no = ?', [NOW, scope.no]);

describe('projects.purge_deleted', () => {
  test('knows every table that holds rows of projects', async () => {
    const covered = [
      ...tables.filter((table) => projectColumn(table) !== null).map(({ name }) => name),
      ...keptTables,
    ].sort();
    expect((await tablesOfProjects()).map(({ table }) => table)).toEqual(covered);
  });

  test('leaves no row of a deleted project and all rows of the others', async () => {
    const [before, others] = [await rowsOf(gone), await rowsOf(kept)];
    expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual([]);
    await askToDelete(gone);
    const run = await runJob(fixture.ctx, job, 'schedule');
    const { projects: _, ...deleted } = Object.fromEntries(
      Object.entries(before).filter(([table]) => !parts.includes(table)),
    );
    expect(run).toMatchObject({ status: 'ok', result: { projects: 1, deleted } });
    expect(Object.values(await rowsOf(gone)).filter((count) => count > 0)).toEqual([]);
    expect(await rowsOf(kept)).toEqual(others);
    expect((await fixture.run('SELECT events FROM usage_months')).rows).toEqual([[3614]]);
  });

  test('deletes nothing if no deletion was requested', async () => {
    const before = await rowsOf(gone);
    expect((await runJob(fixture.ctx, job, 'schedule')).result).toEqual({ projects: 0, deleted: {} });
    expect(await rowsOf(gone)).toEqual(before);
  });

  test('never reuses the number of a purged project', async () => {
    const last = await fixture.addProject('last', 'org');
    await askToDelete(last);
    await runJob(fixture.ctx, job, 'schedule');
    expect((await fixture.addProject('next', 'org')).no).toBe(last.no + 1);
  });

  test('a run that is stopped anywhere is finished by the next', async () => {
    await askToDelete(gone);
    const signal = new AbortController().signal;
    for (const after of [2, 9, 30, 20, 12]) {
      const abort = new AbortController();
      let slices = 0;
      fixture.beforeWrite = () => {
        if (++slices === after) abort.abort();
      };
      await job.run(fixture.ctx, abort.signal).catch(() => {});
    }
    fixture.beforeWrite = () => {};
    await job.run(fixture.ctx, signal);
    expect(Object.values(await rowsOf(gone)).filter((count) => count > 0)).toEqual([]);
    expect(await job.run(fixture.ctx, signal)).toEqual({ projects: 0, deleted: {} });
  });

  test('also removes a batch that was in progress when the deletion began', async () => {
    await askToDelete(gone);
    let late: Promise<void> | null = null;
    fixture.beforeWrite = (op) => {
      if (op === 'slice api_keys' && late === null) late = fixture.record(gone, [NOW - 1]);
    };
    expect((await runJob(fixture.ctx, job, 'schedule')).status).toBe('ok');
    expect(late).not.toBeNull();
    expect(Object.values(await rowsOf(gone)).filter((count) => count > 0)).toEqual([]);
  });

  test('invalidates caches of projects', async () => {
    told = 0;
    await askToDelete(gone);
    await runJob(fixture.ctx, job, 'schedule');
    expect(told).toBe(1);
  });
});
