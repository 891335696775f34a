import { listKeys } from '../../core/keys/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import {
  COST_DIMENSIONS,
  type CostBreakdown,
  costBreakdownEndpoint,
  costTagsEndpoint,
  errorsTimelineEndpoint,
  facetsEndpoint,
  performanceModelsEndpoint,
  performanceTimelineEndpoint,
} from './contract.ts';
import { costBreakdownRead } from './costs/cost-breakdown.ts';
import { costTagsRead } from './costs/cost-tags.ts';
import { dayBreakdownRead } from './costs/day-breakdown.ts';
import { labelBreakdownRead } from './costs/label-breakdown.ts';
import { userBreakdownRead } from './costs/user-breakdown.ts';
import { errorsTimelineRead } from './errors/errors-timeline.ts';
import { toInput } from './input.ts';
import { facetsRead } from './overview/facets.ts';
import { performanceModelsRead, performanceTimelineRead } from './performance/performance-details.ts';

/** Keys by their names; of one that is gone only the id is known. */
const withKeyNames = (doc: CostBreakdown, keys: readonly { id: string; name: string }[]): CostBreakdown => {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const groups = doc.groups.map((group) => {
    const name = names.get(group.value);
    return name === undefined ? group : { ...group, name };
  });
  return { ...doc, groups };
};

export const facetsRoute = route(
  facetsEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(facetsRead, [scope.no], toInput(query, ctx.now()))),
);

export const costBreakdownRoute = route(costBreakdownEndpoint, async (ctx, { query }, { scope }) => {
  const input = toInput(query, ctx.now());
  if (query.by === 'userId') return new JsonText(await ctx.db.read(userBreakdownRead, [scope.no], input));
  const by = COST_DIMENSIONS.find((dimension) => dimension === query.by);
  if (by !== undefined)
    return new JsonText(await ctx.db.read(costBreakdownRead, [scope.no], { ...input, by }));
  if (query.by === 'day') return new JsonText(await ctx.db.read(dayBreakdownRead, [scope.no], input));
  const text = await ctx.db.read(labelBreakdownRead, [scope.no], { ...input, by: query.by });
  return query.by === 'key'
    ? withKeyNames(JSON.parse(text), await listKeys(ctx, scope.projectId))
    : new JsonText(text);
});

export const costTagsRoute = route(
  costTagsEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(costTagsRead, [scope.no], toInput(query, ctx.now()))),
);

export const performanceTimelineRoute = route(
  performanceTimelineEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceTimelineRead, [scope.no], toInput(query, ctx.now()))),
);

export const performanceModelsRoute = route(
  performanceModelsEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceModelsRead, [scope.no], toInput(query, ctx.now()))),
);

export const errorsTimelineRoute = route(
  errorsTimelineEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(errorsTimelineRead, [scope.no], toInput(query, ctx.now()))),
);
