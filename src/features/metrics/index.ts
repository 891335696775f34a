import type { Ctx } from '../../context.ts';
import { runMetrics } from '../../core/events/index.ts';
import type { ParsedMetricsDocument } from '../../core/events/query/contract.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import type { ReplyOf } from '../../http/endpoint.ts';
import type { Module } from '../../module.ts';
import { metricsQueriesEndpoint, metricsQueryEndpoint } from './contract.ts';

const metricsQueryRoute = route(metricsQueryEndpoint, (ctx, { body }, { scope }) =>
  runMetrics(ctx, ofProject(scope), body, ctx.now()),
);

const metricsQueriesRoute = route(metricsQueriesEndpoint, async (ctx, { body }, { scope }) => {
  const now = ctx.now();
  const replies: Answer[] = [];
  // One after the other: however many they are, they take one reader process at a time.
  for (const query of body.queries) replies.push(await answer(ctx, ofProject(scope), query, now));
  return { replies };
});

type Answer = ReplyOf<typeof metricsQueriesEndpoint>['replies'][number];

/** A reply, or why the query was refused. @throws AppError if the figures cannot be read now */
async function answer(
  ctx: Ctx,
  scope: EventScope,
  query: ParsedMetricsDocument,
  now: number,
): Promise<Answer> {
  try {
    return { reply: await runMetrics(ctx, scope, query, now), error: null };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { reply: null, error: error.message };
    throw error;
  }
}

/** Figures by query documents. */
export const metricsModule: Module = { name: 'metrics', routes: [metricsQueryRoute, metricsQueriesRoute] };
