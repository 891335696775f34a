import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { type AuditNote, commitChange } from '../../../core/audit/index.ts';
import { conflict } from '../../../errors.ts';
import { findRun, findRunRow } from '../queries.ts';
import { runnerOf } from '../run/runner.ts';
import { spentNano } from '../run/spent.ts';
import type { SimulationRun } from '../runs/contract.ts';
import { simulationRunSubject } from '../subject.ts';
import { simulationConversations, simulationRuns, simulationTurns } from '../table.ts';
import type { Editor } from './save-suite.ts';
import { nanoOf } from './start-run.ts';
import { sweepRuns } from './sweep.ts';

/** Ends a run early. Throws AppError 404, 409 if it has ended. */
export async function cancelRun(ctx: Ctx, editor: Editor, id: string): Promise<SimulationRun> {
  const { projectId } = editor.scope;
  const { status } = await findRunRow(ctx, projectId, id);
  const update = ctx.db.sql
    .update(simulationRuns)
    .set({ status: 'cancelled', error: null, finishedAt: new Date(ctx.now()) })
    .where(and(eq(simulationRuns.id, id), inArray(simulationRuns.status, ['running', 'paused'])));
  const changed = await commit(ctx, editor, { action: 'simulation.run_cancelled', id, statements: [update] });
  if (changed === 0 && status !== 'cancelled') throw conflict('The run has ended already');
  await runnerOf(ctx).stop(id);
  return findRun(ctx, projectId, id);
}

type Resume = {
  readonly id: string;
  readonly retryLost: boolean;
  readonly maxCostUsd?: number | undefined;
};

/** Goes on with a run. Throws AppError 404, 409 if there is nothing to go on with. */
export async function resumeRun(
  ctx: Ctx,
  editor: Editor,
  { id, retryLost, maxCostUsd }: Resume,
): Promise<SimulationRun> {
  const { projectId } = editor.scope;
  const row = await findRunRow(ctx, projectId, id);
  if (row.status === 'completed' && !retryLost)
    throw conflict('The run has ended; set retryLost to have lost conversations again');
  const maxCostNano = nanoOf(maxCostUsd) ?? row.maxCostNano;
  if (row.status === 'paused' && maxCostNano !== null && (await spentNano(ctx, id)) >= maxCostNano)
    throw conflict(`The run has cost its limit of $${maxCostNano / 1e9}; give a higher maxCostUsd`);
  const update = ctx.db.sql
    .update(simulationRuns)
    .set({ status: 'running', error: null, finishedAt: null, maxCostNano })
    .where(eq(simulationRuns.id, id));
  const statements = [update, ...(retryLost ? again(ctx, id) : [])];
  await commit(ctx, editor, { action: 'simulation.run_resumed', id, statements });
  runnerOf(ctx).start(id);
  return findRun(ctx, projectId, id);
}

/** Lost conversations begin anew, under new ids; what they cost is forgotten only here, not in the books. */
const again = (ctx: Ctx, id: string) => {
  const isLost = sql`(SELECT no FROM simulation_conversations WHERE run_id = ${id} AND outcome = 'lost')`;
  return [
    ctx.db.sql
      .delete(simulationTurns)
      .where(and(eq(simulationTurns.runId, id), sql`${simulationTurns.no} IN ${isLost}`)),
    ctx.db.sql
      .update(simulationConversations)
      .set({ state: 'waiting', outcome: null, failure: null, turns: 0, round: sql`round + 1`, endedAt: null })
      .where(and(eq(simulationConversations.runId, id), eq(simulationConversations.outcome, 'lost'))),
  ];
};

/** Deletes a run with its transcripts. Throws AppError 404. */
export async function deleteRun(ctx: Ctx, editor: Editor, id: string): Promise<void> {
  await findRunRow(ctx, editor.scope.projectId, id);
  const statement = ctx.db.sql.delete(simulationRuns).where(eq(simulationRuns.id, id));
  await commit(ctx, editor, { action: 'simulation.run_deleted', id, statements: [statement] });
  await runnerOf(ctx).stop(id);
  await sweepRuns(ctx, AbortSignal.timeout(60_000));
}

type Change = {
  readonly action: string;
  readonly id: string;
  readonly statements: Parameters<typeof commitChange>[2]['statements'];
};

/** @returns how many runs changed */
async function commit(
  ctx: Ctx,
  { scope, actor }: Editor,
  { action, id, statements }: Change,
): Promise<number> {
  const { organizationId, projectId } = scope;
  const note: AuditNote = { action, organizationId, projectId, subject: { of: simulationRunSubject, id } };
  const [changed = 0] = await commitChange(ctx, actor, { statements, audit: [note] });
  return changed;
}
