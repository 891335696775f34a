import { route } from '../../core/tenancy/index.ts';
import type { Route } from '../../http/route.ts';
import { dashboardEndpoint, metricsEndpoint } from './contract.ts';
import dashboard from './grafana-dashboard.json';
import { collect } from './metrics/collect.ts';
import { exposition } from './metrics/exposition.ts';
import { requireReader } from './metrics/require-reader.ts';

const TYPE = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };

export const systemRoutes: readonly Route[] = [
  route(metricsEndpoint, async (ctx, { request, address }) => {
    requireReader(ctx, request, address);
    return new Response(exposition(await collect(ctx)), { headers: TYPE });
  }),
  route(dashboardEndpoint, () => dashboard),
];
