import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { MAX_SUITES, MAX_VERSIONS, type SimulationDetail, type SuiteBody } from '../contract.ts';
import { findSuite, readSimulation } from '../queries.ts';
import { runnerOf } from '../run/runner.ts';
import { simulationSubject } from '../subject.ts';
import { simulationRuns, simulations, simulationVersions } from '../table.ts';
import { readElsewhere } from './read-suite-work.ts';
import type { WrittenSuite } from './suite-text.ts';
import { sweepRuns } from './sweep.ts';

/** Who changes the suites of a project. `by`: id of the author. */
export type Editor = { readonly scope: ProjectScope; readonly actor: Actor; readonly by: string };

/** Throws AppError 400 that names the place, 409 for a name that exists, and for one suite too many. */
export async function createSuite(ctx: Ctx, editor: Editor, body: SuiteBody): Promise<SimulationDetail> {
  const { organizationId, projectId } = editor.scope;
  const written = await readElsewhere(ctx, organizationId, body);
  const now = new Date(ctx.now());
  const id = newId('sim', now.getTime());
  const count = sql`(SELECT count(*) FROM simulations WHERE project_id = ${projectId})`;
  const insert = ctx.db.sql.insert(simulations).values({
    // Null, which no row can have, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_SUITES})`,
    organizationId,
    projectId,
    name: written.suite.name,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
  try {
    await commitChange(ctx, editor.actor, {
      statements: [insert, insertVersion(ctx, editor, { id, version: 1, written, message: body.message })],
      audit: [
        { action: 'simulation.created', organizationId, projectId, subject: { of: simulationSubject, id } },
      ],
    });
  } catch (error) {
    throw toConflict(error, written.suite.name);
  }
  return readSimulation(ctx, projectId, { id });
}

type Replaced = { readonly id: string; readonly body: SuiteBody };

/** Makes a version, unless the suite and its text are the same. Throws AppError 400, 404, 409. */
export async function replaceSuite(
  ctx: Ctx,
  editor: Editor,
  { id, body }: Replaced,
): Promise<SimulationDetail> {
  const { organizationId, projectId } = editor.scope;
  const known = await findSuite(ctx, projectId, { id });
  const written = await readElsewhere(ctx, organizationId, body);
  const isSame =
    isDeepStrictEqual(known.suite, written.suite) &&
    (body.source === undefined || known.source === written.source);
  if (isSame) return readSimulation(ctx, projectId, { id });
  const version = known.row.version + 1;
  if (version > MAX_VERSIONS)
    throw conflict(`A suite has at most ${MAX_VERSIONS} versions; create another one`);
  const { name } = written.suite;
  try {
    const [changed] = await commitChange(ctx, editor.actor, {
      statements: [
        ctx.db.sql
          .update(simulations)
          .set({ name, version, updatedAt: new Date(ctx.now()) })
          .where(and(eq(simulations.id, id), eq(simulations.version, known.row.version))),
        insertVersion(ctx, editor, { id, version, written, message: body.message }),
      ],
      audit: [
        { action: 'simulation.updated', organizationId, projectId, subject: { of: simulationSubject, id } },
      ],
    });
    if (changed === 0) throw conflict('The suite was changed at the same time; load it again');
  } catch (error) {
    throw toConflict(error, name);
  }
  return readSimulation(ctx, projectId, { id });
}

/** Deletes a suite with its versions, runs and transcripts. Throws AppError 404. */
export async function deleteSuite(ctx: Ctx, { scope, actor }: Editor, id: string): Promise<void> {
  const { organizationId, projectId } = scope;
  await findSuite(ctx, projectId, { id });
  const runs = await ctx.db.sql
    .select({ id: simulationRuns.id })
    .from(simulationRuns)
    .where(and(eq(simulationRuns.projectId, projectId), eq(simulationRuns.simulationId, id)));
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql.delete(simulations).where(and(eq(simulations.projectId, projectId), eq(simulations.id, id))),
      ctx.db.sql
        .delete(simulationVersions)
        .where(and(eq(simulationVersions.projectId, projectId), eq(simulationVersions.simulationId, id))),
      ctx.db.sql
        .delete(simulationRuns)
        .where(and(eq(simulationRuns.projectId, projectId), eq(simulationRuns.simulationId, id))),
    ],
    audit: [
      { action: 'simulation.deleted', organizationId, projectId, subject: { of: simulationSubject, id } },
    ],
  });
  await Promise.all(runs.map((run) => runnerOf(ctx).stop(run.id)));
  await sweepRuns(ctx, AbortSignal.timeout(60_000));
}

type Version = {
  readonly id: string;
  readonly version: number;
  readonly written: WrittenSuite;
  readonly message: string;
};

const insertVersion = (ctx: Ctx, { scope, by }: Editor, { id, version, written, message }: Version) =>
  ctx.db.sql.insert(simulationVersions).values({
    simulationId: id,
    version,
    organizationId: scope.organizationId,
    projectId: scope.projectId,
    ...written,
    message,
    createdBy: by,
    createdAt: new Date(ctx.now()),
  });

function toConflict(error: unknown, name: string): unknown {
  const columns = brokenConstraint(error)?.columns ?? [];
  if (columns.includes('simulations.name'))
    return conflict(`There is a suite named ${name}; choose another name`);
  if (columns.includes('simulations.id'))
    return conflict(`A project has at most ${MAX_SUITES} suites; delete one first`);
  if (columns.includes('simulation_versions.version'))
    return conflict('The suite was changed at the same time; load it again');
  return error;
}
