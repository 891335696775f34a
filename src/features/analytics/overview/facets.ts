import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { Facets } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';

/** Values offered for each filter; beyond them a person types. */
const MOST = 100;

/** What the calls of a window can be filtered by. */
export async function readFacets(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<Facets> {
  const { environments, models, providers } = await eventsOf(ctx).metrics(scope, {
    environments: { measures: ['requests'], groupBy: ['environment'], filters, window },
    models: { measures: ['requests'], groupBy: ['model'], filters, window },
    providers: { measures: ['requests'], groupBy: ['provider'], filters, window },
  });
  return {
    environments: toFacet(environments, (row) => row.environment),
    models: toFacet(models, (row) => row.model),
    providers: toFacet(providers, (row) => row.provider),
  };
}

function toFacet<R extends { readonly requests: number }>(
  rows: readonly R[],
  nameOf: (row: R) => string | null,
): Facets['models'] {
  return rows
    .flatMap((row) => {
      const value = nameOf(row);
      return value === null ? [] : [{ value, calls: row.requests }];
    })
    .sort((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1))
    .slice(0, MOST);
}
