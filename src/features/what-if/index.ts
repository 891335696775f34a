import { ofProject, route } from '../../core/tenancy/index.ts';
import type { Module } from '../../module.ts';
import { whatIfEndpoint } from './contract.ts';
import { readWhatIf } from './what-if.ts';

const whatIfRoute = route(whatIfEndpoint, (ctx, { query }, { scope }) => {
  const { projectId: _, ...wish } = query;
  return readWhatIf(ctx, ofProject(scope), { ...wish, now: ctx.now() });
});

/** Costs as they would be. */
export const whatIfModule: Module = { name: 'what-if', routes: [whatIfRoute] };

export { readWhatIf } from './what-if.ts';
