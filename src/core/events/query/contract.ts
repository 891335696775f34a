import { z } from 'zod';
import { nearest } from '../../../lib/nearest.ts';
import { PRESETS, type Preset } from '../../../lib/ranges/presets.ts';
import { isScoreMeasure } from '../../../lib/scores/score-measures.ts';
import { BUCKET_LENGTHS, type BucketName } from '../../../lib/time-buckets.ts';
import { isTimeZone } from '../../../lib/time-zone.ts';
import { instantParam } from '../contract.ts';
import { filterText } from '../filter/contract.ts';
import { compared, histogramSchema, matrixSchema } from './figures/contract.ts';

/** Units of measures. */
export const UNITS = [
  'usd',
  'calls',
  'checks',
  'tokens',
  'ms',
  'fraction',
  'tokens/s',
  'calls/min',
  'score',
  'scores',
  'runs',
] as const;
export type Unit = (typeof UNITS)[number];
type MeasureDoc = { readonly unit: Unit; readonly doc: string };

const percentiles = (what: string): Record<`P${50 | 90 | 95 | 99}`, MeasureDoc> => ({
  P50: { unit: 'ms', doc: `Median of the ${what}.` },
  P90: { unit: 'ms', doc: `90th percentile of the ${what}.` },
  P95: { unit: 'ms', doc: `95th percentile of the ${what}.` },
  P99: { unit: 'ms', doc: `99th percentile of the ${what}.` },
});
const latency = percentiles('latency');
const ttft = percentiles('time to first token');

/** What can be measured of calls. */
export const METRIC_MEASURES = {
  cost: { unit: 'usd', doc: 'Cost of the calls that have a price.' },
  costAvg: { unit: 'usd', doc: 'Mean cost per call that has a price.' },
  requests: { unit: 'calls', doc: 'Calls.' },
  throughput: { unit: 'calls/min', doc: 'Calls per minute, over the time that has passed.' },
  successes: { unit: 'calls', doc: 'Calls that did not fail; cancelled ones are among them.' },
  errors: { unit: 'calls', doc: 'Calls that ended in error, timeout or rate_limited.' },
  errorRate: { unit: 'fraction', doc: 'Fraction of calls that failed.' },
  timeouts: { unit: 'calls', doc: 'Calls that timed out.' },
  timeoutRate: { unit: 'fraction', doc: 'Fraction of calls that timed out.' },
  rateLimited: { unit: 'calls', doc: 'Calls that met a rate limit.' },
  rateLimitedRate: { unit: 'fraction', doc: 'Fraction of calls that met a rate limit.' },
  cancelled: { unit: 'calls', doc: 'Calls that were cancelled; they are not failures.' },
  unpriced: { unit: 'calls', doc: 'Calls without a known price; no cost includes them.' },
  unpricedInputTokens: { unit: 'tokens', doc: 'Input tokens of calls without a known price.' },
  unpricedOutputTokens: { unit: 'tokens', doc: 'Output tokens of calls without a known price.' },
  tokens: { unit: 'tokens', doc: 'Input and output tokens.' },
  inputTokens: { unit: 'tokens', doc: 'Input tokens, cached ones included.' },
  inputTokensAvg: { unit: 'tokens', doc: 'Mean input tokens per call.' },
  freshTokens: { unit: 'tokens', doc: 'Input tokens that no cache served.' },
  cacheReadTokens: { unit: 'tokens', doc: 'Input tokens read from a prompt cache.' },
  cacheWriteTokens: { unit: 'tokens', doc: 'Input tokens written to a prompt cache.' },
  cacheRate: { unit: 'fraction', doc: 'Fraction of input tokens read from a prompt cache.' },
  outputTokens: { unit: 'tokens', doc: 'Output tokens, reasoning included.' },
  outputTokensAvg: { unit: 'tokens', doc: 'Mean output tokens per call.' },
  reasoningTokens: { unit: 'tokens', doc: 'Reasoning tokens.' },
  tokensPerSec: { unit: 'tokens/s', doc: 'Output tokens per second of generation.' },
  latencyCount: { unit: 'calls', doc: 'Calls that have a latency.' },
  latencyAvg: { unit: 'ms', doc: 'Mean latency.' },
  latencyP50: latency.P50,
  latencyP90: latency.P90,
  latencyP95: latency.P95,
  latencyP99: latency.P99,
  ttftAvg: { unit: 'ms', doc: 'Mean time to first token of streamed calls.' },
  ttftP50: ttft.P50,
  ttftP90: ttft.P90,
  ttftP95: ttft.P95,
  ttftP99: ttft.P99,
  guardrailChecks: {
    unit: 'checks',
    doc: 'Checks of texts by guardrails, one for each guardrail that looked.',
  },
  guardrailFlags: { unit: 'checks', doc: 'Texts that a guardrail flagged.' },
  guardrailRedactions: { unit: 'checks', doc: 'Texts that a guardrail redacted.' },
  guardrailBlocks: { unit: 'checks', doc: 'Texts that a guardrail blocked.' },
  guardrailBlockRate: { unit: 'fraction', doc: 'Fraction of checks that blocked the text.' },
} as const satisfies Record<string, MeasureDoc>;
/**
 * What can be measured of the runs of agents; not together with measures of calls. A run is a trace with its outermost
 * agent; it begins with the span that stands for it, and costs what all calls of models in it cost. A run whose calls are
 * all unpriced has no known cost and is left out of means and percentiles.
 */
export const RUN_MEASURES = {
  runs: { unit: 'runs', doc: 'Runs: traces that an agent began.' },
  failedRuns: { unit: 'runs', doc: 'Runs whose first span failed.' },
  runErrorRate: { unit: 'fraction', doc: 'Fraction of runs that failed.' },
  runCost: { unit: 'usd', doc: 'Cost of all calls of models in the runs.' },
  runCostAvg: { unit: 'usd', doc: 'Mean cost of a run.' },
  runCostP50: { unit: 'usd', doc: 'Median cost of a run.' },
  runCostP95: { unit: 'usd', doc: '95th percentile of the cost of a run.' },
  runCostPerSuccess: { unit: 'usd', doc: 'Cost of all runs per run that did not fail.' },
  runLatencyAvg: { unit: 'ms', doc: 'Mean latency of a run.' },
  runLatencyP95: { unit: 'ms', doc: '95th percentile of the latency of a run.' },
} as const satisfies Record<string, MeasureDoc>;
export type RunMeasure = keyof typeof RUN_MEASURES;
/** What can be measured of calls and runs. */
export type EventMeasure = MetricMeasure | RunMeasure;
export const isRunMeasure = (name: string): name is RunMeasure => Object.hasOwn(RUN_MEASURES, name);

export type MetricMeasure = keyof typeof METRIC_MEASURES;
export const MEASURE_NAMES = Object.keys(METRIC_MEASURES) as [MetricMeasure, ...MetricMeasure[]];
/** Names of all measures but those of scores. */
export const EVENT_MEASURES: readonly [EventMeasure, ...EventMeasure[]] = [
  ...MEASURE_NAMES,
  ...(Object.keys(RUN_MEASURES) as RunMeasure[]),
];

/** What calls can be split by, besides `tag:NAME`. */
export const METRIC_DIMENSIONS = {
  model: 'Model',
  provider: 'Provider',
  environment: 'Environment',
  release: 'Release',
  agent: 'Agent',
  agentVersion: 'Agent version',
  tool: 'Tool',
  promptName: 'Prompt',
  promptVersion: 'Prompt version',
  userId: 'User',
  sessionId: 'Session',
  keyId: 'API key',
  status: 'Status',
  errorCode: 'Error code',
  finishReason: 'Finish reason',
  kind: 'Kind',
  operation: 'Operation',
} as const;
const DIMENSION_NAMES = Object.keys(METRIC_DIMENSIONS) as [
  keyof typeof METRIC_DIMENSIONS,
  ...(keyof typeof METRIC_DIMENSIONS)[],
];

export const BUCKET_NAMES = Object.keys(BUCKET_LENGTHS) as [BucketName, ...BucketName[]];
const PRESET_NAMES = Object.keys(PRESETS) as [Preset, ...Preset[]];

/** The parameter `timeZone`. */
const timeZoneParam = z
  .string()
  .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')
  .describe('Time zone of days, weeks and ranges by name, such as `Europe/Berlin`. Default: `UTC`.');

/** A dimension: one of `METRIC_DIMENSIONS`, or `tag:` and the name of a tag. */
export const metricDimension = z
  .union([z.enum(DIMENSION_NAMES), z.templateLiteral(['tag:', z.string()])], {
    error: `must be one of ${DIMENSION_NAMES.join(', ')} or tag:NAME`,
  })
  .refine(
    (text) => !text.startsWith('tag:') || (text.length > 'tag:'.length && text.length <= 'tag:'.length + 200),
    {
      error: 'the name of a tag has 1 to 200 characters',
    },
  );
export type MetricDimension = z.output<typeof metricDimension>;

export { isScoreMeasure, type ScoreMeasure } from '../../../lib/scores/score-measures.ts';

const scoreMeasures = [
  z.templateLiteral(['score:', z.string()]),
  z.templateLiteral(['scoreCount:', z.string()]),
] as const;
/** One of some measures of calls, or a measure of scores; another name is refused with the most similar one. */
export const oneOfMeasures = <Name extends EventMeasure>(names: readonly [Name, ...Name[]]) =>
  z
    .union([z.enum(names), ...scoreMeasures], {
      error: ({ input }) => {
        const given = typeof input === 'string' ? input : JSON.stringify(input);
        const similar = typeof input === 'string' ? nearest(input, names) : undefined;
        return `there is no measure ${given?.slice(0, 40)}; ${similar === undefined ? '' : `did you mean ${similar}? `}The API reference lists all ${names.length} (/docs, MetricsQuery)`;
      },
    })
    .refine((name) => !name.startsWith('score') || isScoreMeasure(name), {
      error:
        'a measure of scores is score:NAME, score:NAME=CATEGORY, scoreCount:NAME or scoreCount:NAME=CATEGORY',
    });
export const metricMeasure = oneOfMeasures(EVENT_MEASURES);

const MAX_MEASURES = 10;
const MAX_GROUPS = 500;

/** Most values of each dimension in a matrix. */
const MAX_SIDE = 20;

/** A query of figures: the body of `POST /v1/metrics/query`, and what dashboards and alerts keep. */
export const metricsDocumentSchema = z
  .strictObject({
    measures: z
      .array(metricMeasure)
      .min(1)
      .max(MAX_MEASURES)
      .describe(
        'What to measure, 1 to 10 names; `score:NAME` and `scoreCount:NAME` are measures of scores. `runs` and those that begin with `run` are of the runs of agents, without measures of calls.',
      ),
    groupBy: z
      .array(metricDimension)
      .max(2)
      .default([])
      .describe('Up to two dimensions; `tag:NAME` is a tag. Without any, only the total is returned.'),
    filter: filterText.default(''),
    range: z
      .enum(PRESET_NAMES)
      .optional()
      .describe('Window by name, in `timeZone`, instead of `start` and `end`. Default: `30d`.'),
    start: instantParam.describe('Start, ISO 8601 UTC, inclusive.'),
    end: instantParam.describe('End, ISO 8601 UTC, inclusive. Default: now.'),
    bucket: z
      .enum(['auto', ...BUCKET_NAMES])
      .optional()
      .describe(
        'Length of a step of `series`: minutes, hours, days or weeks, which start on Mondays; `auto` chooses one by the length of the window. Without it, there are no series. A day of a time zone may have 23 or 25 hours.',
      ),
    timeZone: timeZoneParam.default('UTC'),
    orderBy: z
      .strictObject({
        measure: metricMeasure.describe('Measure, which need not be among `measures`.'),
        direction: z
          .enum(['desc', 'asc'])
          .default('desc')
          .describe('Highest or lowest first. Default: `desc`.'),
      })
      .optional()
      .describe('Order of the groups. Default: the first measure, highest first.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_GROUPS)
      .default(20)
      .describe('Groups of their own, 1 to 500; all others are summed up. Default: 20.'),
    compare: z
      .enum(['previous'])
      .optional()
      .describe('`previous` adds the same figures of the window of equal length just before.'),
    histogram: z
      .enum(['latency', 'ttft'])
      .optional()
      .describe(
        'Adds `histogram`: how many calls took how long, by latency or, for streamed calls, time to first token; with `bucket` also in each step.',
      ),
    matrix: z
      .int()
      .min(1)
      .max(MAX_SIDE)
      .optional()
      .describe(
        'With two dimensions: adds `matrix`, a table of the first 1 to 20 values of each by `orderBy`, and all other values of each together.',
      ),
  })
  .refine(({ start, end }) => start === undefined || end === undefined || start <= end, {
    path: ['start'],
    message: 'must not be after end',
  })
  .refine(({ range, start, end }) => range === undefined || (start ?? end) === undefined, {
    path: ['range'],
    message: 'give either range or start and end',
  })
  .refine(({ groupBy: [first, second] }) => first === undefined || first !== second, {
    path: ['groupBy'],
    message: 'must not name a dimension twice',
  })
  .refine(({ groupBy, matrix }) => matrix === undefined || groupBy.length === 2, {
    path: ['matrix'],
    message: 'needs two dimensions in groupBy',
  })
  .meta({ id: 'MetricsQuery' });
/** As it is sent and kept: dates are text, defaults are left out. */
export type MetricsDocument = z.input<typeof metricsDocumentSchema>;
/** As it is run. */
export type ParsedMetricsDocument = z.output<typeof metricsDocumentSchema>;
/** One that asks for calls or runs, without scores. */
export type EventsDocument = Omit<ParsedMetricsDocument, 'measures' | 'orderBy'> & {
  readonly measures: readonly EventMeasure[];
  readonly orderBy?: { readonly measure: EventMeasure; readonly direction: 'asc' | 'desc' } | undefined;
};

/** Part of a reply with figures. */
export const deletedBeforeField = z
  .string()
  .optional()
  .describe(
    'Present if calls of the window, or of another time that the reply compares it with, are in no figure that needs single calls, because retention has deleted them: all calls before this time, ISO 8601 UTC. Figures by model, provider, environment, error, status and kind keep them.',
  );

/** Part of a reply with figures of sums. */
export const countedWholeField = z
  .array(
    z.object({
      start: z.string().describe('Start of the hour or day, ISO 8601 UTC, inclusive.'),
      end: z.string().describe('End of the hour or day, ISO 8601 UTC, inclusive.'),
    }),
  )
  .optional()
  .describe(
    'Present if the window, or another time that the reply compares it with, begins or ends within an hour whose single calls are gone, because retention has deleted them or they are damaged: the sum of such an hour counts as a whole, the calls outside of the window included. Of one user, and by user, it is the UTC day.',
  );

/** What retention changed in the figures of a reply. */
export const deletedShape = { deletedBefore: deletedBeforeField, countedWhole: countedWholeField };

/** Part of a reply with figures of a window and of an earlier time. */
export const recordedSinceField = z
  .string()
  .optional()
  .describe(
    'Present if the reply compares the window with an earlier time, and the first day with events lies within that: the day, ISO 8601 UTC. The earlier time is then recorded in part, so counts and sums of both say little beside each other.',
  );

/** Reply of `POST /v1/metrics/query`. */
export const metricsReplySchema = z
  .object({
    start: z.string().describe('Start of the window, ISO 8601 UTC, inclusive.'),
    end: z.string().describe('End of the window, ISO 8601 UTC, inclusive.'),
    timeZone: z.string().describe('Time zone of the steps.'),
    measures: z
      .array(
        z.object({
          name: z.string().describe('Name of the measure.'),
          unit: z.enum(UNITS).describe('Unit of its values.'),
        }),
      )
      .describe('What was measured.'),
    groupBy: z.array(z.string()).describe('Dimensions of the groups.'),
    bucket: z.enum(BUCKET_NAMES).nullable().describe('Length of a step; null without series.'),
    steps: z
      .array(
        z.object({
          start: z.string().describe('Start of the step, ISO 8601 UTC.'),
          end: z.string().describe('End of the step, ISO 8601 UTC, exclusive.'),
          partial: z
            .boolean()
            .describe('Whether the step begins before the window, ends after it, or has not ended yet.'),
        }),
      )
      .describe('Steps of the series, oldest first.'),
    total: z
      .object({
        ...compared,
        unpricedSeries: z
          .array(z.int())
          .optional()
          .describe(
            'Calls without a known price in each step. Present with `bucket` and `cost` or `costAvg`.',
          ),
      })
      .describe('All calls of the window that match.'),
    groups: z
      .array(
        z.object({
          key: z
            .record(z.string(), z.string().nullable())
            .describe('Value of each dimension; null for calls without one.'),
          ...compared,
        }),
      )
      .describe('Groups in the order that `orderBy` asks for.'),
    others: z
      .object({ groups: z.int().describe('Number of groups.'), ...compared })
      .nullable()
      .describe('All other groups together; null if there are none.'),
    histogram: histogramSchema
      .optional()
      .describe('Calls of the window by the time that they took; present if it was asked for.'),
    matrix: matrixSchema
      .optional()
      .describe('Groups by two dimensions as a table; present if it was asked for.'),
    previous: z
      .object({
        start: z.string().describe('Start of the previous period, ISO 8601 UTC, inclusive.'),
        end: z.string().describe('End of the previous period, ISO 8601 UTC, inclusive.'),
      })
      .optional()
      .describe('Present with `compare`.'),
    missing: z
      .int()
      .optional()
      .describe(
        'Number of events that are damaged and in no figure (`GET /v1/damage`); absent if there are none.',
      ),
    ...deletedShape,
    recordedSince: recordedSinceField,
  })
  .meta({ id: 'MetricsReply' });
export type MetricsReply = z.infer<typeof metricsReplySchema>;
