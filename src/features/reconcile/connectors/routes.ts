import { route } from '../../../core/tenancy/index.ts';
import { actorOf } from '../../../module.ts';
import { driftEndpoint, listConnectorsEndpoint, setThresholdEndpoint } from './contract.ts';
import { connectorsWithin } from './job.ts';
import { listConnectorStates } from './queries.ts';
import { reportDrift } from './report-drift.ts';
import { setThreshold } from './set-threshold.ts';

export const driftRoutes = [
  route(listConnectorsEndpoint, async (ctx, _input, { organizationId }) => ({
    connectors: await listConnectorStates(ctx, organizationId, await connectorsWithin(ctx, organizationId)),
  })),
  route(driftEndpoint, (ctx, { query }, caller) => reportDrift(ctx, caller, query)),
  route(setThresholdEndpoint, (ctx, input, caller) =>
    setThreshold(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      threshold: input.body,
    }),
  ),
];
