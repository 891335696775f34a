import type { Ctx } from '../../context.ts';
import {
  eventsOf,
  metricsWindow,
  type UserFigures,
  type UsersQuery,
  type Window,
} from '../../core/events/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { UsersReply } from './contract.ts';

const MAX_DAYS = 36_600;

/** The whole UTC days that two inclusive instants touch. Throws 400 for more than a hundred years. */
export function wholeDays(
  { start, end }: { readonly start?: number | undefined; readonly end?: number | undefined },
  now: number,
): Window {
  const { from, to } = metricsWindow({ start, end }, now);
  const [first, last] = [from, to - 1].map((ms) => Math.floor(ms / DAY_MS)) as [number, number];
  if (last - first > MAX_DAYS) throw badRequest('start: must not be more than 100 years before end');
  return { from: first * DAY_MS, to: (last + 1) * DAY_MS };
}

/** A window as the reply tells it. */
export const shownWindow = ({ from, to }: Window): UsersReply['window'] => ({
  start: formatInstant(from),
  end: formatInstant(to - 1),
});

/** Figures as the wire has them. */
export function shownFigures(
  figures: Omit<UserFigures, 'first' | 'last'>,
): Omit<UsersReply['users'][number], 'user_id' | 'first_seen' | 'last_seen'> {
  const { requests, errors, unpriced, input_tokens, output_tokens, events } = figures;
  return {
    requests,
    errors,
    error_rate: requests === 0 ? 0 : errors / requests,
    cost_usd: figures.cost_nano / 1e9,
    unpriced,
    input_tokens,
    output_tokens,
    events,
  };
}

/** A page of the users of a project. */
export async function readUsers(ctx: Ctx, scope: EventScope, query: UsersQuery): Promise<UsersReply> {
  const { users, nextCursor, total } = await eventsOf(ctx).users(scope, query);
  return {
    users: users.map(({ userId, figures, firstSeen }) => ({
      user_id: userId,
      ...shownFigures(figures),
      first_seen: formatInstant(firstSeen),
      last_seen: formatInstant(figures.last),
    })),
    nextCursor,
    total,
    window: shownWindow(query.window),
  };
}
