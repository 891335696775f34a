import { ofProject, route } from '../../core/tenancy/index.ts';
import { costsEndpoint, errorsEndpoint, overviewEndpoint } from './contract.ts';
import { readCosts } from './costs/costs.ts';
import { readErrors } from './errors/errors.ts';
import { toInput } from './input.ts';
import { readOverview } from './overview/overview.ts';
import { performanceEndpoint } from './performance/contract.ts';
import { readPerformance } from './performance/performance.ts';

export const overviewRoute = route(overviewEndpoint, (ctx, { query }, { scope }) =>
  readOverview(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const costsRoute = route(costsEndpoint, (ctx, { query }, { scope }) =>
  readCosts(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const performanceRoute = route(performanceEndpoint, (ctx, { query }, { scope }) =>
  readPerformance(ctx, ofProject(scope), toInput(query, ctx.now())),
);

export const errorsRoute = route(errorsEndpoint, (ctx, { query }, { scope }) =>
  readErrors(ctx, ofProject(scope), toInput(query, ctx.now())),
);
