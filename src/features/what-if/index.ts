import { defineRoute, ofProject } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import type { Module } from '../../module.ts';
import { whatIfQuerySchema, whatIfSchema } from './contract.ts';
import { whatIfRead } from './what-if.ts';

const whatIfRoute = defineRoute({
  method: 'GET',
  path: '/v1/costs/what-if',
  auth: 'project',
  summary: 'What the last days would have cost with another model, caching, batches or sampling',
  query: whatIfQuerySchema,
  reply: whatIfSchema,
  handler: async (ctx, { query }, { scope }) => {
    const { projectId: _, ...wish } = query;
    return new JsonText(await ctx.db.read(whatIfRead, ofProject(scope), { ...wish, now: ctx.now() }));
  },
});

/** Costs as they would be. */
export const whatIfModule: Module = { name: 'what-if', routes: [whatIfRoute], reads: [whatIfRead] };
