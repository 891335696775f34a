import { z } from 'zod';
import { metricsQuerySchema } from '../../core/events/contract.ts';
import { listKeys } from '../../core/keys/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import {
  breakdownBySchema,
  COST_DIMENSIONS,
  type CostBreakdown,
  costBreakdownSchema,
  costTagsSchema,
  errorsTimelineSchema,
  facetsReplySchema,
  performanceModelsSchema,
  performanceTimelineSchema,
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

export const facetsRoute = defineRoute({
  method: 'GET',
  path: '/v1/facets',
  auth: 'project',
  summary: 'Environments, models and providers of the calls of a window',
  query: metricsQuerySchema,
  reply: facetsReplySchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(facetsRead, [scope.no], toInput(query, ctx.now()))),
});

export const costBreakdownRoute = defineRoute({
  method: 'GET',
  path: '/v1/costs/breakdown',
  auth: 'project',
  summary: 'What the calls cost by model, provider, environment, user, project key or tag, over time',
  query: z.intersection(metricsQuerySchema, z.object({ by: breakdownBySchema.default('model') })),
  reply: costBreakdownSchema,
  handler: async (ctx, { query }, { scope }) => {
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
  },
});

export const costTagsRoute = defineRoute({
  method: 'GET',
  path: '/v1/costs/tags',
  auth: 'project',
  summary: 'Tags of the calls of a window, by which costs can be told apart',
  query: metricsQuerySchema,
  reply: costTagsSchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(costTagsRead, [scope.no], toInput(query, ctx.now()))),
});

export const performanceTimelineRoute = defineRoute({
  method: 'GET',
  path: '/v1/performance/timeline',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed over time',
  query: metricsQuerySchema,
  reply: performanceTimelineSchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceTimelineRead, [scope.no], toInput(query, ctx.now()))),
});

export const performanceModelsRoute = defineRoute({
  method: 'GET',
  path: '/v1/performance/models',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed by model',
  query: metricsQuerySchema,
  reply: performanceModelsSchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceModelsRead, [scope.no], toInput(query, ctx.now()))),
});

export const errorsTimelineRoute = defineRoute({
  method: 'GET',
  path: '/v1/errors/timeline',
  auth: 'project',
  summary: 'When calls failed, by error group',
  query: metricsQuerySchema,
  reply: errorsTimelineSchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(errorsTimelineRead, [scope.no], toInput(query, ctx.now()))),
});
