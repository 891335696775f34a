import { z } from 'zod';
import { EVALUATOR_KINDS } from '../../core/evaluators/config/contract.ts';
import { textParam } from '../../core/events/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';
import { estimateBodySchema, MAX_REPORTED, newExperimentSchema, resultSchema } from './input/contract.ts';

export type { Evaluator, NewExperiment, Plan, ReportedResult, Task } from './input/contract.ts';

/** `open`: waits for reported results. `paused`: something must be changed before it goes on. */
export const EXPERIMENT_STATUSES = [
  'preparing',
  'running',
  'open',
  'paused',
  'completed',
  'cancelled',
] as const;
export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number];
/** `judging`: the output is there, its scores are not. */
export const RUN_STATES = ['waiting', 'judging', 'done', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

const orNull = (what: string) => z.string().nullable().describe(`${what}; null without one.`);
const usd = (what: string) => z.number().nullable().describe(`${what}, in USD; null if unknown.`);

const interval = {
  n: z.int().describe('Items with a value.'),
  mean: z.number().describe('Mean over items; repetitions of an item count as their mean.'),
  low: z.number().describe('Lower end of the 95 % interval.'),
  high: z.number().describe('Upper end of the 95 % interval.'),
};
export const metricSchema = z.object({
  name: z
    .string()
    .describe(
      'Name of the score, `NAME=CATEGORY` for the share of a category, or `cost` in USD per run, `latency` in ms, `failures` as a share.',
    ),
  kind: z.enum(['score', 'cost', 'latency', 'failures']).describe('What it measures.'),
  direction: z.enum(['higher', 'lower', 'none']).describe('Which values are good.'),
  ...interval,
});
export type Metric = z.infer<typeof metricSchema>;

export const comparedSchema = z.object({
  name: z.string().describe('Name of the metric.'),
  kind: metricSchema.shape.kind,
  baseline: z.number().nullable().describe('Mean of the baseline over the same items; null without pairs.'),
  difference: z
    .object(interval)
    .nullable()
    .describe('Mean difference to the baseline over items that both have; null without any.'),
  p: z
    .number()
    .describe(
      'Probability of a difference this large by chance (paired permutation test, Holm-corrected). A measure differs from 0.035 down, if `difference` leaves out 0.',
    ),
  wins: z.int().describe('Items that are better than in the baseline.'),
  losses: z.int().describe('Items that are worse.'),
  ties: z.int().describe('Items that are the same.'),
  verdict: z
    .enum(['better', 'worse', 'different', 'unclear'])
    .describe('`unclear`: the difference may be chance.'),
});
export type ComparedMetric = z.infer<typeof comparedSchema>;

const taskReply = z.object({
  kind: z.enum(['prompt', 'external']).describe('Where outputs come from.'),
  prompt: orNull('Name of the prompt'),
  version: z.int().nullable().describe('Version of the prompt; null without one.'),
  model: orNull('Model that was asked'),
});

const usedEvaluator = z.object({
  name: orNull('Name of the saved evaluator'),
  version: z.int().nullable().describe('Its version; null if it is not a saved one.'),
  scoreName: z.string().describe('Name of the score.'),
  kind: z.enum(EVALUATOR_KINDS).describe('How it judges.'),
});

export const experimentSchema = z
  .object({
    id: z.string().describe('Id.'),
    name: z.string().describe('Name.'),
    runId: orNull('Your own id'),
    datasetId: z.string().describe('Id of the dataset.'),
    datasetName: orNull('Name of the dataset, if it still exists'),
    datasetVersion: z.int().describe('Version of the dataset that it ran on.'),
    split: orNull('Split of the dataset'),
    task: taskReply.describe('Where outputs come from.'),
    evaluators: z.array(usedEvaluator).describe('How the server scores outputs.'),
    repetitions: z.int().describe('How often each item runs.'),
    concurrency: z.int().describe('Items that run at once.'),
    maxCostUsd: usd('Cost at which it pauses').describe('Cost at which it pauses, in USD; null without one.'),
    baselineId: orNull('Experiment it is compared with'),
    status: z.enum(EXPERIMENT_STATUSES).describe('`paused`: `error` says why.'),
    error: orNull('Why it is paused'),
    planned: z.int().describe('Results that it will have.'),
    createdBy: orNull('Name of the author'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    finishedAt: orNull('When it ended, ISO 8601 UTC'),
    metrics: z
      .array(metricSchema)
      .describe('Means when it ended; empty before. The experiment itself has them always.'),
  })
  .meta({ id: 'Experiment' });
export type Experiment = z.input<typeof experimentSchema>;

export const experimentDetailSchema = experimentSchema
  .extend({
    runs: z
      .object({
        waiting: z.int().describe('Not yet run.'),
        judging: z.int().describe('Run, but not yet scored.'),
        done: z.int().describe('Run and scored.'),
        failed: z.int().describe('Failed.'),
      })
      .describe('Number of runs by state.'),
    costUsd: z.number().describe('Known costs of tasks and evaluators together, in USD.'),
    taskCostUsd: z.number().describe('The part of the tasks, in USD.'),
    unpriced: z.int().describe('Runs and scores whose cost is unknown.'),
    evaluators: z
      .array(
        usedEvaluator.extend({
          config: z.record(z.string(), z.unknown()).describe('Settings of the kind.'),
          output: z
            .record(z.string(), z.unknown())
            .nullable()
            .describe('What a judge answers; null for other kinds.'),
        }),
      )
      .describe('How the server scores outputs.'),
    failedScores: z.int().describe('Scores that their evaluator could not give.'),
    comparison: z
      .object({
        id: z.string().describe('Id of the baseline.'),
        name: z.string().describe('Its name.'),
        datasetVersion: z.int().describe('Version of the dataset that it ran on.'),
        isSameDataset: z.boolean().describe('Whether both ran on the same dataset and version.'),
        metrics: z.array(comparedSchema).describe('Each metric that both have.'),
      })
      .nullable()
      .describe('Comparison with the baseline; null without one.'),
  })
  .meta({ id: 'ExperimentDetail' });
export type ExperimentDetail = z.input<typeof experimentDetailSchema>;

const scoreReply = z.object({
  name: z.string().describe('Name of the score.'),
  value: z
    .union([z.number(), z.string()])
    .nullable()
    .describe('A number, or the word of a category; null without a score.'),
  comment: orNull('Why it is so, or why there is none'),
  error: orNull('Why the evaluator failed'),
});
const runFields = {
  state: z.enum(RUN_STATES).describe('Where it stands.'),
  output: z.unknown().describe('What was answered: any JSON value.'),
  error: orNull('Why it failed'),
  traceId: orNull('Trace of its calls'),
  latencyMs: z.number().nullable().describe('How long it took, in milliseconds; null if unknown.'),
  costUsd: usd('What the task cost'),
  scores: z.array(scoreReply).describe('Scores by name.'),
};
export const runSchema = z
  .object({
    itemId: z.string().describe('Id of the item.'),
    no: z.int().describe('Position of the item in the dataset.'),
    repetition: z.int().describe('Which repetition, from 1.'),
    input: z.unknown().describe('Input of the item; null if the dataset is gone.'),
    expectedOutput: z.unknown().describe('Expected output of the item; null without one.'),
    ...runFields,
    baseline: z
      .object(runFields)
      .nullable()
      .describe('The same repetition of the item in the baseline; null without one.'),
  })
  .meta({ id: 'ExperimentRun' });
export type ExperimentRun = z.infer<typeof runSchema>;

const params = z.object({ id: z.string().max(100).describe('Id of the experiment.') });
const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` for the next page; null on the last one.');
const cursor = textParam(100).describe('`nextCursor` of the previous page; without one, the first page.');
const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(100)
  .default(50)
  .describe('Most entries in a page, 1 to 100. Default: 50.');
const read = { auth: 'project', scopes: ['read', 'experiments:run'] } as const;
const write = { auth: 'project', role: 'member', scopes: ['experiments:run'] } as const;
const baselineId = textParam(100).describe('Experiment to compare with. Default: its own baseline.');

const EXAMPLE_PLAN = {
  datasetId: 'Support questions',
  task: { kind: 'external' },
  evaluators: [
    { kind: 'exact', scoreName: 'accuracy' },
    { kind: 'numeric', scoreName: 'near', config: { tolerance: 0.5 } },
  ],
};

export const listExperimentsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/experiments',
  ...read,
  summary: 'List experiments, newest first',
  query: projectQuery.extend({
    datasetId: textParam(200).describe('Only experiments on this dataset.'),
    status: z.enum(EXPERIMENT_STATUSES).optional().describe('Only experiments with this status.'),
    cursor,
    limit,
  }),
  reply: z.object({
    experiments: z.array(experimentSchema).describe('Experiments, newest first.'),
    nextCursor,
  }),
});

const unusable = z
  .object({
    items: z.int().describe('How many of them.'),
    of: z.int().describe('Items that were looked at: the first ones.'),
    reason: z.string().describe('What the first of them lacks, and how to mend it.'),
  })
  .nullable()
  .describe(
    'Items that lack variables of the prompt: their runs fail without a call. Null for none, and for an experiment that was there before. If none can be used, the request is refused.',
  );

export const createExperimentEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/experiments',
  ...write,
  summary: 'Create an experiment; one with a prompt starts at once',
  description:
    'Each run is stored before and after its calls, so an experiment goes on after a crash of the server: what was answered is not asked again. A call that was under way is sent again with the same `Idempotency-Key`; a provider that knows such keys charges it once, another may charge it twice, and the cut call stays in the books as one of unknown outcome.',
  query: projectQuery,
  body: newExperimentSchema,
  example: { name: 'Cheaper model', ...EXAMPLE_PLAN, runId: 'ci-4711' },
  reply: experimentSchema.extend({ unusable }),
  status: 201,
});

export const estimateExperimentEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/experiments/estimate',
  ...write,
  summary: 'What an experiment would cost, from a sample of its items; nothing is called',
  query: projectQuery,
  body: estimateBodySchema,
  example: EXAMPLE_PLAN,
  reply: z.object({
    items: z.int().describe('Items of the version and split.'),
    runs: z.int().describe('Items times repetitions.'),
    calls: z.int().describe('Calls of models, those of judges among them.'),
    expectedUsd: usd('Expected cost'),
    maxUsd: usd('Most that it can cost'),
    unusable,
  }),
});

export const getExperimentEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/experiments/:id',
  ...read,
  summary: 'Read an experiment with its means, intervals and the comparison with a baseline',
  query: projectQuery.extend({ baselineId }),
  params,
  reply: experimentDetailSchema,
});

export const listRunsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/experiments/:id/items',
  ...read,
  summary: 'List the results of an experiment item by item, beside those of the baseline',
  query: projectQuery.extend({
    baselineId,
    only: z
      .enum(['failed', 'better', 'worse', 'same'])
      .optional()
      .describe('Only failed runs, or those whose `metric` is better, worse or the same as in the baseline.'),
    metric: textParam(200).describe('Score that `only` compares, or `NAME=CATEGORY`.'),
    cursor,
    limit,
  }),
  params,
  reply: z.object({ items: z.array(runSchema).describe('Results in the order of the dataset.'), nextCursor }),
});

export const reportResultsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/experiments/:id/items',
  ...write,
  summary: 'Report results of an external experiment; a repetition of a request changes nothing',
  description: `Up to ${MAX_REPORTED} results. A result of a known item and repetition replaces the one before.`,
  query: projectQuery,
  params,
  body: z.strictObject({
    items: z.array(resultSchema).min(1).max(MAX_REPORTED).describe(`Results, 1 to ${MAX_REPORTED}.`),
  }),
  example: {
    items: [
      {
        itemId: 'q-1',
        output: '4',
        latencyMs: 210,
        costUsd: 0.0002,
        scores: [{ name: 'accuracy', value: true }],
      },
    ],
  },
  reply: z.object({ stored: z.int().describe('Results that were stored.') }),
});

const change = (verb: string, summary: string) =>
  ({ method: 'POST', path: `/v1/experiments/:id/${verb}`, ...write, summary }) as const;

export const finishExperimentEndpoint = defineEndpoint({
  ...change('finish', 'End an external experiment: all results were reported'),
  path: '/v1/experiments/:id/finish',
  query: projectQuery,
  params,
  reply: experimentSchema,
});

export const cancelExperimentEndpoint = defineEndpoint({
  ...change('cancel', 'Cancel an experiment; calls that run are ended, results stay'),
  path: '/v1/experiments/:id/cancel',
  query: projectQuery,
  params,
  reply: experimentSchema,
});

export const resumeExperimentEndpoint = defineEndpoint({
  ...change('resume', 'Go on with a paused or cancelled experiment, or run failed items again'),
  path: '/v1/experiments/:id/resume',
  query: projectQuery,
  params,
  body: z.strictObject({
    retryFailed: z
      .boolean()
      .default(false)
      .describe('Whether failed runs and scores are run again. Default: false.'),
    maxCostUsd: z
      .number()
      .gt(0)
      .max(1e6)
      .optional()
      .describe('New cost at which it pauses, in USD. Default: as before.'),
  }),
  example: { retryFailed: true },
  reply: experimentSchema,
});

export const deleteExperimentEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/experiments/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete an experiment with its results; its calls stay in the books',
  query: projectQuery,
  params,
  status: 204,
});
