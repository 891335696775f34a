import { badRequest } from '../../../errors.ts';
import { LIMITS, type Suite } from '../../../lib/simulations/definition.ts';
import { type Plan, plansOf } from '../../../lib/simulations/plan.ts';

/** A scenario and its place in the suite. */
export type Placed = { readonly plan: Plan; readonly place: number };

/** The scenarios of a run with their places in the suite. Throws AppError 400 for an unknown one. */
export function plansFor(
  suite: Suite,
  {
    only,
    repetitions,
  }: {
    readonly only?: readonly string[] | null | undefined;
    readonly repetitions?: number | null | undefined;
  },
): Placed[] {
  const all = plansOf(suite).map((plan, place) => ({ plan, place }));
  const unknown = only?.find((name) => !all.some(({ plan }) => plan.name === name));
  if (unknown !== undefined) throw badRequest(`only: the suite has no scenario ${JSON.stringify(unknown)}`);
  const chosen = all
    .filter(({ plan }) => only == null || only.includes(plan.name))
    .map(({ plan, place }) => ({ place, plan: repetitions == null ? plan : { ...plan, repetitions } }));
  const count = chosen.reduce((sum, { plan }) => sum + plan.repetitions, 0);
  if (count > LIMITS.conversations)
    throw badRequest(
      `repetitions: would be ${count.toLocaleString('en-US')} conversations; at most ${LIMITS.conversations.toLocaleString('en-US')} are allowed`,
    );
  return chosen;
}
