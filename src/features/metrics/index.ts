import { runMetrics } from '../../core/events/index.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import type { Module } from '../../module.ts';
import { metricsQueryEndpoint } from './contract.ts';

const metricsQueryRoute = route(metricsQueryEndpoint, (ctx, { body }, { scope }) =>
  runMetrics(ctx, ofProject(scope), body, ctx.now()),
);

/** Figures by a query document. */
export const metricsModule: Module = { name: 'metrics', routes: [metricsQueryRoute] };
