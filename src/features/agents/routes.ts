import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import {
  agentGraphEndpoint,
  getAgentEndpoint,
  getToolEndpoint,
  listAgentsEndpoint,
  listToolsEndpoint,
  putAgentEndpoint,
  putToolEndpoint,
} from './contract.ts';
import { listAgents, readAgent } from './figures/list-agents.ts';
import { listTools, readTool } from './figures/list-tools.ts';
import { openFigures } from './figures/read-figures.ts';
import { readGraph } from './figures/read-graph.ts';
import { saveEntry } from './registry/save-entry.ts';

export const listAgentsRoute = route(listAgentsEndpoint, async (ctx, { query }, { scope }) =>
  listAgents(await openFigures(ctx, scope, query), query.hidden === 'true'),
);

export const agentGraphRoute = route(agentGraphEndpoint, async (ctx, { query }, { scope }) =>
  readGraph(await openFigures(ctx, scope, query)),
);

export const getAgentRoute = route(getAgentEndpoint, async (ctx, { params, query }, { scope }) =>
  readAgent(await openFigures(ctx, scope, query), params.name),
);

export const listToolsRoute = route(listToolsEndpoint, async (ctx, { query }, { scope }) =>
  listTools(await openFigures(ctx, scope, query), query.hidden === 'true'),
);

export const getToolRoute = route(getToolEndpoint, async (ctx, { params, query }, { scope }) =>
  readTool(await openFigures(ctx, scope, query), params.name),
);

export const putAgentRoute = route(putAgentEndpoint, (ctx, input, caller) =>
  saveEntry(
    ctx,
    { scope: caller.scope, userId: caller.userId, actor: actorOf(caller, input) },
    { kind: 'agent', name: input.params.name, body: input.body },
  ),
);

export const putToolRoute = route(putToolEndpoint, (ctx, input, caller) =>
  saveEntry(
    ctx,
    { scope: caller.scope, userId: caller.userId, actor: actorOf(caller, input) },
    { kind: 'tool', name: input.params.name, body: input.body },
  ),
);
