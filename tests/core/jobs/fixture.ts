import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { migrations } from '../../../migrations/index.ts';
import { loadConfig } from '../../../src/config.ts';
import { type Ctx, createServices } from '../../../src/context.ts';
import { auditModule } from '../../../src/core/audit/index.ts';
import { deploymentsModule } from '../../../src/core/deployments/index.ts';
import { eventsModule, type ParsedEvent } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { createJobsModule } from '../../../src/core/jobs/index.ts';
import { organizations } from '../../../src/core/orgs/table.ts';
import { pricingModule } from '../../../src/core/pricing/index.ts';
import { projects } from '../../../src/core/projects/table.ts';
import { quarantineModule } from '../../../src/core/quarantine/index.ts';
import { extendScope, operatorScope, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { recordCounted, usageModule } from '../../../src/core/usage/index.ts';
import type { SqlResult, SqlValue } from '../../../src/db/connection.ts';
import { openDb } from '../../../src/db/open.ts';
import type { SliceRequest } from '../../../src/db/slice.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { tables } from '../../../src/features.ts';
import { NO_LIMITS } from '../../../src/http/limits.ts';
import { inlineWorkers } from '../../../src/http/work/work.ts';
import { createEmitter, type Module, writesOf } from '../../../src/module.ts';
import { plainEvent } from '../../helpers/events.ts';
import { placeMigratedFile } from '../../helpers/migrated-file.ts';
import { storedEvents } from '../../helpers/stored-events.ts';

/** A real file with the real writer, a clock that the test sets, and shortcuts. */
export type JobFixture = {
  readonly folder: string;
  readonly ctx: Ctx;
  /** Epoch milliseconds that `ctx.now()` gives. */
  clock: number;
  /** Writes as the writer saw them: the name (`slice events` for a slice) and how many rows they asked for. */
  readonly writes: { op: string; rows: number | undefined }[];
  /** Called before each write. */
  beforeWrite: (op: string) => void;
  run(sql: string, args?: SqlValue[]): Promise<SqlResult>;
  count(table: string, where?: string): Promise<number>;
  addOrganization(id: string, plan: 'free' | 'pro' | 'scale', retentionDays?: number): Promise<void>;
  addProject(id: string, organizationId: string): Promise<ProjectScope>;
  record(scope: ProjectScope, times: readonly number[], extra?: Partial<ParsedEvent>): Promise<void>;
  /** Moves all events of a project into segments. */
  seal(scope: ProjectScope): Promise<void>;
  /** The times of the stored events of a project, ascending. */
  timesOf(scope: ProjectScope): number[];
  /** Closes the file; it is removed unless `keep`. */
  close(keep?: boolean): Promise<void>;
};

/** Opens a file for the given modules, a fresh one unless its folder is given; the clock stands at `clock`. */
export function openJobFixture(
  clock: number,
  modules: readonly Module[] = [],
  folder = mkdtempSync(join(tmpdir(), 'jobs-')),
): JobFixture {
  const own = [auditModule, pricingModule, eventsModule, deploymentsModule, usageModule, quarantineModule];
  const all = [...own, createJobsModule(() => modules), ...modules];
  const writes = writesOf(all);
  placeMigratedFile(join(folder, 'test.db'));
  const opened = openDb({ path: join(folder, 'test.db'), migrations, tables, writes, now: clock });
  const writer: typeof opened.writer = {
    ...opened.writer,
    write: (op, payload, weight) => {
      const { slice, rows } = payload as Partial<SliceRequest>;
      const name = slice === undefined ? op.name : `${op.name} ${slice.table}`;
      fixture.beforeWrite(name);
      fixture.writes.push({ op: name, rows });
      return opened.writer.write(op, payload, weight);
    },
  };
  const db = { ...opened, writer };
  const config = loadConfig({ env: {} }).values;
  const emit = createEmitter(all);
  const services = createServices(all.flatMap((module) => module.services ?? []));
  const ctx: Ctx = {
    config,
    db,
    tables,
    log: pino({ level: 'silent' }),
    secret: 'a secret of more than 32 characters, for tests',
    weakHashes: true,
    limits: NO_LIMITS,
    servers: null,
    workers: inlineWorkers,
    now: () => fixture.clock,
    emit: (event, ...[payload]) => emit(ctx, event.name, payload),
    use: (service) => services.use(ctx, service),
  };

  async function run(sql: string, args: SqlValue[] = []): Promise<SqlResult> {
    const [result] = await opened.writer.write(sqlOp, [{ sql, args }]);
    if (result === undefined) throw new Error('the writer answered nothing');
    return result;
  }

  const fixture: JobFixture = {
    folder,
    ctx,
    clock,
    writes: [],
    beforeWrite: () => {},
    run,
    count: async (table, where = 'TRUE') =>
      Number((await run(`SELECT count(*) FROM ${table} WHERE ${where}`)).rows[0]?.[0]),
    addOrganization: async (id, plan, retentionDays) => {
      const createdAt = new Date(clock);
      await db.sql
        .insert(organizations)
        .values({ id, name: id, plan, retentionDays: retentionDays ?? null, createdAt });
    },
    addProject: async (id, organizationId) => {
      const [row] = await db.sql
        .insert(projects)
        .values({ id, organizationId, name: id, createdAt: new Date(clock) })
        .returning();
      if (row === undefined) throw new Error('no project was made');
      return operatorScope(row);
    },
    record: async (scope, times, extra = {}) => {
      for (let i = 0; i < times.length; i += 1000) {
        const events = times.slice(i, i + 1000).map((ts) => ({ ...anEvent(ts), ...extra }));
        await recordCounted(ctx, extendScope(scope, { monthlyEvents: 1e9, monthlyBytes: 1e12 }), events);
      }
    },
    seal: ({ no }) => ctx.use(sealerService).sealAll(no),
    timesOf: ({ no }) =>
      storedEvents(db.path, no)
        .map(({ ts }) => ts)
        .sort((a, b) => a - b),
    close: async (keep = false) => {
      await services.close();
      await opened.close();
      if (!keep) rmSync(folder, { recursive: true });
    },
  };
  return fixture;
}

/** A valid call at `ts`. */
export const anEvent = (ts: number): ParsedEvent =>
  plainEvent({ ts, latency_ms: 120, input_tokens: 10, output_tokens: 5, release: '1.0' });
