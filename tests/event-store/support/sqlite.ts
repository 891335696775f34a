import { join } from 'node:path';
import pino from 'pino';
import { migrations } from '../../../migrations/index.ts';
import { type Env, loadConfig } from '../../../src/config.ts';
import { type Ctx, createServices } from '../../../src/context.ts';
import { eventsModule, eventsOf } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { createOrganization, listOrganizations, setPlan } from '../../../src/core/orgs/index.ts';
import type { PriceInput } from '../../../src/core/pricing/contract.ts';
import { setPrice } from '../../../src/core/pricing/index.ts';
import { createProject, findProject, listProjects } from '../../../src/core/projects/index.ts';
import { operatorScope, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import type { Writes } from '../../../src/db/group-commit.ts';
import { openDb } from '../../../src/db/open.ts';
import { modules, tables } from '../../../src/features.ts';
import { NO_LIMITS } from '../../../src/http/limits.ts';
import { inlineWorkers } from '../../../src/http/work/work.ts';
import { createEmitter } from '../../../src/module.ts';
import { createTestClock } from '../../helpers/app.ts';
import { clickhouseEnv } from '../../helpers/event-store-env.ts';
import { placeMigratedFile } from '../../helpers/migrated-file.ts';
import { cliCommand } from '../../helpers/server.ts';
import type { OpenStore, Organization, StoreKind } from './harness.ts';
import { NOTES_TABLE } from './sqlite-effects.ts';
import { sqliteWrites } from './sqlite-writes.ts';

const ACTOR = { kind: 'operator' } as const;
const NO_SIGNAL = new AbortController().signal;

/** The libSQL store on this thread, as the command line opens it: fast. */
export const sqlite: StoreKind = { name: 'sqlite', open: (folder) => openSqlite(folder, 'inline') };

/** The same as the server opens it: the writer on a thread, the readers in processes. */
export const servedSqlite: StoreKind = {
  name: 'sqlite, served',
  open: (folder) => openSqlite(folder, 'served'),
};

/** Events on ClickHouse, the control plane in a file. */
export const clickhouse: StoreKind = {
  name: 'clickhouse',
  async open(folder) {
    return openSqlite(folder, 'inline', await clickhouseEnv(folder));
  },
};

async function openSqlite(folder: string, mode: 'inline' | 'served', env: Env = {}): Promise<OpenStore> {
  const path = join(folder, 'test.db');
  placeMigratedFile(path);
  const { ctx, clock, close } = openContext(path, mode, sqliteWrites, env);
  await ctx.db.sql.run(NOTES_TABLE);
  return {
    store: eventsOf(ctx),
    clock,
    project: (name, of = 'Acme') => findOrCreate(ctx, name, of),
    async setPrice({ organizationId }, model, rates) {
      const input: PriceInput = { match: 'exact', model, rates, tiers: [], currency: 'USD' };
      await setPrice(ctx, ACTOR, { organizationId, id: null, input });
    },
    effects: {
      note: (text) => ({ effect: 'conformance.note', payload: text, rows: 1 }),
      refuse: () => ({ effect: 'conformance.refuse', payload: null }),
      notes: async () => {
        const rows = await ctx.db.sql.all<{ json: string }>('SELECT json FROM conformance_notes ORDER BY no');
        return rows.map(({ json }) => json);
      },
    },
    settle: () => settle(ctx),
    close,
  };
}

/** The context of a store in a file, and its clock. */
export function openContext(
  path: string,
  mode: 'inline' | 'served',
  writes: Writes = sqliteWrites,
  env: Env = {},
) {
  const clock = createTestClock();
  const log = pino({ level: 'silent' });
  const server = {
    writerEntry: new URL('./sqlite-writer.ts', import.meta.url).href,
    readerCommand: [...cliCommand, '__reader'],
    readers: 2,
    queryDeadlineMs: 60_000,
    onCrash: (error: Error) => {
      throw error;
    },
  };
  const file = { path, migrations, tables, writes, now: clock.now() };
  const db = openDb(mode === 'served' ? { ...file, server } : file);
  const services = createServices(modules.flatMap((module) => module.services ?? []));
  const emit = createEmitter(modules);
  const ctx: Ctx = {
    config: loadConfig({ env }).values,
    db,
    tables,
    log,
    secret: 'a secret of the tests, 32 characters or more',
    weakHashes: true,
    limits: NO_LIMITS,
    workers: inlineWorkers,
    servers: null,
    now: clock.now,
    emit: (event, ...[payload]) => emit(ctx, event.name, payload),
    use: (service) => services.use(ctx, service),
  };
  const close = async (): Promise<void> => {
    await services.close();
    await db.close();
  };
  return { ctx, clock, close };
}

export async function findOrCreate(ctx: Ctx, name: string, of: Organization): Promise<ProjectScope> {
  const organizations = await listOrganizations(ctx);
  const organization = organizations.find((one) => one.name === of) ?? (await createLarge(ctx, of));
  const known = (await listProjects(ctx, organization.id)).find((one) => one.name === name);
  const { id } = known ?? (await createProject.run(ctx, { organization: organization.id, name }, ACTOR));
  return operatorScope(await findProject(ctx, id));
}

/** An organization of the plan with the most projects. */
async function createLarge(ctx: Ctx, name: string): Promise<{ readonly id: string }> {
  const organization = await createOrganization.run(ctx, { name }, ACTOR);
  await setPlan.run(ctx, { organization: organization.id, plan: 'scale' }, ACTOR);
  return organization;
}

/** Seals all batches of the log, and runs the store's jobs. */
async function settle(ctx: Ctx): Promise<void> {
  for (const { id: organization } of await listOrganizations(ctx)) {
    for (const { id } of await listProjects(ctx, organization)) {
      const { no } = await findProject(ctx, id);
      await ctx.use(sealerService).sealAll(no);
    }
  }
  for (const job of eventsModule.jobs ?? []) await job.run(ctx, NO_SIGNAL);
}
