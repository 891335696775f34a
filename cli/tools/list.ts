import type { ToolsReply } from '../../src/features/agents/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { agentOptions, readAgents } from '../agents/read-agents.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import type { Column } from '../output.ts';
import { duration, percent, tinted } from '../report/figures.ts';

type Tool = ToolsReply['tools'][number];

const columns: readonly Column<Tool>[] = [
  { header: 'tool', value: ({ name }) => name },
  { header: 'calls', value: ({ calls }) => number(calls) },
  { header: 'failed', value: ({ calls, errors }) => (calls === 0 ? null : percent(errors / calls)) },
  { header: 'p50', value: ({ latencyP50 }) => (latencyP50 === null ? null : duration(latencyP50)) },
  { header: 'p95', value: ({ latencyP95 }) => (latencyP95 === null ? null : duration(latencyP95)) },
  { header: 'called by', value: ({ callers }) => callers.join(', ') },
];

export const toolsList = defineCommand({
  name: 'tools list',
  summary: 'List the tools that events name, with failures and latency',
  options: agentOptions,
  examples: ['spanledger tools list', 'spanledger tools list --start 7d --json'],
  run: async (ctx) => {
    const reply = await readAgents(ctx, ctx.options, {
      file: async (figures) => (await import('../../src/features/agents/index.ts')).listTools(figures, false),
      endpoint: async () => (await import('../../src/features/agents/contract.ts')).listToolsEndpoint,
    });
    ctx.output.result(reply, () => {
      if (reply.tools.length === 0) return ctx.output.info('No event of this time names a tool');
      ctx.output.table(columns, reply.tools);
      if (reply.otherTools === undefined) return;
      const { tools, calls } = reply.otherTools;
      ctx.output.line(tinted(`and ${countText(tools, 'other tool')}: ${countText(calls, 'call')}`, 'dim'));
    });
  },
});
