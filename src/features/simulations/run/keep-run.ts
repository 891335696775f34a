import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest } from '../../../errors.ts';
import { type Message, runConversation } from '../../../lib/simulations/conversation/run-conversation.ts';
import type { Reply } from '../../../lib/simulations/definition.ts';
import { plansOf } from '../../../lib/simulations/plan.ts';
import type { Editor } from '../change/save-suite.ts';
import { lastCompleted } from '../change/start-run.ts';
import { findRun, findSuite } from '../queries.ts';
import { summarize } from '../read/read-run.ts';
import type { SimulationRun } from '../runs/contract.ts';
import { simulationRunSubject } from '../subject.ts';
import { simulationConversations, simulationRuns, simulationTurns } from '../table.ts';
import { nanoOf, toAnswerRow, toEndedRow } from './rows.ts';

type Kept = {
  readonly simulationId: string;
  /** Answers in the place of the target. */
  readonly answer: (message: Message) => Reply;
};

/**
 * Runs a suite against a function of this process and keeps the run as completed. For suites whose users and checks need
 * no model and no guardrail of the project.
 * @throws AppError 400 for others, 404
 */
export async function keepRun(
  ctx: Ctx,
  editor: Editor,
  { simulationId, answer }: Kept,
): Promise<SimulationRun> {
  const { projectId, organizationId, no: project } = editor.scope;
  const { suite, version } = await findSuite(ctx, projectId, { id: simulationId });
  const now = ctx.now();
  const runId = newId('smr', now);
  const conversations: (typeof simulationConversations.$inferInsert)[] = [];
  const turns: (typeof simulationTurns.$inferInsert)[] = [];
  for (const [place, plan] of plansOf(suite).entries())
    for (let repetition = 1; repetition <= plan.repetitions; repetition++) {
      const ended = await runConversation(plan, repetition, {
        send: async (message) => answer(message),
        play: needsMore,
        judge: needsMore,
        guardrail: needsMore,
      });
      const of = { runId, project, no: conversations.length + 1 };
      conversations.push({ ...of, place, scenario: plan.name, repetition, ...toEndedRow(ended, now) });
      for (const turn of ended.turns)
        turns.push({
          ...{ ...of, turn: turn.no, user: turn.user, userCostNano: nanoOf(turn.userCostUsd) },
          ...toAnswerRow(turn),
        });
    }
  const insert = ctx.db.sql.insert(simulationRuns).values({
    ...{ id: runId, organizationId, projectId, simulationId, version },
    seed: suite.seed ?? 1,
    concurrency: 1,
    prompts: {},
    baselineId: await lastCompleted(ctx, simulationId),
    status: 'completed',
    planned: conversations.length,
    createdBy: editor.by,
    createdAt: new Date(now),
    finishedAt: new Date(now + turns.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0)),
  });
  await commitChange(ctx, editor.actor, {
    statements: [
      insert,
      ctx.db.sql.insert(simulationConversations).values(conversations),
      ctx.db.sql.insert(simulationTurns).values(turns),
    ],
    audit: [
      {
        action: 'simulation.run_started',
        organizationId,
        projectId,
        subject: { of: simulationRunSubject, id: runId },
      },
    ],
  });
  await summarize(ctx, runId);
  return findRun(ctx, projectId, runId);
}

const needsMore = async (): Promise<never> => {
  throw badRequest('Only scripts and checks without a model run here');
};
