import { ofProject, route } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import type { Module } from '../../module.ts';
import { whatIfEndpoint } from './contract.ts';
import { whatIfRead } from './what-if.ts';

const whatIfRoute = route(whatIfEndpoint, async (ctx, { query }, { scope }) => {
  const { projectId: _, ...wish } = query;
  return new JsonText(await ctx.db.read(whatIfRead, ofProject(scope), { ...wish, now: ctx.now() }));
});

/** Costs as they would be. */
export const whatIfModule: Module = { name: 'what-if', routes: [whatIfRoute], reads: [whatIfRead] };
