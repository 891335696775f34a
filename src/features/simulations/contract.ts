import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';
import { suiteSchema, targetSchema } from '../../lib/simulations/schema.ts';
import { simulationRunSchema } from './runs/contract.ts';

/** Most characters of a suite as text. */
export const MAX_SOURCE = 1_000_000;
export const MAX_SUITES = 200;
export const MAX_VERSIONS = 1_000;

export const simulationSchema = z
  .object({
    id: z.string().describe('Id.'),
    name: z.string().describe('Name, unique in the project.'),
    description: z.string().nullable().describe('What it is for; null without one.'),
    version: z.int().describe('Newest version.'),
    scenarios: z.int().describe('Number of scenarios.'),
    conversations: z.int().describe('Scenarios times repetitions.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
    lastRun: simulationRunSchema.nullable().describe('Its newest run; null without one.'),
  })
  .meta({ id: 'Simulation' });
export type Simulation = z.input<typeof simulationSchema>;

export const simulationDetailSchema = simulationSchema
  .extend({
    suite: z
      .record(z.string(), z.unknown())
      .describe('The suite of the version. Viewers see no values of headers but those that name a secret.'),
    source: z
      .string()
      .describe('The suite as it was written, YAML or JSON. For viewers without the values of headers.'),
    shownVersion: z.int().describe('Version of `suite` and `source`.'),
    secrets: z
      .array(
        z.object({
          name: z.string().describe('Name.'),
          origin: z.string().describe('The only origin to which it is sent.'),
        }),
      )
      .describe('Names of the secrets of its headers. Their values are never returned.'),
    versions: z
      .array(
        z.object({
          version: z.int().describe('Number.'),
          message: z.string().describe('What changed.'),
          createdBy: z.string().nullable().describe('Name of the author; null if unknown.'),
          createdAt: z.string().describe('When, ISO 8601 UTC.'),
        }),
      )
      .describe('Its versions, newest first, at most 50.'),
  })
  .meta({ id: 'SimulationDetail' });
export type SimulationDetail = z.input<typeof simulationDetailSchema>;

export const suiteBody = z
  .strictObject({
    suite: suiteSchema.optional().describe('The suite. Default: `source`.'),
    source: z
      .string()
      .min(1)
      .max(MAX_SOURCE)
      .optional()
      .describe('The suite as text, YAML or JSON, instead of `suite`.'),
    message: z.string().trim().max(500).default('').describe('What changed.'),
  })
  .refine(
    ({ suite, source }) => (suite === undefined) !== (source === undefined),
    'give either suite or source',
  );
export type SuiteBody = z.output<typeof suiteBody>;

const params = z.object({ id: z.string().max(100).describe('Id of the suite.') });
const read = { auth: 'project', scopes: ['read', 'experiments:run'], query: projectQuery } as const;
const write = { auth: 'project', role: 'member', scopes: ['experiments:run'], query: projectQuery } as const;

const EXAMPLE = {
  suite: {
    name: 'Support',
    target: { kind: 'http', url: 'https://agent.example.com/chat', reply: { text: 'answer' } },
    scenarios: [
      {
        name: 'Refund',
        script: [
          'I want my money back.',
          { user: 'Order 4711.', checks: [{ kind: 'contains', texts: '4711' }] },
        ],
        repetitions: 5,
      },
      { name: 'Injection', persona: 'injection' },
    ],
  },
} as const;

export const listSimulationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations',
  ...read,
  summary: 'List suites of simulations with their last runs, by name',
  reply: z.object({
    simulations: z.array(simulationSchema).describe('Suites, by name.'),
    nextCursor: z.null().describe('Always null: all suites are in one page.'),
  }),
});

export const createSimulationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/simulations',
  ...write,
  summary: 'Create a suite of simulations',
  body: suiteBody,
  example: EXAMPLE,
  reply: simulationDetailSchema,
  status: 201,
});

export const readySuitesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/ready',
  ...read,
  summary: 'List suites to start from, which need no model',
  reply: z.object({
    suites: z
      .array(
        z.object({
          name: z.string().describe('Name of the suite.'),
          description: z.string().describe('What it is for.'),
          source: z.string().describe('The suite as YAML.'),
        }),
      )
      .describe('Suites.'),
  }),
});

export const tryTargetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/simulations/try',
  ...write,
  summary: 'Send one message to a target, to see whether its mapping is right',
  description: 'Nothing is stored. A target with secrets needs `simulationId`, the suite that has them.',
  body: z.strictObject({
    target: targetSchema,
    message: z.string().min(1).max(20_000).default('Hello').describe('Message. Default: `Hello`.'),
    simulationId: z.string().max(100).optional().describe('Suite whose secrets are used. Default: none.'),
  }),
  example: { target: EXAMPLE.suite.target, message: 'Hello' },
  reply: z.object({
    text: z.string().describe('The answer.'),
    toolCalls: z
      .array(
        z.object({
          name: z.string().describe('Name of the tool.'),
          arguments: z.unknown().describe('Arguments.'),
          id: z.string().optional().describe('Id of the call.'),
          result: z.string().optional().describe('What the target was told.'),
        }),
      )
      .describe('Tools that were called.'),
    latencyMs: z.number().describe('Time of the answer, in ms.'),
    costUsd: z.number().nullable().describe('Cost, in USD; null if unknown.'),
    traceId: z.string().nullable().describe('Trace of the target; null without one.'),
    error: z.string().nullable().describe('Why there is no answer; null if there is one.'),
    status: z.int().nullable().describe('HTTP status; null without a reply.'),
    raw: z
      .string()
      .nullable()
      .describe('Start of the reply as it came, up to 4,000 characters; null without one.'),
  }),
});

export type TryTargetBody = z.input<typeof tryTargetEndpoint.body>;
export type TriedTarget = z.input<typeof tryTargetEndpoint.reply>;

export const getSimulationEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/:id',
  ...read,
  summary: 'Read a suite in its newest or an older version',
  query: projectQuery.extend({
    version: z.coerce.number().int().min(1).max(1e9).optional().describe('Version. Default: the newest.'),
  }),
  params,
  reply: simulationDetailSchema,
});

export const replaceSimulationEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/simulations/:id',
  ...write,
  summary: 'Replace a suite; another text makes a version, the same one none',
  params,
  body: suiteBody,
  example: EXAMPLE,
  reply: simulationDetailSchema,
});

export const deleteSimulationEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/simulations/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a suite with its versions, runs and transcripts',
  query: projectQuery,
  params,
  status: 204,
});

export const setSecretEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/simulations/:id/secrets/:name',
  auth: 'project',
  role: 'admin',
  summary: 'Set a secret for headers of targets; it is never returned',
  description:
    'It is sent to one origin only, so that nobody can change the address of a target to learn it.',
  query: projectQuery,
  params: params.extend({
    name: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,49}$/, 'must be 1 to 50 capitals, digits and underscores, such as AGENT_KEY')
      .describe('Name, as headers use it.'),
  }),
  body: z.strictObject({
    value: z.string().min(1).max(4_000).nullable().describe('Value; null removes the secret.'),
    origin: z
      .url('must be an origin such as https://agent.example.com')
      .max(300)
      .optional()
      .describe('Origin to which it may be sent. Default: that of the target of the suite.'),
  }),
  example: { value: 'sk-agent-123', origin: 'https://agent.example.com' },
  status: 204,
});
