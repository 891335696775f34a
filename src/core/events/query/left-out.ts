import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { eventsOf } from '../events-of.ts';
import type { AskedFigures } from '../metrics.ts';
import type { Window } from '../selection.ts';

/**
 * What is in no figure of a reply, as a part of it; empty if nothing is left out. Asked after the figures, because their
 * read may be the first that meets damage. `recordedSince`: the scope's first day with events, if it lies within an
 * earlier time that the reply compares the window with.
 * @param window whose damaged events are counted
 * @param asked the queries that the figures answer
 */
export const leftOut = async (
  ctx: Ctx,
  scope: EventScope,
  window: Window,
  asked: AskedFigures,
): Promise<{
  readonly missing?: number;
  readonly deletedBefore?: string;
  readonly recordedSince?: string;
}> => ({
  ...(await missingEvents(ctx, scope, window)),
  ...(await deletedCalls(ctx, scope, asked)),
  ...(await recordedSince(ctx, scope, window, asked)),
});

/** The same of the calls that retention has deleted alone. */
export async function deletedCalls(
  ctx: Ctx,
  scope: EventScope,
  asked: AskedFigures,
): Promise<{ readonly deletedBefore?: string }> {
  const before = await eventsOf(ctx).deletedBefore(scope, asked);
  return before === null ? {} : { deletedBefore: formatInstant(before) };
}

async function recordedSince(
  ctx: Ctx,
  scope: EventScope,
  window: Window,
  { metrics = {}, groups = [], runs = [] }: AskedFigures,
): Promise<{ readonly recordedSince?: string }> {
  const earlier = [...Object.values(metrics), ...groups, ...runs]
    .map((query) => query.window)
    .filter(({ to }) => to <= window.from)
    .map(({ from }) => from);
  if (earlier.length === 0) return {};
  const { firstDay } = await eventsOf(ctx).span(scope);
  const isPart = firstDay !== null && firstDay > Math.min(...earlier) && firstDay < window.from;
  return isPart ? { recordedSince: formatInstant(firstDay) } : {};
}

/** The events of a window that are damaged and in no figure. */
async function missingEvents(
  ctx: Ctx,
  scope: EventScope,
  { from, to }: Window,
): Promise<{ readonly missing?: number }> {
  const damage = await eventsOf(ctx).damage(scope);
  // Totals contain the events of damaged segments.
  const missing = damage
    .filter(({ kind, first, last }) => kind === 'batch' && first < to && last >= from)
    .reduce((sum, { events }) => sum + events, 0);
  return missing === 0 ? {} : { missing };
}
