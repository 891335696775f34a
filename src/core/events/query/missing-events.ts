import type { Ctx } from '../../../context.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { eventsOf } from '../events-of.ts';
import type { Window } from '../selection.ts';

/**
 * The events of a window that are damaged and in no figure, as a part of a reply; empty without any. Asked after the
 * figures, because their read may be the first that meets the damage.
 */
export async function missingEvents(
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
