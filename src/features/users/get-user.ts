import type { Ctx } from '../../context.ts';
import {
  type EventFilters,
  eventsOf,
  type UserDay,
  type UserQuery,
  type Window,
} from '../../core/events/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { UserReply } from './contract.ts';
import { shownFigures, shownWindow } from './list-users.ts';

/** Events of a user that are read one by one to tell models apart; of more, those of the newest days. */
const MAX_EVENTS = 10_000;

/** One user: figures, days and models. Throws 404 for one that was never seen. */
export async function readUser(ctx: Ctx, scope: EventScope, query: UserQuery): Promise<UserReply> {
  const { userId, window, environment } = query;
  const found = await eventsOf(ctx).user(scope, query);
  if (found === null) throw notFound('There is no such user in this project');
  const models = await readModels(ctx, scope, {
    filters: { userId, environment },
    window: { ...window, from: sinceWhen(found.days, window) },
  });
  return {
    user: {
      user_id: userId,
      ...shownFigures(found.figures),
      first_seen: formatInstant(found.first),
      last_seen: formatInstant(found.last),
    },
    days: found.days.map(({ day, figures }) => ({
      date: formatInstant(day * DAY_MS).slice(0, 10),
      ...shownFigures(figures),
    })),
    ...models,
    window: shownWindow(window),
  };
}

/** The start of the first of those newest days that are read one by one: at least one day with events. */
function sinceWhen(days: readonly UserDay[], { from }: Window): number {
  let events = 0;
  let since = days.at(-1)?.day;
  for (const { day, figures } of days.toReversed()) {
    events += figures.events;
    if (events > MAX_EVENTS && day !== days.at(-1)?.day) return (since ?? day) * DAY_MS;
    since = day;
  }
  return from;
}

async function readModels(
  ctx: Ctx,
  scope: EventScope,
  about: { readonly filters: EventFilters; readonly window: Window },
): Promise<Pick<UserReply, 'models' | 'modelsSince'>> {
  const asked = {
    rows: {
      measures: ['requests', 'errors', 'cost', 'unpriced', 'inputTokens', 'outputTokens'],
      groupBy: ['provider', 'model'],
      ...about,
    },
  } as const;
  const { rows } = await eventsOf(ctx).metrics(scope, asked);
  const { before } = await eventsOf(ctx).deleted(scope, { metrics: asked });
  const models = rows
    .map(({ provider, model, requests, errors, cost, unpriced, inputTokens, outputTokens }) => ({
      provider,
      model,
      requests,
      errors,
      cost_usd: cost,
      unpriced,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
    }))
    .sort((a, b) => b.cost_usd - a.cost_usd || b.requests - a.requests);
  return { models, modelsSince: formatInstant(Math.max(about.window.from, before ?? 0)) };
}
