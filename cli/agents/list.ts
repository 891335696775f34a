import type { AgentsReply } from '../../src/features/agents/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { percent, tinted } from '../report/figures.ts';
import { modelCost, runCost } from './callee-columns.ts';
import { agentOptions, readAgents } from './read-agents.ts';

type Agent = AgentsReply['agents'][number];

const columns: readonly Column<Agent>[] = [
  { header: 'agent', value: ({ name }) => name },
  { header: 'runs', value: ({ runs }) => number(runs) },
  { header: 'failed', value: ({ runs, failedRuns }) => (runs === 0 ? null : percent(failedRuns / runs)) },
  { header: 'cost/run', value: runCost },
  { header: 'model calls', value: ({ modelCalls }) => number(modelCalls) },
  { header: 'tool calls', value: ({ toolCalls }) => number(toolCalls) },
  {
    header: 'cost',
    value: ({ cost, unpriced, modelCalls }) => modelCost({ cost, unpriced, calls: modelCalls }),
  },
  {
    header: 'last seen',
    value: ({ lastSeen }) => tinted(lastSeen === null ? '' : shortTime(Date.parse(lastSeen)), 'dim'),
    fixed: true,
    spare: true,
  },
];

export const agentsList = defineCommand({
  name: 'agents list',
  summary: 'List the agents that events name, with runs and cost',
  options: agentOptions,
  examples: ['spanledger agents list', 'spanledger agents list --start 7d --env production --json'],
  run: async (ctx) => {
    const reply = await readAgents(ctx, ctx.options, {
      file: async (figures) =>
        (await import('../../src/features/agents/index.ts')).listAgents(figures, false),
      endpoint: async () => (await import('../../src/features/agents/contract.ts')).listAgentsEndpoint,
    });
    ctx.output.result(reply, () => {
      if (reply.agents.length === 0) return ctx.output.info('No event of this time names an agent');
      ctx.output.table(columns, reply.agents);
      if (reply.otherAgents === undefined) return;
      const { agents, modelCalls, cost, unpriced } = reply.otherAgents;
      const own = modelCost({ cost, unpriced, calls: modelCalls });
      ctx.output.line(
        tinted(
          `and ${countText(agents, 'other agent')}: ${countText(modelCalls, 'model call')}${own === null ? '' : `, ${own.text}`}`,
          'dim',
        ),
      );
    });
  },
});
