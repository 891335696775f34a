import { z } from 'zod';
import type { AgentReply, AgentVersion } from '../../src/features/agents/contract.ts';
import { MAX_NAME } from '../../src/features/agents/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { section } from '../report/pieces.ts';
import { calleeColumns, runCost } from './callee-columns.ts';
import { agentOptions, readAgents } from './read-agents.ts';

const versions: readonly Column<AgentVersion>[] = [
  { header: 'version', value: ({ id, version }) => version ?? id },
  { header: 'release', value: ({ release }) => release },
  { header: 'from', value: ({ from }) => from, fixed: true },
  { header: 'runs', value: ({ runs }) => number(runs) },
  { header: 'cost/run', value: runCost },
  { header: 'new', value: ({ added }) => added.join(', ') },
];

export const agentsShow = defineCommand({
  name: 'agents show',
  summary: 'Show one agent: what it calls, who calls it, and its versions',
  args: {
    agent: { summary: 'Name of the agent', type: z.string().min(1).max(MAX_NAME) },
  },
  options: agentOptions,
  examples: ['spanledger agents show planner', 'spanledger agents show planner --start 7d --json'],
  run: async (ctx) => {
    const { agent: name } = ctx.args;
    const reply = await readAgents(ctx, ctx.options, {
      file: async (figures) => (await import('../../src/features/agents/index.ts')).readAgent(figures, name),
      endpoint: async () => (await import('../../src/features/agents/contract.ts')).getAgentEndpoint,
      params: { name },
    });
    ctx.output.result(reply, () => print(ctx.output, reply));
  },
});

function print(output: Output, { agent, ...reply }: AgentReply): void {
  output.info(
    `${agent.name}: ${countText(agent.runs, 'run')}, ${agent.failedRuns} failed, ${countText(agent.modelCalls, 'model call')}`,
  );
  for (const [title, rows] of [
    ['Calls', reply.callees],
    ['Called by', reply.callers],
  ] as const) {
    if (rows.length === 0) continue;
    section(output, title);
    output.table(calleeColumns, rows);
  }
  if (reply.versions.length === 0) return;
  section(output, 'Versions');
  output.table(versions, reply.versions);
}
