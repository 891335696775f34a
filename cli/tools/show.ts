import { z } from 'zod';
import type { ToolProperty, ToolSchema } from '../../src/core/tool-schemas/contract.ts';
import { MAX_NAME, type ToolReply } from '../../src/features/agents/contract.ts';
import { changesText } from '../../src/lib/schema/changes-text.ts';
import { calleeColumns, modelCost } from '../agents/callee-columns.ts';
import { agentOptions, readAgents } from '../agents/read-agents.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { duration, percent } from '../report/figures.ts';
import { section } from '../report/pieces.ts';

type Tool = ToolReply['tool'];

const figures: readonly Column<Tool>[] = [
  { header: 'calls', value: ({ calls }) => number(calls) },
  { header: 'failed', value: ({ calls, errors }) => (calls === 0 ? null : percent(errors / calls)) },
  { header: 'p50', value: ({ latencyP50 }) => (latencyP50 === null ? null : duration(latencyP50)) },
  { header: 'p95', value: ({ latencyP95 }) => (latencyP95 === null ? null : duration(latencyP95)) },
  {
    header: 'cost of its model calls',
    value: ({ cost, unpriced, modelCalls }) => modelCost({ cost, unpriced, calls: modelCalls }),
  },
];

const properties: readonly Column<ToolProperty>[] = [
  { header: 'property', value: ({ path }) => path },
  { header: 'type', value: ({ type }) => type },
  { header: 'required', value: ({ required }) => (required ? 'yes' : 'no'), fixed: true },
];

const versions: readonly Column<ToolSchema>[] = [
  { header: 'version', value: ({ id }) => id, fixed: true },
  { header: 'first seen', value: ({ firstSeen }) => shortTime(Date.parse(firstSeen)), fixed: true },
  { header: 'last seen', value: ({ lastSeen }) => shortTime(Date.parse(lastSeen)), fixed: true },
  { header: 'changes', value: changesText },
];

export const toolsShow = defineCommand({
  name: 'tools show',
  summary: 'Show one tool: failures and latency, who calls it, its schema and its changes',
  args: {
    tool: { summary: 'Name of the tool', type: z.string().min(1).max(MAX_NAME) },
  },
  options: agentOptions,
  examples: ['spanledger tools show search', 'spanledger tools show search --start 7d --json'],
  run: async (ctx) => {
    const { tool: name } = ctx.args;
    const reply = await readAgents(ctx, ctx.options, {
      file: async (opened) => (await import('../../src/features/agents/index.ts')).readTool(opened, name),
      endpoint: async () => (await import('../../src/features/agents/contract.ts')).getToolEndpoint,
      params: { name },
    });
    ctx.output.result(reply, () => print(ctx.output, reply));
  },
});

function print(output: Output, { tool, callers, callees, schemas }: ToolReply): void {
  output.table(figures, [tool]);
  for (const [title, rows] of [
    ['Called by', callers],
    ['Calls', callees],
  ] as const) {
    if (rows.length === 0) continue;
    section(output, title);
    output.table(calleeColumns, rows);
  }
  const [newest] = schemas;
  if (newest === undefined) {
    output.info('No call of a model has named the schema of its arguments');
    return;
  }
  section(output, 'Schema as last seen');
  if (newest.properties.length === 0) output.info('It takes no arguments');
  else output.table(properties, newest.properties);
  if (schemas.length === 1) return;
  section(output, 'Changes of the schema');
  output.table(versions, schemas);
}
