import type { Ctx } from '../../context.ts';
import type { ParsedMetricsDocument } from '../../core/events/query/contract.ts';
import { runDocument } from '../../core/scores/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import type { ReplyOf } from '../../http/endpoint.ts';
import { JsonText } from '../../lib/json-text.ts';
import type { Module } from '../../module.ts';
import { metricsQueriesEndpoint, metricsQueryEndpoint } from './contract.ts';

const metricsQueryRoute = route(metricsQueryEndpoint, (ctx, { body }, { scope }) =>
  runDocument(ctx, ofProject(scope), body, ctx.now()),
);

/** Most characters of all replies of a request. */
const MAX_TEXT = 4_000_000;
const TOO_LONG = 'The replies before this one are too large together; ask this query in a request of its own';

const metricsQueriesRoute = route(metricsQueriesEndpoint, async (ctx, { body }, { scope }) => {
  const now = ctx.now();
  const replies: string[] = [];
  let length = 0;
  // One after the other: however many they are, they take one reader process at a time, and other requests run between
  // the replies, each of which is written when it is known.
  for (const query of body.queries) {
    const reply: Answer =
      length > MAX_TEXT ? { reply: null, error: TOO_LONG } : await answer(ctx, ofProject(scope), query, now);
    const text = JSON.stringify(reply);
    length += text.length;
    replies.push(text);
  }
  return new JsonText<ReplyOf<typeof metricsQueriesEndpoint>>(`{"replies":[${replies.join(',')}]}`);
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
    return { reply: await runDocument(ctx, scope, query, now), error: null };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { reply: null, error: error.message };
    throw error;
  }
}

/** Figures by query documents. */
export const metricsModule: Module = { name: 'metrics', routes: [metricsQueryRoute, metricsQueriesRoute] };
