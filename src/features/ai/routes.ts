import { ofProject, route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { anomaliesEndpoint, explainEndpoint } from './anomalies/contract.ts';
import { explain, parseAnomalyId } from './anomalies/explain.ts';
import { listAnomalies } from './anomalies/list-anomalies.ts';
import { askInProject } from './ask/ask.ts';
import { askEndpoint } from './ask/contract.ts';
import type { Meaning } from './ask/question.ts';
import { recommendationsEndpoint } from './recommendations/contract.ts';
import { listRecommendations } from './recommendations/list-recommendations.ts';

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

const recommendations = route(recommendationsEndpoint, async (ctx, _, { scope }) => ({
  recommendations: await listRecommendations(ctx, ofProject(scope), ctx.now()),
}));

export const aiRoutes = [askQuestion, anomalies, explainChange, recommendations];
