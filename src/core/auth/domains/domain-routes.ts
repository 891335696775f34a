import { route } from '../../tenancy/index.ts';
import { getDomainsEndpoint } from './contract.ts';
import { listDomains } from './queries.ts';

const getDomains = route(getDomainsEndpoint, async (ctx, _input, { organizationId }) => ({
  domains: await listDomains(ctx, organizationId),
}));

export const domainRoutes = [getDomains];
