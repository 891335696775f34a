import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { Facets } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';

/** Values offered for each filter; beyond them a person types. */
const MOST = 100;

const most = { measures: ['requests'], top: MOST, topBy: 'requests' } as const;

/** What the calls of a window can be filtered by. */
export async function readFacets(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<Facets> {
  const { environments, models, providers } = await eventsOf(ctx).metrics(scope, {
    environments: { ...most, groupBy: ['environment'], filters, window },
    models: { ...most, groupBy: ['model'], filters, window },
    providers: { ...most, groupBy: ['provider'], filters, window },
  });
  return {
    environments: toFacet(environments, (row) => row.environment),
    models: toFacet(models, (row) => row.model),
    providers: toFacet(providers, (row) => row.provider),
  };
}

function toFacet<R extends { readonly requests: number; readonly others?: number | null }>(
  rows: readonly R[],
  nameOf: (row: R) => string | null,
): Facets['models'] {
  return rows
    .flatMap((row) => {
      const value = nameOf(row);
      return value === null || row.others !== undefined ? [] : [{ value, calls: row.requests }];
    })
    .sort((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1))
    .slice(0, MOST);
}
