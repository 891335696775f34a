import { route } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import { costsEndpoint, errorsEndpoint, overviewEndpoint, performanceEndpoint } from './contract.ts';
import { costsRead } from './costs/costs.ts';
import { errorsRead } from './errors/errors.ts';
import { toInput } from './input.ts';
import { overviewRead } from './overview/overview.ts';
import { performanceRead } from './performance/performance.ts';

/** interface.md, GET /v1/projects/:id/overview. */
export const overviewRoute = route(
  overviewEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(overviewRead, [scope.no], toInput(query, ctx.now()))),
);

/** interface.md, GET /v1/costs. */
export const costsRoute = route(
  costsEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(costsRead, [scope.no], toInput(query, ctx.now()))),
);

/** interface.md, GET /v1/performance. */
export const performanceRoute = route(
  performanceEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(performanceRead, [scope.no], toInput(query, ctx.now()))),
);

/** interface.md, GET /v1/errors. */
export const errorsRoute = route(
  errorsEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(await ctx.db.read(errorsRead, [scope.no], toInput(query, ctx.now()))),
);
