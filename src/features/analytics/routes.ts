import { z } from 'zod';
import { metricsFilterSchema, metricsQuerySchema } from '../../core/events/contract.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import {
  costsReplySchema,
  errorsReplySchema,
  overviewReplySchema,
  performanceReplySchema,
} from './contract.ts';
import { costsRead } from './costs/costs.ts';
import { errorsRead } from './errors/errors.ts';
import { toInput } from './input.ts';
import { overviewRead } from './overview/overview.ts';
import { performanceRead } from './performance/performance.ts';

/** interface.md, GET /v1/projects/:id/overview. */
export const overviewRoute = defineRoute({
  method: 'GET',
  path: '/v1/projects/:id/overview',
  auth: 'project',
  summary: 'Key figures, timeline, top models and recent errors of a project',
  params: z.object({ id: z.string() }),
  query: metricsFilterSchema,
  reply: overviewReplySchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(overviewRead, [scope.no], toInput(query, ctx.now()))),
});

/** interface.md, GET /v1/costs. */
export const costsRoute = defineRoute({
  method: 'GET',
  path: '/v1/costs',
  auth: 'project',
  summary: 'What the calls cost, by model and day, with a forecast',
  query: metricsQuerySchema,
  reply: costsReplySchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(costsRead, [scope.no], toInput(query, ctx.now()))),
});

/** interface.md, GET /v1/performance. */
export const performanceRoute = defineRoute({
  method: 'GET',
  path: '/v1/performance',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed',
  query: metricsQuerySchema,
  reply: performanceReplySchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceRead, [scope.no], toInput(query, ctx.now()))),
});

/** interface.md, GET /v1/errors. */
export const errorsRoute = defineRoute({
  method: 'GET',
  path: '/v1/errors',
  auth: 'project',
  summary: 'Errors by code with their trend, and when rate limits were hit',
  query: metricsQuerySchema,
  reply: errorsReplySchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(errorsRead, [scope.no], toInput(query, ctx.now()))),
});
