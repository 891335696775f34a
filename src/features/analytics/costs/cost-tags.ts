import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { CostTags } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';

/** Values that are named of each tag: what a form offers. */
const MAX_VALUES = 100;

/** Which tags the calls of a window's days have, and their most frequent values. */
export async function readCostTags(
  ctx: Ctx,
  scope: EventScope,
  { window }: Pick<AnalyticsInput, 'window'>,
): Promise<CostTags> {
  const tags = await eventsOf(ctx).tags(scope, { window, values: MAX_VALUES });
  return { tags: tags.map((tag) => ({ ...tag, values: [...tag.values] })) };
}
