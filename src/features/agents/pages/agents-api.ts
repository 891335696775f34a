import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { formatTerm } from '../../../lib/filter-terms.ts';
import type {
  agentGraphEndpoint,
  getAgentEndpoint,
  getToolEndpoint,
  listAgentsEndpoint,
  listToolsEndpoint,
  putAgentEndpoint,
  putToolEndpoint,
} from '../contract.ts';

export const listAgentsApi = endpointOf<typeof listAgentsEndpoint>('GET /v1/agents');
export const agentApi = endpointOf<typeof getAgentEndpoint>('GET /v1/agents/:name');
export const putAgentApi = endpointOf<typeof putAgentEndpoint>('PUT /v1/agents/:name');
export const graphApi = endpointOf<typeof agentGraphEndpoint>('GET /v1/agents/graph');
export const listToolsApi = endpointOf<typeof listToolsEndpoint>('GET /v1/tools');
export const toolApi = endpointOf<typeof getToolEndpoint>('GET /v1/tools/:name');
export const putToolApi = endpointOf<typeof putToolEndpoint>('PUT /v1/tools/:name');

/** A filter of the runs that an agent began, under any of its names. */
export const namesTerm = (names: readonly string[]): string =>
  formatTerm({
    field: 'agent',
    not: false,
    operator: ':',
    values: names.map((text) => ({ text, isQuoted: true })),
  });

/** What a note on an agent or tool makes stale. */
export const NOTED = [listAgentsApi, agentApi, graphApi, listToolsApi, toolApi] as const;
