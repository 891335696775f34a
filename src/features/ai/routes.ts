import { type Callers, ofProject, route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { anomaliesEndpoint, explainEndpoint } from './anomalies/contract.ts';
import { explain, parseAnomalyId } from './anomalies/explain.ts';
import { listAnomalies } from './anomalies/list-anomalies.ts';
import { askInProject } from './ask/ask.ts';
import { askEndpoint } from './ask/contract.ts';
import type { Meaning } from './ask/question.ts';
import {
  applyRecommendationEndpoint,
  dismissRecommendationEndpoint,
  recommendationsEndpoint,
  reopenRecommendationEndpoint,
} from './recommendations/contract.ts';
import { type Decider, decide, reopen } from './recommendations/decide.ts';
import { listRecommendations } from './recommendations/with-decisions.ts';

const askQuestion = route(askEndpoint, (ctx, input, caller) => {
  const { question, timeZone, context, model } = input.body;
  return askInProject(
    ctx,
    caller.scope,
    { question, timeZone, context: context as Meaning | undefined, now: ctx.now() },
    {
      scope: caller.scope,
      actor: actorOf(caller, input),
      role: caller.role,
      model,
      signal: input.request.signal,
    },
  );
});

const anomalies = route(anomaliesEndpoint, (ctx, { query }, { scope }) =>
  listAnomalies(ctx, ofProject(scope), { ...query, now: ctx.now() }),
);

const explainChange = route(explainEndpoint, (ctx, { body }, { scope }) => {
  const { anomalyId, measure = 'cost', start = 0, end = 0 } = body;
  const subject =
    anomalyId === undefined
      ? { measure, window: { from: start, to: end }, filter: '' }
      : parseAnomalyId(anomalyId);
  return explain(ctx, scope, subject);
});

const recommendations = route(recommendationsEndpoint, (ctx, _, { scope }) =>
  listRecommendations(ctx, ofProject(scope), { projectId: scope.projectId, now: ctx.now() }),
);

const deciderOf = (
  caller: Callers['project'],
  input: { readonly request: Request; readonly address: string | null },
): Decider => ({ scope: caller.scope, userId: caller.userId, actor: actorOf(caller, input) });

const dismiss = route(dismissRecommendationEndpoint, (ctx, input, caller) =>
  decide(ctx, deciderOf(caller, input), input.params.id, {
    state: 'dismissed',
    reason: input.body.reason,
  }),
);

const apply = route(applyRecommendationEndpoint, (ctx, input, caller) =>
  decide(ctx, deciderOf(caller, input), input.params.id, { state: 'applied', as: input.body.as }),
);

const reopenOne = route(reopenRecommendationEndpoint, (ctx, input, caller) =>
  reopen(ctx, deciderOf(caller, input), input.params.id),
);

export const aiRoutes = [askQuestion, anomalies, explainChange, recommendations, dismiss, apply, reopenOne];
