import { z } from 'zod';
import { EVALUATOR_KINDS, inlineEvaluator } from '../../../core/evaluators/config/contract.ts';
import { modelConfigSchema, modelIdSchema } from '../../../core/models/contract.ts';
import { scoreName, scoreValue } from '../../../core/scores/values/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';

export const MAX_EVALUATORS = 10;
export const MAX_REPETITIONS = 10;
export const MAX_CONCURRENCY = 16;
/** Most results that one request reports. */
export const MAX_REPORTED = 100;
/** Most characters of an output; a longer one is cut. */
export const MAX_OUTPUT = 20_000;

const saved = z.strictObject({
  kind: z.literal('saved').describe('A saved evaluator; the version stays as it is now.'),
  name: z.string().min(1).max(100).describe('Name or id of the evaluator.'),
  version: z.int().min(1).max(1e9).optional().describe('Number of its version. Default: the newest.'),
});

/** How outputs are scored: a saved evaluator, or one that is written here. */
export const evaluatorSchema = z.discriminatedUnion('kind', [saved, inlineEvaluator], {
  error: `must be saved, or one of ${EVALUATOR_KINDS.join(', ')}`,
});
export type Evaluator = z.output<typeof evaluatorSchema>;

export const taskSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('prompt').describe('The server fills a prompt with each item and asks a model.'),
    prompt: z.string().min(1).max(200).describe('Name of the prompt.'),
    version: z
      .int()
      .min(1)
      .max(1e9)
      .optional()
      .describe('Number of its version. Default: what `label` names.'),
    label: z.string().min(1).max(100).optional().describe('Label of its version. Default: `production`.'),
    model: modelIdSchema
      .optional()
      .describe('Model to ask; `GET /v1/models` lists them. Default: the one of the prompt.'),
    config: modelConfigSchema
      .omit({ model: true })
      .optional()
      .describe('How the model is asked. Default: as the prompt says.'),
  }),
  z.strictObject({
    kind: z.literal('external').describe('Your own program gets the outputs and reports them.'),
  }),
]);
export type Task = z.output<typeof taskSchema>;

const plan = {
  datasetId: z.string().min(1).max(200).describe('Id or name of the dataset.'),
  version: z.int().min(1).max(1e9).optional().describe('Version of the dataset. Default: the newest.'),
  split: lineOfText(50).optional().describe('Only items of this split. Default: all.'),
  task: taskSchema.describe('Where the outputs come from.'),
  evaluators: z
    .array(evaluatorSchema)
    .max(MAX_EVALUATORS)
    .default([])
    .describe(`How the server scores the outputs, up to ${MAX_EVALUATORS}. Default: none.`),
  repetitions: z
    .int()
    .min(1)
    .max(MAX_REPETITIONS)
    .default(1)
    .describe(`How often each item runs, 1 to ${MAX_REPETITIONS}. Default: 1.`),
};

export const estimateBodySchema = z.strictObject(plan);
export type Plan = z.output<typeof estimateBodySchema>;

export const newExperimentSchema = z.strictObject({
  name: lineOfText(200).describe('Name, up to 200 characters.'),
  ...plan,
  concurrency: z
    .int()
    .min(1)
    .max(MAX_CONCURRENCY)
    .default(4)
    .describe(`Items that run at once, 1 to ${MAX_CONCURRENCY}. Default: 4.`),
  maxCostUsd: z
    .number()
    .gt(0)
    .max(1e6)
    .optional()
    .describe('The experiment pauses before it costs more, in USD. Default: only the monthly cap holds.'),
  baselineId: z.string().min(1).max(100).optional().describe('Experiment to compare with. Default: none.'),
  runId: lineOfText(100)
    .optional()
    .describe(
      'Your own id, such as that of a CI job: a request with a known one answers with that experiment.',
    ),
});
export type NewExperiment = z.output<typeof newExperimentSchema>;
/** The same as it is sent: what has a default may be left out. */
export type NewExperimentBody = z.input<typeof newExperimentSchema>;

/** What a program reports of an item. */
export const resultSchema = z.strictObject({
  itemId: z.string().min(1).max(200).describe('Id of the item.'),
  repetition: z.int().min(1).max(MAX_REPETITIONS).default(1).describe('Which repetition. Default: 1.'),
  output: z.unknown().optional().describe('What the program answered: any JSON value. Default: null.'),
  error: z.string().max(2_000).optional().describe('Why it failed. Default: it did not.'),
  latencyMs: z.number().min(0).max(1e9).optional().describe('How long it took, in milliseconds.'),
  costUsd: z
    .number()
    .min(0)
    .max(1e6)
    .optional()
    .describe('What it cost, in USD. Default: what the calls of the trace cost.'),
  traceId: z.string().max(128).optional().describe('Trace of the run.'),
  scores: z
    .array(
      z.strictObject({
        name: scoreName.describe('Name of the score.'),
        value: scoreValue.describe('A number, true for 1 and false for 0, or the word of a category.'),
        comment: z.string().max(2_000).optional().describe('Why.'),
      }),
    )
    .max(20)
    .default([])
    .describe('Own scores of the output, up to 20. Default: none.'),
});
export type ReportedResult = z.output<typeof resultSchema>;
