import { z } from 'zod';
import { modelIdSchema } from '../models/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import { EVALUATOR_KINDS, evaluatorInput, JUDGE_VARIABLES } from './config/contract.ts';

/** Most evaluators of a project, and most versions of one. */
export const MAX_EVALUATORS = 200;
export const MAX_VERSIONS = 1_000;
/** Most characters of a pasted example. */
const MAX_EXAMPLE = 200_000;

const versionFields = {
  version: z.int().describe('Number of the version, from 1.'),
  kind: z.enum(EVALUATOR_KINDS).describe('How it judges.'),
  config: z.record(z.string(), z.unknown()).describe('Settings of the kind.'),
  output: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What a judge or webhook answers; null for other kinds.'),
  scoreName: z.string().describe('Name of the scores that it gives.'),
};

export const evaluatorSchema = z
  .object({
    id: z.string().describe('Id of the evaluator.'),
    name: z.string().describe('Name, unique in the project.'),
    description: z.string().describe('What it judges, for people.'),
    ...versionFields,
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'Evaluator' });
export type Evaluator = z.infer<typeof evaluatorSchema>;

export const evaluatorVersionSchema = z
  .object({
    ...versionFields,
    createdBy: z.string().describe('Id of who made it.'),
    createdAt: z.string().describe('When it was made, ISO 8601 UTC.'),
  })
  .meta({ id: 'EvaluatorVersion' });
export type EvaluatorVersion = z.infer<typeof evaluatorVersionSchema>;

const readyJudge = z
  .object({
    id: z.string().describe('Id, such as `correctness`.'),
    title: z.string().describe('Name for people.'),
    description: z.string().describe('What it judges.'),
    needs: z.array(z.enum(JUDGE_VARIABLES)).readonly().describe('What a sample must have.'),
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'user']).describe('Who says it.'),
          content: z.string().describe('The template.'),
        }),
      )
      .readonly()
      .describe('The whole template, to copy and change.'),
    output: z
      .object({
        type: z.enum(['numeric', 'boolean', 'category']).describe('Type of the score.'),
        min: z.number().nullable().describe('Least value; null for none.'),
        max: z.number().nullable().describe('Greatest value; null for none.'),
        categories: z
          .array(z.string())
          .readonly()
          .nullable()
          .describe('Words of a category; null for others.'),
        direction: z.enum(['higher', 'lower', 'none']).describe('Which values are good.'),
      })
      .describe('What it answers.'),
  })
  .meta({ id: 'ReadyJudge' });
export type ReadyJudge = z.infer<typeof readyJudge>;

const example = z
  .union(
    [
      z.strictObject({
        traceId: z.string().min(1).max(128).describe('Id of a stored trace.'),
        spanId: z.string().min(1).max(128).optional().describe('Id of a span of it. Default: the root.'),
        expected: z.unknown().optional().describe('Expected output, text or JSON.'),
        context: z.unknown().optional().describe('Context, text or JSON.'),
      }),
      z.strictObject({
        input: z.unknown().optional().describe('Input, text or JSON.'),
        output: z.unknown().optional().describe('Output, text or JSON.'),
        expected: z.unknown().optional().describe('Expected output, text or JSON.'),
        context: z.unknown().optional().describe('Context, text or JSON.'),
        latencyMs: z.number().min(0).optional().describe('Latency in milliseconds.'),
        costUsd: z.number().min(0).optional().describe('Cost in USD.'),
      }),
    ],
    { error: 'give a traceId, or input, output, expected, context, latencyMs and costUsd' },
  )
  .refine((given) => JSON.stringify(given).length <= MAX_EXAMPLE, {
    message: `must have at most ${MAX_EXAMPLE.toLocaleString('en-US')} characters`,
  });

export const judgementSchema = z
  .object({
    status: z
      .enum(['scored', 'skipped', 'failed'])
      .describe('`skipped`: the example lacks something. `failed`: the judge did not answer.'),
    value: z.union([z.number(), z.boolean(), z.string()]).nullable().describe('The score; null without one.'),
    reason: z.string().nullable().describe('Why; null if nothing is to say.'),
    costUsd: z.number().nullable().describe('Cost of the judge in USD; 0 without a model, null if unknown.'),
    eventId: z.string().nullable().describe("Event of the judge's call; null without one."),
    durationMs: z.number().describe('How long it took, in milliseconds.'),
  })
  .meta({ id: 'Judgement' });
export type JudgementReply = z.infer<typeof judgementSchema>;

export const agreementSchema = z
  .object({
    judge: z.string().describe('Id of the ready judge.'),
    model: z.string().describe('Model that judged.'),
    examples: z.int().describe('Labelled examples of the judge.'),
    failed: z.int().describe('Examples that the model did not judge.'),
    agreed: z.int().describe('Examples where model and label agree.'),
    kappa: z.number().nullable().describe("Cohen's kappa of the judged examples; null if it is not defined."),
    costUsd: z.number().nullable().describe('Cost in USD; null if one is unknown.'),
    differences: z
      .array(
        z.object({
          output: z.string().describe('The judged output.'),
          label: z.string().describe('What a person says.'),
          judged: z.string().describe('What the model says.'),
          reason: z.string().nullable().describe('Why, in the words of the model.'),
        }),
      )
      .describe('Examples where they differ.'),
  })
  .meta({ id: 'JudgeAgreement' });
export type Agreement = z.infer<typeof agreementSchema>;

const ofProject = { auth: 'project' } as const;
const params = z.object({ id: z.string().max(100).describe('Id of the evaluator.') });
const EXAMPLE = {
  name: 'Mentions a source',
  kind: 'regex',
  scoreName: 'cites_source',
  config: { pattern: 'https?://' },
};

export const listEvaluatorsEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/evaluators',
  summary: 'List evaluators, by name',
  query: projectQuery,
  reply: z.object({ evaluators: z.array(evaluatorSchema).describe('Evaluators by name; at most 200.') }),
});

export const judgeLibraryEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/evaluators/library',
  auth: 'session',
  summary: 'List the ready judges with their templates',
  reply: z.object({ judges: z.array(readyJudge).readonly().describe('Ready judges.') }),
});

export const getEvaluatorEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/evaluators/:id',
  summary: 'Get an evaluator with its versions',
  query: projectQuery,
  params,
  reply: evaluatorSchema.extend({
    versions: z.array(evaluatorVersionSchema).describe('Versions, newest first; at most 100.'),
  }),
});

export const postEvaluatorEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/evaluators',
  role: 'member',
  summary: 'Create an evaluator',
  query: projectQuery,
  body: evaluatorInput,
  example: EXAMPLE,
  reply: evaluatorSchema,
  status: 201,
});

export const putEvaluatorEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/evaluators/:id',
  role: 'member',
  summary: 'Change an evaluator; another kind, config, output or score name makes a version',
  query: projectQuery,
  params,
  body: evaluatorInput,
  example: { ...EXAMPLE, config: { pattern: '(https?://|doi:)' } },
  reply: evaluatorSchema,
});

export const deleteEvaluatorEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/evaluators/:id',
  role: 'member',
  summary: 'Delete an evaluator; its scores stay',
  query: projectQuery,
  params,
  status: 204,
});

export const testEvaluatorEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/evaluators/test',
  role: 'member',
  scopes: ['ai:use'],
  summary: 'Judge one example with an evaluator that need not be saved; nothing is scored',
  description:
    'A judge calls its model, which costs money; its call is an event of the project. A webhook is asked, for which you have to be an admin.',
  query: projectQuery,
  body: z.strictObject({
    evaluator: evaluatorInput.describe('The evaluator, as for `POST /v1/evaluators`.'),
    evaluatorId: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Id of a saved webhook whose link and secret are meant where they are given as they are shown.',
      ),
    example: example.describe('A pasted example, or a stored trace or span with its content.'),
  }),
  example: { evaluator: EXAMPLE, example: { output: 'See https://example.com/docs' } },
  reply: judgementSchema,
});

export const measureJudgeEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/evaluators/measure',
  role: 'member',
  scopes: ['ai:use'],
  summary: 'Measure how a ready judge with a model agrees with labelled examples',
  description: 'The model judges each example, which costs money; its calls are events of the project.',
  query: projectQuery,
  body: z.strictObject({
    judge: z.string().min(1).max(60).describe('Id of the ready judge, such as `correctness`.'),
    model: modelIdSchema.describe('Model as `<name>/<model>`; `GET /v1/models` lists them.'),
  }),
  example: { judge: 'tone', model: 'openai/gpt-4o' },
  reply: agreementSchema,
});
