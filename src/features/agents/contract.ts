import { z } from 'zod';
import { listQuerySchema } from '../../core/events/contract.ts';
import { defineEndpoint, projectIdParam, projectQuery } from '../../core/tenancy/contract.ts';
import { toolSchemaSchema } from '../../core/tool-schemas/contract.ts';
import { lineOfText } from '../../lib/schema/line-of-text.ts';

/** What the registry has entries of. */
export const ENTRY_KINDS = ['agent', 'tool'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
export const MAX_NAME = 300;
/** Most entries that people edited, per project. */
export const MAX_ENTRIES = 2_000;

const query = listQuerySchema.shape;

/** Query of the figures. Hours in UTC that `start` and `end` touch are counted whole. */
export const agentsQuerySchema = z
  .object({
    projectId: projectIdParam,
    start: query.start.describe(
      'Start of the window: ISO 8601 in UTC. Hours are counted whole. Default: 30 days before the end.',
    ),
    end: query.end.describe('End of the window: ISO 8601 in UTC. Default: now.'),
    environment: query.environment.describe('Environment, such as `production`.'),
  })
  .refine(({ start, end }) => start === undefined || end === undefined || start <= end, {
    path: ['start'],
    message: 'must not be after end',
  });
export type AgentsQuery = z.output<typeof agentsQuerySchema>;

const listQuery = agentsQuerySchema.safeExtend({
  hidden: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether entries that people hid are listed too. Default: `false`.'),
});

const windowSchema = z.object({
  start: z.string().describe('Start of the first hour, ISO 8601 UTC.'),
  end: z.string().describe('End of the last hour, ISO 8601 UTC.'),
});

const time = (text: string) => z.number().nullable().describe(`${text} in milliseconds; null if unknown.`);
const names = (what: string) => z.array(z.string()).describe(`${what}, most used first.`);

/** What people say about an agent or tool. */
const noteSchema = z.object({
  owner: z.string().describe('Person or team that is responsible; empty if nobody said.'),
  description: z.string().describe('What it does; empty if nobody said.'),
  url: z.string().describe('Where to read more; empty if nobody said.'),
  hidden: z.boolean().describe('Whether lists and the graph leave it out.'),
  mergedInto: z.string().nullable().describe('Name under which its figures count; null for its own.'),
});
export type EntryNote = z.infer<typeof noteSchema>;

const seen = {
  firstSeen: z.string().nullable().describe('Start of the first hour with an event, ISO 8601 UTC.'),
  lastSeen: z.string().nullable().describe('Start of the last hour with an event, ISO 8601 UTC.'),
};

/** What was called: agents and tools by their spans, models by calls that count once. */
const callFigures = {
  calls: z.int().describe('How often it was called.'),
  errors: z.int().describe('Calls that failed.'),
  latencyAvg: time('Mean latency'),
  latencyP50: time('Median latency'),
  latencyP95: time('95th percentile of the latency'),
};

const runFigures = {
  runs: z.int().describe('Traces that the agent began.'),
  failedRuns: z.int().describe('Runs whose first span failed.'),
  runCost: z.number().describe('Cost in USD of all calls of models in these runs.'),
  runModelCalls: z.int().describe('All calls of models in these runs.'),
  runUnpriced: z.int().describe('Those without a known price; no cost includes them.'),
  costPerRun: z.number().nullable().describe('`runCost` by run; null without runs.'),
  costPerSuccessfulRun: z
    .number()
    .nullable()
    .describe('`runCost` by run that did not fail; null without any.'),
  modelCalls: z.int().describe('Calls of models that the agent made itself.'),
  modelErrors: z.int().describe('Those that failed.'),
  cost: z.number().describe('Cost of these in USD.'),
  unpriced: z.int().describe('Those without a known price; no cost includes them.'),
  toolCalls: z.int().describe('Calls of tools that the agent made itself.'),
  toolErrors: z.int().describe('Those that failed.'),
};

const agentSchema = z.object({
  name: z.string().describe('Name of the agent.'),
  ...noteSchema.shape,
  ...seen,
  ...callFigures,
  ...runFigures,
  models: names('Models that it called'),
  tools: names('Tools that it called'),
  prompts: names('Prompts of its calls, as `name@version`'),
  environments: names('Environments'),
  releases: names('Releases'),
});

const listedAgentSchema = agentSchema.extend({
  series: z.array(z.int()).describe('Calls of models, tools and agents by UTC day of the window.'),
});

export const agentsReplySchema = z.object({
  agents: z.array(listedAgentSchema).describe('Agents, highest cost first; at most 1,000.'),
  otherAgents: z
    .object({
      agents: z.int().describe('Number of other agents.'),
      runs: z.int().describe('Traces that they began.'),
      failedRuns: z.int().describe('Runs whose first span failed.'),
      modelCalls: z.int().describe('Calls of models that they made themselves.'),
      toolCalls: z.int().describe('Calls of tools that they made themselves.'),
      cost: z.number().describe('Cost in USD of their calls of models.'),
      unpriced: z.int().describe('Those without a known price; `cost` does not include them.'),
    })
    .optional()
    .describe('All other agents together; absent if there are none.'),
  window: windowSchema.describe('Hours that were counted.'),
});
export type AgentsReply = z.infer<typeof agentsReplySchema>;

const calleeSchema = z.object({
  kind: z.enum(['agent', 'tool', 'model']).describe('What is called.'),
  name: z.string().describe('Name; empty for a model that is not named.'),
  ...callFigures,
  cost: z.number().describe('Cost in USD of calls of models.'),
  unpriced: z.int().describe('Calls without a known price; `cost` does not include them.'),
});
export type Callee = z.infer<typeof calleeSchema>;

const versionSchema = z.object({
  id: z
    .string()
    .describe(
      'Fingerprint of the declared version; of release, models, tools and prompt versions where none is declared.',
    ),
  version: z
    .string()
    .nullable()
    .describe("Version that the agent's spans declare in `agent_version`; null where they declare none."),
  release: z
    .string()
    .nullable()
    .describe('Release, of a declared version the newest; null for events that name none.'),
  from: z.string().describe('First UTC day, `YYYY-MM-DD`.'),
  to: z.string().describe('Last UTC day with events, `YYYY-MM-DD`.'),
  added: z
    .array(z.string())
    .describe(
      'Models, tools and prompt versions that the release, or the declared version before, did not use.',
    ),
  models: names('Models'),
  tools: names('Tools'),
  prompts: names('Prompts, as `name@version`'),
  ...runFigures,
  latencyAvg: time('Mean latency of the runs'),
});
export type AgentVersion = z.infer<typeof versionSchema>;

export const agentReplySchema = z.object({
  agent: agentSchema.describe('Figures of the agent.'),
  merged: z.array(z.string()).describe('Names that people merged into it; their figures are its own.'),
  callees: z.array(calleeSchema).describe('What the agent calls, most calls first.'),
  callers: z.array(calleeSchema).describe('Agents and tools that call it, most calls first.'),
  versions: z.array(versionSchema).describe('Versions in the window, newest first.'),
  window: windowSchema.describe('Hours that were counted.'),
});
export type AgentReply = z.infer<typeof agentReplySchema>;

export const graphReplySchema = z.object({
  nodes: z
    .array(
      z.object({
        id: z.string().describe('`agent:name`, `tool:name` or `model:name`.'),
        kind: z.enum(['agent', 'tool', 'model']).describe('What it is.'),
        name: z.string().describe('Name; empty for a model that is not named.'),
        calls: z.int().describe('How often it was called.'),
        errors: z.int().describe('Calls that failed.'),
        cost: z
          .number()
          .describe('Cost in USD of the calls of models that it made, or that were made of it.'),
        modelCalls: z.int().describe('These calls of models.'),
        unpriced: z.int().describe('Those without a known price; `cost` does not include them.'),
      }),
    )
    .describe(
      'Agents, tools and models, most calls first; at most 1,000: those of `edges`, and those with the highest cost.',
    ),
  otherNodes: z
    .object({
      nodes: z.int().describe('Number of other nodes.'),
      calls: z.int().describe('How often they were called.'),
      errors: z.int().describe('Calls that failed.'),
    })
    .optional()
    .describe('All other nodes together; absent if there are none.'),
  edges: z
    .array(
      z.object({
        from: z.string().describe('Id of the caller.'),
        to: z.string().describe('Id of what is called.'),
        ...callFigures,
        cost: z.number().describe('Cost in USD of calls of models.'),
        unpriced: z.int().describe('Calls without a known price; `cost` does not include them.'),
      }),
    )
    .describe('What calls what, most calls first; at most 300.'),
  others: z
    .object({
      edges: z.int().describe('Further edges, with fewer calls.'),
      calls: z.int().describe('Their calls.'),
    })
    .describe('What `edges` leaves out. The figures of nodes count it.'),
  window: windowSchema.describe('Hours that were counted.'),
});
export type GraphReply = z.infer<typeof graphReplySchema>;

const toolSchema = z.object({
  name: z.string().describe('Name of the tool.'),
  ...noteSchema.shape,
  ...seen,
  ...callFigures,
  cost: z.number().describe('Cost in USD of calls of models that the tool made.'),
  modelCalls: z.int().describe('These calls of models.'),
  unpriced: z.int().describe('Those without a known price; `cost` does not include them.'),
  callers: names('Agents and tools that call it'),
  environments: names('Environments'),
});

const listedToolSchema = toolSchema.extend({
  series: z.array(z.int()).describe('Calls by UTC day of the window.'),
});

export const toolsReplySchema = z.object({
  tools: z.array(listedToolSchema).describe('Tools, most calls first; at most 1,000.'),
  otherTools: z
    .object({
      tools: z.int().describe('Number of other tools.'),
      calls: z.int().describe('How often they were called.'),
      errors: z.int().describe('Calls that failed.'),
    })
    .optional()
    .describe('All other tools together; absent if there are none.'),
  window: windowSchema.describe('Hours that were counted.'),
});
export type ToolsReply = z.infer<typeof toolsReplySchema>;

export const toolReplySchema = z.object({
  tool: toolSchema.describe('Figures of the tool.'),
  callees: z.array(calleeSchema).describe('What the tool calls, most calls first.'),
  callers: z.array(calleeSchema).describe('Agents and tools that call it, most calls first.'),
  schemas: z
    .array(toolSchemaSchema)
    .describe('Schemas of its arguments as calls of models were offered them, newest first, at any time.'),
  window: windowSchema.describe('Hours that were counted.'),
});
export type ToolReply = z.infer<typeof toolReplySchema>;

/** Body of `PUT /v1/agents/:name` and `PUT /v1/tools/:name`: what is left out stays. */
export const entryBodySchema = z
  .strictObject({
    owner: z
      .union([z.literal(''), lineOfText(200)])
      .optional()
      .describe('Person or team that is responsible.'),
    description: z.string().max(2_000).optional().describe('What it does.'),
    url: z
      .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2_000)])
      .optional()
      .describe('Where to read more: an http or https address.'),
    hidden: z.boolean().optional().describe('Whether lists and the graph leave it out.'),
    mergedInto: z
      .string()
      .min(1)
      .max(MAX_NAME)
      .nullable()
      .optional()
      .describe('Name under which its figures count from now on, also those of the past; null for its own.'),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'give owner, description, url, hidden or mergedInto',
  );
export type EntryBody = z.output<typeof entryBodySchema>;

const nameParams = z.object({
  name: z.string().min(1).max(MAX_NAME).describe('Name, as the registry shows it.'),
});

export const listAgentsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/agents',
  auth: 'project',
  summary: 'Agents with runs, cost, failures, and the models and tools that they call',
  query: listQuery,
  reply: agentsReplySchema,
});

export const agentGraphEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/agents/graph',
  auth: 'project',
  summary: 'What agents and tools call, from all traces',
  query: agentsQuerySchema,
  reply: graphReplySchema,
});

export const getAgentEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/agents/:name',
  auth: 'project',
  summary: 'One agent: figures, versions, callers, and what it calls',
  params: nameParams,
  query: agentsQuerySchema,
  reply: agentReplySchema,
});

export const putAgentEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/agents/:name',
  auth: 'project',
  role: 'member',
  summary: 'Describe, hide or merge an agent',
  params: nameParams,
  query: projectQuery,
  body: entryBodySchema,
  example: { owner: 'Support team', description: 'Answers questions of customers' },
  reply: noteSchema,
});

export const listToolsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/tools',
  auth: 'project',
  summary: 'Tools with calls, failures, latency and callers',
  query: listQuery,
  reply: toolsReplySchema,
});

export const getToolEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/tools/:name',
  auth: 'project',
  summary: 'One tool: figures, callers, what it calls, and the schemas of its arguments',
  params: nameParams,
  query: agentsQuerySchema,
  reply: toolReplySchema,
});

export const putToolEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/tools/:name',
  auth: 'project',
  role: 'member',
  summary: 'Describe, hide or merge a tool',
  params: nameParams,
  query: projectQuery,
  body: entryBodySchema,
  example: { mergedInto: 'web_search' },
  reply: noteSchema,
});
