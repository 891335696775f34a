import type { Ctx } from '../../../context.ts';
import { parseFilter } from '../../../core/events/filter/contract.ts';
import { deletedCalls, eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { Recommendation } from './contract.ts';

const DAYS = 30;

/** What a decision saved: the cost of the same calls before and after it, per day. */
export async function readSaved(
  ctx: Ctx,
  scope: EventScope,
  { tracked, at, now }: { readonly tracked: string; readonly at: number; readonly now: number },
): Promise<NonNullable<Recommendation['saved']>> {
  const { firstDay } = await eventsOf(ctx).span(scope);
  // Days before the first event would make the usual day cheaper than it was.
  const from = Math.min(at, Math.max(at - DAYS * DAY_MS, firstDay ?? at));
  const to = Math.min(now + 1, at + DAYS * DAY_MS);
  const [daysBefore, days] = [(at - from) / DAY_MS, (to - at) / DAY_MS];
  const query = { measures: ['cost', 'requests'], filters: { where: parseFilter(tracked) } } as const;
  const asked = {
    before: { ...query, window: { from, to: at } },
    after: { ...query, window: { from: at, to } },
  };
  const { before, after } = await eventsOf(ctx).metrics(scope, asked);
  const deleted = await deletedCalls(ctx, scope, { metrics: asked });
  const isKnown = days >= 1 && daysBefore > 0 && deleted.deletedBefore === undefined;
  const perDay = (value: number | undefined, of: number): number => (of <= 0 ? 0 : (value ?? 0) / of);
  const beforeUsdPerDay = perDay(before[0]?.cost, daysBefore);
  return {
    query: {
      measures: ['cost', 'requests'],
      filter: tracked,
      start: formatInstant(at),
      end: formatInstant(Math.max(at, to - 1)),
    },
    days: Number(days.toFixed(2)),
    beforeUsdPerDay,
    afterUsdPerDay: perDay(after[0]?.cost, days),
    beforeCallsPerDay: perDay(before[0]?.requests, daysBefore),
    afterCallsPerDay: perDay(after[0]?.requests, days),
    savedUsd: isKnown ? beforeUsdPerDay * days - (after[0]?.cost ?? 0) : null,
    ...deleted,
  };
}
