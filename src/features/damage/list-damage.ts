import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { ofProject, type ProjectScope } from '../../core/tenancy/index.ts';
import { formatInstant } from '../../lib/time.ts';
import type { DamageRow } from './contract.ts';

/** The known damage of a project, as the API returns it. */
export async function listDamage(ctx: Ctx, scope: ProjectScope): Promise<DamageRow[]> {
  const all = await eventsOf(ctx).damage(ofProject(scope));
  return all.map(({ kind, no, state, events, first, last }) => ({
    kind,
    no,
    state,
    events,
    from: formatInstant(first),
    to: formatInstant(last),
  }));
}
