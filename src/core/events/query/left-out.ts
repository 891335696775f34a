import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { eventsOf } from '../events-of.ts';
import type { AskedFigures } from '../metrics.ts';
import type { Window } from '../selection.ts';

/** What retention changed in the figures of a reply, as a part of it; empty if nothing. */
export type DeletedShape = {
  readonly deletedBefore?: string;
  readonly countedWhole?: { readonly start: string; readonly end: string }[];
};

/**
 * What is in no figure of a reply, or counted beyond its window, as a part of it; empty if nothing is. Asked after the
 * figures, because their read may be the first that meets damage. `recordedSince`: the scope's first day with events, if it lies within an
 * earlier time that the reply compares the window with.
 * @param window whose damaged events are counted
 * @param asked the queries that the figures answer
 */
export const leftOut = async (
  ctx: Ctx,
  scope: EventScope,
  window: Window,
  asked: AskedFigures,
): Promise<DeletedShape & { readonly missing?: number; readonly recordedSince?: string }> => ({
  ...(await missingEvents(ctx, scope, window)),
  ...(await deletedCalls(ctx, scope, asked, window)),
  ...(await recordedSince(ctx, scope, window, asked)),
});

/**
 * The same of the calls that retention has deleted alone. Of hours that count as a whole those are named that the window
 * has a part of, and of other times of the figures those that are at least a hundredth of the window.
 */
export async function deletedCalls(
  ctx: Ctx,
  scope: EventScope,
  asked: AskedFigures,
  window: Window = { from: 0, to: 0 },
): Promise<DeletedShape> {
  const { before, countedWhole: all } = await eventsOf(ctx).deleted(scope, asked);
  const countedWhole = all.filter(
    ({ from, to }) => (from < window.to && to > window.from) || (to - from) * 100 >= window.to - window.from,
  );
  return {
    ...(before === null ? {} : { deletedBefore: formatInstant(before) }),
    ...(countedWhole.length === 0
      ? {}
      : {
          countedWhole: countedWhole.map(({ from, to }) => ({
            start: formatInstant(from),
            end: formatInstant(to - 1),
          })),
        }),
  };
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
