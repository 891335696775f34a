import type { Ctx } from '../../context.ts';
import { eventsOf, type Window } from '../../core/events/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { AnalyticsInput } from './input.ts';

/** A window of this length is told as it was asked for, with its empty days. */
const YEAR_MS = 366 * DAY_MS;
/** Events may be stamped up to a day ahead. */
const AHEAD_MS = 2 * DAY_MS;

/**
 * A window of more than a year without the days before the scope's first events and after tomorrow, down to a
 * year: nothing is in them, and replies list each day for each group.
 */
export async function withinLedger(
  ctx: Ctx,
  scope: EventScope,
  { window: { from, to }, now }: Pick<AnalyticsInput, 'window' | 'now'>,
): Promise<Window> {
  if (to - from <= YEAR_MS) return { from, to };
  const { firstDay } = await eventsOf(ctx).span(scope);
  const end = Math.max(from + YEAR_MS, Math.min(to, now + AHEAD_MS));
  const start = Math.min(firstDay ?? end, end - YEAR_MS);
  return { from: Math.max(from, start), to: end };
}
