import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../events/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';

/** Epoch milliseconds, half-open. */
export type Window = { readonly from: number; readonly to: number };

const PAGE = 200;
/** Events of the product's own calls are never judged. */
const NOT_OWN = { field: 'environment', not: true, values: ['spanledger'] } as const;

/** Ids of the traces of a window, newest first. @param cursor '' for the first page */
export async function tracesPage(
  ctx: Ctx,
  scope: ProjectScope,
  { window, cursor }: { readonly window: Window; readonly cursor: string },
): Promise<{ ids: string[]; next: string | null }> {
  const page = await eventsOf(ctx).traces(ofProject(scope), {
    filters: { where: [NOT_OWN] },
    calls: false,
    window,
    cursor: cursor === '' ? null : cursor,
    limit: PAGE,
  });
  const { traces, nextCursor } = page.parse();
  return { ids: traces.map(({ trace_id }) => trace_id), next: nextCursor };
}
