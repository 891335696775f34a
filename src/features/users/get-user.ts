import {
  type EventFilters,
  queryMetrics,
  readUserDays,
  readUserDaysOf,
  sumFigures,
  type UserDay,
  type Window,
} from '../../core/events/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { notFound } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { UserReply } from './contract.ts';
import { shownFigures, shownWindow } from './list-users.ts';

/** Events of a user that are read one by one to tell models apart; of more, those of the newest days. */
const MAX_EVENTS = 10_000;

type Query = {
  readonly userId: string;
  readonly window: Window;
  readonly environment: string | undefined;
};

export const getUserRead: ReadOp<Query, UserReply> = {
  name: 'users.get',
  run: (reader, { userId, window, environment }) => {
    const days = readUserDays(reader, userId);
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) throw notFound('There is no such user in this project');
    const inside =
      environment === undefined
        ? days.filter(({ day }) => day * DAY_MS >= window.from && day * DAY_MS < window.to)
        : readUserDaysOf(reader, userId, { environment, window });
    const since = sinceWhen(inside, window);
    return {
      user: {
        user_id: userId,
        ...shownFigures(sumFigures(inside.map(({ figures }) => figures))),
        first_seen: formatInstant(first.figures.first),
        last_seen: formatInstant(last.figures.last),
      },
      days: inside.map(({ day, figures }) => ({
        date: formatInstant(day * DAY_MS).slice(0, 10),
        ...shownFigures(figures),
      })),
      models: readModels(reader, { userId, environment }, { from: since, to: window.to }),
      modelsSince: formatInstant(since),
      window: shownWindow(window),
    };
  },
};

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

function readModels(reader: Reader, filters: EventFilters, window: Window): UserReply['models'] {
  const rows = queryMetrics(reader, {
    measures: ['requests', 'errors', 'cost', 'unpriced', 'inputTokens', 'outputTokens'],
    groupBy: ['provider', 'model'],
    filters,
    window,
  });
  return rows
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
}
