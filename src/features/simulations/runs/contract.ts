import { z } from 'zod';
import { textParam } from '../../../core/events/contract.ts';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import { LIMITS, OUTCOMES } from '../../../lib/simulations/definition.ts';

/** `paused`: something must be changed before it goes on. */
export const RUN_STATUSES = ['running', 'paused', 'completed', 'cancelled'] as const;
export const CONVERSATION_STATES = ['waiting', 'running', 'done'] as const;

const orNull = (what: string) => z.string().nullable().describe(`${what}; null without one.`);
const usd = (what: string) => z.number().describe(`${what}, in USD.`);

const share = {
  n: z.int().describe('Number of values.'),
  mean: z.number().describe('Mean.'),
  low: z.number().describe('Lower end of the 95 % interval.'),
  high: z.number().describe('Upper end of the 95 % interval.'),
};
const passRate = z
  .object(share)
  .nullable()
  .describe(
    'Share of passed conversations (Wilson interval, repetitions of a scenario counted as alike as they are); null before the first ended.',
  );

export const metricSchema = z.object({
  name: z
    .enum(['passRate', 'cost', 'latency', 'flaky'])
    .describe(
      '`passRate`: share of conversations. `cost`: USD per conversation. `latency`: ms per answer. `flaky`: share of scenarios that pass and fail.',
    ),
  kind: z.enum(['score', 'cost', 'latency']).describe('What it measures.'),
  direction: z.enum(['higher', 'lower']).describe('Which values are good.'),
  ...share,
});
export type Metric = z.infer<typeof metricSchema>;

const comparedSchema = z.object({
  name: metricSchema.shape.name,
  kind: metricSchema.shape.kind,
  baseline: z.number().nullable().describe('Mean of the last run over the same scenarios; null without any.'),
  difference: z
    .object(share)
    .nullable()
    .describe('Mean difference over scenarios that both have; null without any.'),
  p: z
    .number()
    .describe('Probability of a difference this large by chance (paired permutation test, Holm-corrected).'),
  wins: z.int().describe('Scenarios that are better than in the last run.'),
  losses: z.int().describe('Scenarios that are worse.'),
  ties: z.int().describe('Scenarios that are the same.'),
  verdict: z
    .enum(['better', 'worse', 'different', 'unclear'])
    .describe('`unclear`: the difference may be chance.'),
});
export type ComparedMetric = z.infer<typeof comparedSchema>;

const counts = {
  waiting: z.int().describe('Not yet begun.'),
  running: z.int().describe('Under way.'),
  passed: z.int().describe('Passed.'),
  failed: z.int().describe('Failed.'),
  lost: z
    .int()
    .describe('A crash lost an answer, and the message must not be sent twice. Not part of the pass rate.'),
};

export const simulationRunSchema = z
  .object({
    id: z.string().describe('Id.'),
    simulationId: z.string().describe('Id of the suite.'),
    version: z.int().describe('Version of the suite.'),
    runId: orNull('Your own id'),
    seed: z.int().describe('Seed of attacks and variants.'),
    concurrency: z.int().describe('Conversations at a time.'),
    maxCostUsd: z.number().nullable().describe('Cost at which it pauses, in USD; null without one.'),
    baselineId: orNull('The last completed run of the suite before this one'),
    status: z.enum(RUN_STATUSES).describe('`paused`: `error` says why.'),
    error: orNull('Why it is paused'),
    planned: z.int().describe('Conversations that it has.'),
    createdBy: orNull('Name of the author'),
    createdAt: z.string().describe('When it began, ISO 8601 UTC.'),
    finishedAt: orNull('When it ended, ISO 8601 UTC'),
    metrics: z.array(metricSchema).describe('Figures when it ended; the run itself has them always.'),
  })
  .meta({ id: 'SimulationRun' });
export type SimulationRun = z.input<typeof simulationRunSchema>;

const scenarioResult = z.object({
  scenario: z.string().describe('Name of the scenario.'),
  planned: z.int().describe('Repetitions.'),
  passed: z.int().describe('Repetitions that passed.'),
  failed: z.int().describe('Repetitions that failed.'),
  lost: z.int().describe('Repetitions without an outcome.'),
  passRate,
  isFlaky: z.boolean().describe('Some repetitions passed and others failed.'),
  latencyMs: z.number().nullable().describe('Mean time of an answer, in ms; null without one.'),
  costUsd: usd('Known cost of its conversations'),
  failure: orNull('The first reason of a failure'),
  change: z
    .enum(['new', 'fixed', 'broken', 'better', 'worse', 'same'])
    .nullable()
    .describe(
      'Against the last run: `broken` passed always before, `fixed` failed at least once and passes always now; null without a last run.',
    ),
});
export type ScenarioResult = z.infer<typeof scenarioResult>;

export const simulationRunDetailSchema = simulationRunSchema
  .extend({
    simulationName: z.string().describe('Name of the suite.'),
    counts: z.object(counts).describe('Conversations by state.'),
    passRate,
    costUsd: usd('Known cost: targets, played users and judges'),
    targetCostUsd: usd('The part of the targets'),
    unknownCosts: z.int().describe('Answers and calls whose cost is not known.'),
    scenarios: z.array(scenarioResult).describe('In the order of the suite.'),
    comparison: z
      .object({
        id: z.string().describe('Id of the last run.'),
        version: z.int().describe('Version of the suite that it ran.'),
        metrics: z.array(comparedSchema).describe('Each figure that both have.'),
      })
      .nullable()
      .describe('Comparison with the last run; null without one.'),
  })
  .meta({ id: 'SimulationRunDetail' });
export type SimulationRunDetail = z.input<typeof simulationRunDetailSchema>;

const verdict = z.object({
  check: z.string().describe('The check in words.'),
  passed: z.boolean().describe('Whether it passed.'),
  reason: orNull('Why'),
});
const conversation = {
  no: z.int().describe('Number in the run, from 1.'),
  scenario: z.string().describe('Name of the scenario.'),
  repetition: z.int().describe('Which repetition, from 1.'),
  state: z.enum(CONVERSATION_STATES).describe('Where it stands.'),
  outcome: z.enum(OUTCOMES).nullable().describe('How it ended; null before.'),
  failure: orNull('The first reason why it failed'),
  turns: z.int().describe('Messages that were answered.'),
  latencyMs: z.number().nullable().describe('Of all answers together, in ms; null before the end.'),
  costUsd: z.number().nullable().describe('Known cost, in USD; null before the end.'),
};
export const conversationSchema = z.object(conversation).meta({ id: 'SimulatedConversation' });
export type SimulatedConversation = z.infer<typeof conversationSchema>;

export const transcriptSchema = z
  .object({
    ...conversation,
    criteria: z.array(verdict).describe('What was judged at the end.'),
    transcript: z
      .array(
        z.object({
          turn: z.int().describe('Number, from 1.'),
          user: z.string().describe('Message of the user.'),
          answer: z.string().nullable().describe('What the target answered; null if that is not known.'),
          toolCalls: z
            .array(
              z.object({
                name: z.string().describe('Name of the tool.'),
                arguments: z.unknown().describe('Arguments.'),
                id: z.string().optional().describe('Id of the call.'),
                result: z.string().optional().describe('What the target was told.'),
              }),
            )
            .describe('Tools that it called.'),
          latencyMs: z.number().nullable().describe('Time of the answer, in ms; null if unknown.'),
          costUsd: z.number().nullable().describe('Cost of the answer, in USD; null if unknown.'),
          traceId: orNull('Trace of the target'),
          isTraceStored: z.boolean().describe('Whether this project has the trace.'),
          error: orNull('Why there is no answer'),
          verdicts: z.array(verdict).describe('Checks of the answer.'),
        }),
      )
      .describe('Messages and answers.'),
  })
  .meta({ id: 'SimulationTranscript' });
export type SimulationTranscript = z.infer<typeof transcriptSchema>;

export const newRunSchema = z.strictObject({
  version: z.int().min(1).max(1e9).optional().describe('Version of the suite. Default: the newest.'),
  only: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(LIMITS.scenarios)
    .optional()
    .describe('Names of the scenarios. Default: all.'),
  repetitions: z.int().min(1).max(LIMITS.repetitions).optional().describe('Default: as the suite says.'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .describe('Default: as the suite says.'),
  concurrency: z.int().min(1).max(LIMITS.concurrency).optional().describe('Default: as the suite says.'),
  maxCostUsd: z
    .number()
    .gt(0)
    .max(1e6)
    .optional()
    .describe('Cost at which it pauses, in USD. Default: as the suite says.'),
  runId: lineOfText(100)
    .optional()
    .describe('Your own id, such as that of a CI job: a request with a known one answers with that run.'),
});
export type NewRun = z.output<typeof newRunSchema>;

const runParams = z.object({ run: z.string().max(100).describe('Id of the run.') });
const suiteParams = z.object({ id: z.string().max(100).describe('Id of the suite.') });
const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` for the next page; null on the last one.');
const page = {
  cursor: textParam(100).describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe('Most entries in a page, 1 to 100. Default: 50.'),
};
const read = { auth: 'project', scopes: ['read', 'experiments:run'], query: projectQuery } as const;
const write = { auth: 'project', role: 'member', scopes: ['experiments:run'], query: projectQuery } as const;

export const startRunEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/simulations/:id/runs',
  ...write,
  summary: 'Run a suite',
  description:
    'Each message is stored before it is sent, so a run goes on after a crash of the server without sending one twice: a message whose answer was lost is sent again with the same `Idempotency-Key` only to a model, or to a target that is `idempotent`; otherwise its conversation is `lost`.',
  params: suiteParams,
  body: newRunSchema,
  example: { runId: 'ci-4711', repetitions: 3 },
  reply: simulationRunSchema,
  status: 201,
});

export const listRunsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/:id/runs',
  ...read,
  summary: 'List the runs of a suite, newest first',
  params: suiteParams,
  query: projectQuery.extend(page),
  reply: z.object({ runs: z.array(simulationRunSchema).describe('Runs, newest first.'), nextCursor }),
});

export const getRunEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/runs/:run',
  ...read,
  summary: 'Read a run: progress, pass rates with intervals, and what changed since the last run',
  params: runParams,
  reply: simulationRunDetailSchema,
});

export const listConversationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/runs/:run/conversations',
  ...read,
  summary: 'List the conversations of a run',
  params: runParams,
  query: projectQuery.extend({
    outcome: z.enum(OUTCOMES).optional().describe('Only conversations that ended so.'),
    scenario: textParam(200).describe('Only conversations of this scenario.'),
    ...page,
  }),
  reply: z.object({
    conversations: z.array(conversationSchema).describe('Conversations in their order.'),
    nextCursor,
  }),
});

export const getConversationEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/simulations/runs/:run/conversations/:no',
  ...read,
  summary: 'Read a conversation with its messages, answers and verdicts',
  params: runParams.extend({
    no: z.coerce.number().int().min(1).max(1e9).describe('Its number.'),
  }),
  reply: transcriptSchema,
});

export const cancelRunEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/simulations/runs/:run/cancel',
  ...write,
  summary: 'Cancel a run; what has ended stays',
  params: runParams,
  reply: simulationRunSchema,
});

export const resumeRunEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/simulations/runs/:run/resume',
  ...write,
  summary: 'Go on with a paused or cancelled run, or have lost conversations again',
  params: runParams,
  body: z.strictObject({
    retryLost: z
      .boolean()
      .default(false)
      .describe('Whether lost conversations are had again from their start. Default: false.'),
    maxCostUsd: z
      .number()
      .gt(0)
      .max(1e6)
      .optional()
      .describe('New cost at which it pauses, in USD. Default: as before.'),
  }),
  example: { retryLost: true },
  reply: simulationRunSchema,
});

export const deleteRunEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/simulations/runs/:run',
  auth: 'project',
  role: 'member',
  summary: 'Delete a run with its transcripts; calls of models stay in the books',
  query: projectQuery,
  params: runParams,
  status: 204,
});
