import type { Module } from '../../module.ts';
import {
  agentGraphRoute,
  getAgentRoute,
  getToolRoute,
  listAgentsRoute,
  listToolsRoute,
  putAgentRoute,
  putToolRoute,
} from './routes.ts';

/** The registry of agents and tools, which events fill, and the graph of what they call. */
export const agentsModule: Module = {
  name: 'agents',
  // No erasure: names of agents and tools are the customer's, and people write the rest.
  tables: [{ name: 'registry_entries', scope: 'project', by: 'project_id', key: ['id'] }],
  // The graph comes before the agent of that name.
  routes: [
    listAgentsRoute,
    agentGraphRoute,
    getAgentRoute,
    putAgentRoute,
    listToolsRoute,
    getToolRoute,
    putToolRoute,
  ],
};

export { listAgents, readAgent } from './figures/list-agents.ts';
export { listTools, readTool } from './figures/list-tools.ts';
export { openFigures } from './figures/read-figures.ts';
export { readGraph } from './figures/read-graph.ts';
