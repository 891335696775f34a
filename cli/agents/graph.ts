import type { GraphReply } from '../../src/features/agents/contract.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import type { Column } from '../output.ts';
import { duration, percent } from '../report/figures.ts';
import { modelCost } from './callee-columns.ts';
import { agentOptions, readAgents } from './read-agents.ts';

type Edge = GraphReply['edges'][number];

const columns: readonly Column<Edge>[] = [
  { header: 'caller', value: ({ from }) => from },
  { header: 'calls', value: ({ to }) => to },
  { header: 'count', value: ({ calls }) => number(calls) },
  { header: 'failed', value: ({ calls, errors }) => percent(errors / calls) },
  { header: 'p50', value: ({ latencyP50 }) => (latencyP50 === null ? null : duration(latencyP50)) },
  {
    header: 'cost',
    value: ({ to, cost, unpriced, calls }) =>
      to.startsWith('model:') ? modelCost({ cost, unpriced, calls }) : null,
  },
];

export const agentsGraph = defineCommand({
  name: 'agents graph',
  summary: 'Show what agents and tools call, from all traces',
  options: agentOptions,
  examples: ['spanledger agents graph', 'spanledger agents graph --start 24h --json'],
  run: async (ctx) => {
    const reply = await readAgents(ctx, ctx.options, {
      file: async (figures) => (await import('../../src/features/agents/index.ts')).readGraph(figures),
      endpoint: async () => (await import('../../src/features/agents/contract.ts')).agentGraphEndpoint,
    });
    ctx.output.result(reply, () => {
      if (reply.edges.length === 0) return ctx.output.info('No agent or tool called anything in this time');
      ctx.output.table(columns, reply.edges);
    });
  },
});
