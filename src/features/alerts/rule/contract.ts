import { z } from 'zod';
import { type Condition, filterText, parseFilter } from '../../../core/events/filter/contract.ts';
import {
  EVENT_MEASURES,
  isRunMeasure,
  isScoreMeasure,
  MEASURE_NAMES,
  type MetricMeasure,
  oneOfMeasures,
  type RunMeasure,
  type ScoreMeasure,
} from '../../../core/events/query/contract.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../../core/events/values/contract.ts';
import { displayName } from '../../../core/orgs/contract.ts';
import { isScoreCondition } from '../../../core/scores/values/contract.ts';

/** What a rule can watch of calls: what can be measured of them. Calls per minute are the calls of its window. */
export type CallMeasure = Exclude<MetricMeasure, 'throughput'>;
const isJudged = (measure: MetricMeasure): measure is CallMeasure => measure !== 'throughput';
export const CALL_MEASURES = MEASURE_NAMES.filter(isJudged) as [CallMeasure, ...CallMeasure[]];

/** What a rule can watch of agents' runs. */
const RUN_MEASURE_NAMES = EVENT_MEASURES.filter(isRunMeasure);

/** What a rule can watch: a measure of calls, of agents' runs, or of scores by its name. */
export type AlertMeasure = CallMeasure | RunMeasure | ScoreMeasure;
export const ALERT_MEASURES: readonly [CallMeasure, ...(CallMeasure | RunMeasure)[]] = [
  ...CALL_MEASURES,
  ...RUN_MEASURE_NAMES,
];

export const ALERT_WINDOWS = ['5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d', '7d'] as const;

/** Dimensions of groups besides `tag:NAME`. */
export const ALERT_DIMENSIONS = [
  'model',
  'provider',
  'environment',
  'user',
  'key',
  'agent',
  'tool',
  'release',
] as const;
/** Those that runs have. */
const RUN_GROUPS: readonly string[] = ['environment', 'user', 'key', 'agent', 'release'];

export const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;
export const DIRECTIONS = ['up', 'down', 'either'] as const;
export const COMPARISONS = ['previous', 'sameTimeYesterday', 'sameTimeLastWeek'] as const;
export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export const NO_DATA = ['ignore', 'notify', 'ok'] as const;

const text = (max: number, doc: string) => z.string().min(1).max(max).optional().describe(doc);

/** Filters of a rule: those of `GET /v1/events`, each by one value, and a text in the filter language. */
export const alertFilters = z.strictObject({
  model: text(300, 'Model name as it was sent.'),
  provider: text(200, 'Provider of the model, such as `openai`.'),
  environment: text(200, 'Environment, such as `production`.'),
  userId: text(500, 'End user.'),
  sessionId: text(500, 'Session.'),
  kind: z.enum(EVENT_KINDS).optional().describe('Kind of span.'),
  status: z.enum(EVENT_STATUSES).optional().describe('Outcome of the call.'),
  errorCode: text(200, 'Error group: the error code, or the status of failed calls without one.'),
  costStatus: z.enum(COST_STATUSES).optional().describe('How the cost is known.'),
  keyId: text(100, 'Id of the API key that sent the calls.'),
  tag: z
    .string()
    .max(500)
    .regex(/^[^=]+=./, 'must be NAME=VALUE')
    .optional()
    .describe('Tag, as `NAME=VALUE`.'),
  agent: text(200, 'Agent that made the call, or began the run.'),
  tool: text(200, 'Tool.'),
  promptName: text(200, 'Name of the prompt template.'),
  filter: filterText.optional(),
});

const figure = z.number().min(-1e15).max(1e15);

export const alertCondition = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('threshold').describe('Compares the value with fixed bounds.'),
    operator: z.enum(OPERATORS).describe('How the value is compared: `gt` is "greater than".'),
    warning: figure.optional().describe('Bound of a warning; none without it.'),
    critical: figure.describe('Bound of the critical state.'),
  }),
  z.strictObject({
    kind: z.literal('change').describe('Compares the value with an earlier one. A breach is critical.'),
    direction: z.enum(DIRECTIONS).describe('Which change counts.'),
    percent: z.number().gt(0).max(100_000).describe('Least change in percent of the earlier value.'),
    compare: z
      .enum(COMPARISONS)
      .describe('`previous`: the window before this one; the others: the same window a day or a week ago.'),
  }),
  z.strictObject({
    kind: z
      .literal('anomaly')
      .describe('Compares the value with the median of the same hour of the week in the last four weeks.'),
    sensitivity: z
      .enum(SENSITIVITIES)
      .describe('Distance from the median that is a warning: 6, 4.5 or 3 robust standard deviations.'),
  }),
]);

export const MAX_FOR_MINUTES = 1_440;
export const MAX_CHANNELS = 20;

const groupBy = z
  .union([
    z.enum(ALERT_DIMENSIONS),
    z.templateLiteral(['tag:', z.string().min(1).max(200)], 'must be a dimension'),
  ])
  .nullable()
  .default(null)
  .describe(
    `Dimension whose values each have a state of their own: one of ${ALERT_DIMENSIONS.join(', ')} or \`tag:NAME\`. At most 1,000 values. Default: none.`,
  );

const ruleFields = z.strictObject({
  name: displayName.describe('Name of the alert, unique in the project.'),
  enabled: z.boolean().default(true).describe('Whether it is evaluated. Default: true.'),
  measure: oneOfMeasures(ALERT_MEASURES).describe(
    'What is watched: a measure of calls, whose rates are fractions of 1, costs USD and times ms; of the runs of agents, such as `runCostAvg`, `runCostP95`, `runCostPerSuccess` and `runErrorRate`; or of scores: `score:NAME`, `score:NAME=CATEGORY`, `scoreCount:NAME`. A run counts when it began, a score when what it is about began, and "calls" below are then runs or scores.',
  ),
  filters: alertFilters.default({}).describe('Which calls count. Default: all.'),
  groupBy,
  window: z.enum(ALERT_WINDOWS).describe('Length of the window. It ends with the minute that is judged.'),
  condition: alertCondition.describe('When it is a warning, and when it is critical.'),
  minRequests: z
    .int()
    .min(0)
    .max(1e9)
    .default(0)
    .describe('A window with fewer calls is ok, whatever its value. Default: 0.'),
  forMinutes: z
    .int()
    .min(0)
    .max(MAX_FOR_MINUTES)
    .default(0)
    .describe('How long the condition must hold before the alert fires; `pending` until then. Default: 0.'),
  noData: z
    .enum(NO_DATA)
    .default('ignore')
    .describe(
      'What a window without calls means. `ignore`: a count is 0, another measure keeps its state. `notify`: the state `no_data`, and a notification. `ok`: the state `ok`. Default: `ignore`.',
    ),
  renotifyMinutes: z
    .int()
    .min(5)
    .max(10_080)
    .nullable()
    .default(null)
    .describe('Notifies again after so many minutes while the alert fires. Default: null, never.'),
  channelIds: z
    .array(z.string().min(1).max(100))
    .max(MAX_CHANNELS)
    .transform((ids) => [...new Set(ids)])
    .default([])
    .describe('Ids of the channels that are notified, of the same organization. Default: none.'),
  opensIncident: z
    .boolean()
    .default(false)
    .describe('Whether it opens or joins an incident, which then notifies instead. Default: false.'),
});

/** Conditions of a filter; none of one that cannot be read, which is refused by itself. */
function conditionsOf(filter: string): Condition[] {
  try {
    return parseFilter(filter);
  } catch {
    return [];
  }
}

/** Conditions between the fields of a rule. */
function checkRule(rule: z.output<typeof ruleFields>, ctx: z.RefinementCtx): void {
  const issue = (path: string, message: string): void =>
    ctx.addIssue({ code: 'custom', path: path.split('.'), message });
  const { condition } = rule;
  if (condition.kind === 'threshold' && condition.warning !== undefined) {
    const isRising = condition.operator.startsWith('g');
    const { warning, critical } = condition;
    if (isRising ? warning >= critical : warning <= critical)
      issue(
        'condition.warning',
        `must be ${isRising ? 'below' : 'above'} critical (${critical}), so that a warning comes first`,
      );
  }
  if (rule.measure.endsWith('Rate') && condition.kind === 'threshold' && condition.critical > 1)
    issue('condition.critical', `${rule.measure} is a fraction of 1; write 0.05 for 5 percent`);
  const scored = conditionsOf(rule.filters.filter ?? '').find(({ field }) => field.startsWith('score.'));
  if (scored !== undefined)
    issue(
      'filters.filter',
      `an alert cannot filter by ${scored.field}, because scores come later than calls; watch the measure score:NAME`,
    );
  if (!isScoreMeasure(rule.measure) && isRunMeasure(rule.measure)) {
    if (rule.filters.costStatus !== undefined)
      issue('filters.costStatus', 'it is of calls, and a run has several; leave it out');
    const by = rule.groupBy;
    if (by !== null && !by.startsWith('tag:') && !RUN_GROUPS.includes(by))
      issue('groupBy', `runs have no ${by}; use ${RUN_GROUPS.join(', ')} or tag:NAME`);
  }
  if (isScoreMeasure(rule.measure)) {
    const { costStatus, filter = '' } = rule.filters;
    if (costStatus !== undefined) issue('filters.costStatus', 'scores have no cost; leave it out');
    const other = conditionsOf(filter).find((condition) => !isScoreCondition(condition));
    if (other !== undefined)
      issue('filters.filter', `scores cannot be filtered by ${other.field}; they keep none of it`);
  }
}

/** Body of `POST /v1/alerts`, `PUT /v1/alerts/:id` and `POST /v1/alerts/preview`. */
export const alertInput = ruleFields.superRefine(checkRule);
export type AlertInput = z.output<typeof alertInput>;
/** A rule as it is written, with defaults left out. */
export type AlertDraft = z.input<typeof alertInput>;

export const alertFields = ruleFields.shape;
