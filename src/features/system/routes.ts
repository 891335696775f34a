import { requireOperator } from '../../core/auth/index.ts';
import { route } from '../../core/tenancy/index.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../module.ts';
import { checksEndpoint, dashboardEndpoint, metricsEndpoint, systemEndpoint } from './contract.ts';
import { examine } from './examine.ts';
import { readSystem } from './figures/read-system.ts';
import { startedAt } from './figures/started-at.ts';
import dashboard from './grafana-dashboard.json';
import { collect } from './metrics/collect.ts';
import { exposition } from './metrics/exposition.ts';
import { requireReader } from './metrics/require-reader.ts';

const TYPE = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };

export const createSystemRoutes = (jobs: () => readonly Job[]): readonly Route[] => [
  route(metricsEndpoint, async (ctx, { request, address }) => {
    requireReader(ctx, request, address);
    return new Response(exposition(await collect(ctx)), { headers: TYPE });
  }),
  route(dashboardEndpoint, () => dashboard),
  route(systemEndpoint, async (ctx, _input, { userId }) => {
    await requireOperator(ctx, userId);
    return readSystem(ctx, jobs());
  }),
  route(checksEndpoint, async (ctx, _input, { userId }) => {
    await requireOperator(ctx, userId);
    return { findings: await examine(ctx, jobs(), { since: startedAt(ctx.now()) }) };
  }),
];
