import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { users } from '../../core/orgs/table.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { Suite } from '../../lib/simulations/definition.ts';
import { plansOf } from '../../lib/simulations/plan.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Simulation, SimulationDetail } from './contract.ts';
import type { SimulationRun } from './runs/contract.ts';
import { secretsOf } from './secrets.ts';
import { simulationRuns, simulations, simulationVersions } from './table.ts';

export type SuiteRow = typeof simulations.$inferSelect;
export type RunRow = typeof simulationRuns.$inferSelect;

/** The author of what the operator makes on the command line. */
export const OPERATOR = 'operator';
const SHOWN_VERSIONS = 50;

export type FoundSuite = {
  readonly row: SuiteRow;
  readonly suite: Suite;
  readonly source: string;
  readonly version: number;
};

type Wanted = { readonly id: string; readonly version?: number | undefined };

/** A suite in a version, by default the newest. Throws AppError 404. */
export async function findSuite(ctx: Ctx, projectId: string, { id, version }: Wanted): Promise<FoundSuite> {
  const [found] = await ctx.db.sql
    .select({ row: simulations, shown: simulationVersions })
    .from(simulations)
    .innerJoin(
      simulationVersions,
      and(
        eq(simulationVersions.simulationId, simulations.id),
        eq(simulationVersions.version, version ?? simulations.version),
      ),
    )
    .where(and(eq(simulations.projectId, projectId), eq(simulations.id, id)));
  if (found === undefined)
    throw notFound(
      version === undefined
        ? `There is no simulation ${id}`
        : `The simulation ${id} has no version ${version}`,
    );
  const { suite, source } = found.shown;
  return { row: found.row, suite, source, version: found.shown.version };
}

/** All suites of a project with their last runs, by name. */
export async function listSimulations(ctx: Ctx, projectId: string): Promise<Simulation[]> {
  const rows = await ctx.db.sql
    .select({ row: simulations, suite: simulationVersions.suite })
    .from(simulations)
    .innerJoin(
      simulationVersions,
      and(
        eq(simulationVersions.simulationId, simulations.id),
        eq(simulationVersions.version, simulations.version),
      ),
    )
    .where(eq(simulations.projectId, projectId))
    .orderBy(asc(simulations.name));
  const last = await lastRuns(ctx, projectId);
  return rows.map(({ row, suite }) => toSimulation(row, suite, last.get(row.id) ?? null));
}

async function lastRuns(ctx: Ctx, projectId: string): Promise<Map<string, SimulationRun>> {
  const newest = sql`${simulationRuns.id} IN (SELECT max(r.id) FROM simulation_runs AS r WHERE r.project_id = ${projectId} GROUP BY r.simulation_id)`;
  const rows = await ctx.db.sql
    .select()
    .from(simulationRuns)
    .where(and(eq(simulationRuns.projectId, projectId), newest));
  return new Map((await toRuns(ctx, rows)).map((run) => [run.simulationId, run]));
}

const toSimulation = (row: SuiteRow, suite: Suite, lastRun: SimulationRun | null): Simulation => ({
  id: row.id,
  name: row.name,
  description: suite.description ?? null,
  version: row.version,
  scenarios: suite.scenarios.length,
  conversations: plansOf(suite).reduce((sum, { repetitions }) => sum + repetitions, 0),
  createdAt: formatInstant(row.createdAt.getTime()),
  updatedAt: formatInstant(row.updatedAt.getTime()),
  lastRun,
});

/** Throws AppError 404. */
export async function readSimulation(ctx: Ctx, projectId: string, wanted: Wanted): Promise<SimulationDetail> {
  const { row, suite, source, version } = await findSuite(ctx, projectId, wanted);
  const { message, createdBy, createdAt } = simulationVersions;
  const versions = await ctx.db.sql
    .select({ version: simulationVersions.version, message, createdBy, createdAt })
    .from(simulationVersions)
    .where(and(eq(simulationVersions.projectId, projectId), eq(simulationVersions.simulationId, row.id)))
    .orderBy(desc(simulationVersions.version))
    .limit(SHOWN_VERSIONS);
  const authors = await authorsOf(
    ctx,
    versions.map((one) => one.createdBy),
  );
  const last = await lastRuns(ctx, projectId);
  return {
    ...toSimulation(row, suite, last.get(row.id) ?? null),
    suite: suite as unknown as Record<string, unknown>,
    source,
    shownVersion: version,
    secrets: secretNames(ctx, row),
    versions: versions.map((one) => ({
      ...one,
      createdBy: authors(one.createdBy),
      createdAt: formatInstant(one.createdAt.getTime()),
    })),
  };
}

/** Secrets that cannot be read any more are shown as none. */
function secretNames(ctx: Ctx, row: SuiteRow): { name: string; origin: string }[] {
  try {
    return Object.entries(secretsOf(ctx, row)).map(([name, { origin }]) => ({ name, origin }));
  } catch {
    return [];
  }
}

async function authorsOf(ctx: Ctx, ids: readonly string[]): Promise<(id: string) => string | null> {
  const rows = await ctx.db.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (id === OPERATOR ? 'Operator' : null);
}

/** Throws AppError 404. */
export async function findRunRow(ctx: Ctx, projectId: string, id: string): Promise<RunRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(simulationRuns)
    .where(and(eq(simulationRuns.projectId, projectId), eq(simulationRuns.id, id)));
  if (row === undefined) throw notFound(`There is no run ${id}`);
  return row;
}

/** The run that a request with this id started; null if none did. */
export async function findByRunId(ctx: Ctx, projectId: string, runId: string): Promise<RunRow | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(simulationRuns)
    .where(and(eq(simulationRuns.projectId, projectId), eq(simulationRuns.runId, runId)));
  return row ?? null;
}

/** Throws AppError 404. */
export async function findRun(ctx: Ctx, projectId: string, id: string): Promise<SimulationRun> {
  const [run] = await toRuns(ctx, [await findRunRow(ctx, projectId, id)]);
  if (run === undefined) throw notFound(`There is no run ${id}`);
  return run;
}

async function toRuns(ctx: Ctx, rows: readonly RunRow[]): Promise<SimulationRun[]> {
  const authors = await authorsOf(
    ctx,
    rows.map(({ createdBy }) => createdBy),
  );
  return rows.map((row) => ({
    id: row.id,
    simulationId: row.simulationId,
    version: row.version,
    runId: row.runId,
    seed: row.seed,
    concurrency: row.concurrency,
    maxCostUsd: row.maxCostNano === null ? null : row.maxCostNano / 1e9,
    baselineId: row.baselineId,
    status: row.status,
    error: row.error,
    planned: row.planned,
    createdBy: authors(row.createdBy),
    createdAt: formatInstant(row.createdAt.getTime()),
    finishedAt: row.finishedAt === null ? null : formatInstant(row.finishedAt.getTime()),
    metrics: [...(row.summary ?? [])],
  }));
}

type Page = { readonly id: string; readonly cursor?: string | undefined; readonly limit: number };

/** A page of the runs of a suite, newest first. Ids increase with time: the cursor is the last one. Throws AppError 404. */
export async function listRuns(
  ctx: Ctx,
  projectId: string,
  { id, cursor, limit }: Page,
): Promise<{ runs: SimulationRun[]; nextCursor: string | null }> {
  await findSuite(ctx, projectId, { id });
  if (cursor !== undefined && !cursor.startsWith('smr_'))
    throw badRequest('cursor was not returned by this endpoint');
  const rows = await ctx.db.sql
    .select()
    .from(simulationRuns)
    .where(
      and(
        eq(simulationRuns.projectId, projectId),
        eq(simulationRuns.simulationId, id),
        cursor === undefined ? undefined : lt(simulationRuns.id, cursor),
      ),
    )
    .orderBy(desc(simulationRuns.id))
    .limit(limit + 1);
  const runs = await toRuns(ctx, rows.slice(0, limit));
  return { runs, nextCursor: rows.length > limit ? (runs.at(-1)?.id ?? null) : null };
}
