import { listKeys } from '../../core/keys/index.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import {
  type CostBreakdown,
  costBreakdownEndpoint,
  costTagsEndpoint,
  errorsTimelineEndpoint,
  facetsEndpoint,
} from './contract.ts';
import { breakdownBy, readCostBreakdown } from './costs/cost-breakdown.ts';
import { readCostTags } from './costs/cost-tags.ts';
import { readDayBreakdown } from './costs/day-breakdown.ts';
import { readErrorsTimeline } from './errors/errors-timeline.ts';
import { toInput } from './input.ts';
import { readFacets } from './overview/facets.ts';
import { performanceModelsEndpoint, performanceTimelineEndpoint } from './performance/contract.ts';
import { readPerformanceModels, readPerformanceTimeline } from './performance/performance-details.ts';

/** Keys by their names; of one that is gone only the id is known. */
const withKeyNames = (doc: CostBreakdown, keys: readonly { id: string; name: string }[]): CostBreakdown => {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const groups = doc.groups.map((group) => {
    const name = names.get(group.value);
    return name === undefined ? group : { ...group, name };
  });
  return { ...doc, groups };
};

export const facetsRoute = route(facetsEndpoint, (ctx, { query }, { scope }) =>
  readFacets(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const costBreakdownRoute = route(costBreakdownEndpoint, async (ctx, { query }, { scope }) => {
  const input = toInput(query, ctx.now());
  const of = ofProject(scope);
  if (query.by === 'day') return readDayBreakdown(ctx, of, input);
  const by = breakdownBy(query.by);
  if (by === null) throw badRequest(`by: ${query.by} is not key or tag:NAME`);
  const doc = await readCostBreakdown(ctx, of, { ...input, by });
  return by === 'keyId' ? withKeyNames(doc, await listKeys(ctx, scope.projectId)) : doc;
});

export const costTagsRoute = route(costTagsEndpoint, (ctx, { query }, { scope }) =>
  readCostTags(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const performanceTimelineRoute = route(performanceTimelineEndpoint, (ctx, { query }, { scope }) =>
  readPerformanceTimeline(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const performanceModelsRoute = route(performanceModelsEndpoint, (ctx, { query }, { scope }) =>
  readPerformanceModels(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const errorsTimelineRoute = route(errorsTimelineEndpoint, (ctx, { query }, { scope }) =>
  readErrorsTimeline(ctx, ofProject(scope), toInput(query, ctx.now())),
);
