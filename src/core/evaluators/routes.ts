import { actorOf } from '../../module.ts';
import { type Callers, route } from '../tenancy/index.ts';
import {
  changeEvaluator,
  checkEvaluator,
  createEvaluator,
  deleteEvaluator,
  type Editor,
  openRules,
} from './change-evaluator.ts';
import {
  deleteEvaluatorEndpoint,
  getEvaluatorEndpoint,
  type JudgementReply,
  judgeLibraryEndpoint,
  listEvaluatorsEndpoint,
  measureJudgeEndpoint,
  postEvaluatorEndpoint,
  putEvaluatorEndpoint,
  testEvaluatorEndpoint,
} from './contract.ts';
import { JUDGE_LIBRARY } from './judges/library.ts';
import { measureJudge } from './measure/measure-judge.ts';
import { findEvaluator, findEvaluatorRules, listEvaluators, listVersions } from './queries.ts';
import type { Judgement } from './run/judgement.ts';
import { runEvaluator } from './run/run-evaluator.ts';
import { storedSample } from './run/stored-sample.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): Editor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
  role: caller.role,
});

const testRoute = route(testEvaluatorEndpoint, async (ctx, input, caller) => {
  const { evaluator, example, evaluatorId } = input.body;
  checkEvaluator(evaluator);
  const former =
    evaluatorId === undefined
      ? null
      : (await findEvaluatorRules(ctx, caller.scope.projectId, evaluatorId)).rules;
  const rules = openRules(ctx, editorOf(caller, input), evaluator, former);
  const sample =
    'traceId' in example
      ? {
          ...(await storedSample(ctx, caller.scope, { traceId: example.traceId, spanId: example.spanId })),
          expected: example.expected,
          context: example.context,
        }
      : example;
  const since = performance.now();
  const judgement = await runEvaluator(
    ctx,
    {
      scope: caller.scope,
      actor: actorOf(caller, input),
      rules,
      sample,
      key: null,
      tags: { evaluator: evaluator.name },
    },
    { signal: input.request.signal },
  );
  return toReply(judgement, performance.now() - since);
});

function toReply(judgement: Judgement, durationMs: number): JudgementReply {
  const nothing = { value: null, reason: null, costUsd: 0, eventId: null };
  return { ...nothing, ...judgement, durationMs };
}

export const evaluatorRoutes = [
  route(listEvaluatorsEndpoint, async (ctx, _input, { scope }) => ({
    evaluators: await listEvaluators(ctx, scope.projectId),
  })),
  route(judgeLibraryEndpoint, async () => ({ judges: JUDGE_LIBRARY })),
  testRoute,
  route(measureJudgeEndpoint, (ctx, input, caller) =>
    measureJudge(ctx, { scope: caller.scope, actor: actorOf(caller, input) }, input.body),
  ),
  route(getEvaluatorEndpoint, async (ctx, { params }, { scope }) => ({
    ...(await findEvaluator(ctx, scope.projectId, params.id)),
    versions: await listVersions(ctx, scope.projectId, params.id),
  })),
  route(postEvaluatorEndpoint, (ctx, input, caller) =>
    createEvaluator(ctx, editorOf(caller, input), input.body),
  ),
  route(putEvaluatorEndpoint, (ctx, input, caller) =>
    changeEvaluator(ctx, editorOf(caller, input), { id: input.params.id, input: input.body }),
  ),
  route(deleteEvaluatorEndpoint, async (ctx, input, caller) => {
    await deleteEvaluator(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
];
