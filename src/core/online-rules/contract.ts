import { z } from 'zod';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { filterText } from '../events/filter/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** Most rules of a project. */
export const MAX_RULES = 50;
/** Most traces that wait for a rule. Later ones are not judged, and counted. */
export const MAX_WAITING = 100_000;

/** What a rule does now. `capped`: its monthly cap is used up. `held`: something else holds it back. */
const RULE_STATES = ['off', 'running', 'capped', 'held'] as const;
/** Where the judged content is from. `none`: only latency and cost can be judged. */
const CONTENT_SOURCES = ['stored', 'memory', 'none'] as const;
/** What became of a trace. */
export const ITEM_STATES = ['waiting', 'scored', 'skipped', 'failed'] as const;

export const ruleInput = z.strictObject({
  name: lineOfText(60).describe('Name, unique in the project.'),
  evaluatorId: z.string().min(1).max(100).describe('Evaluator that judges, in its newest version.'),
  filter: filterText
    .default('')
    .describe(
      'Which traces, in the filter language: fields of the root, or of the last call where the root has none. `latency` and `cost` are those of the root. Default: all.',
    ),
  sampleRate: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Share of the traces, above 0 to 1, decided by the id of the trace. Default: 1.'),
  delaySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(120)
    .describe('How long a trace must be without a new span before it is judged, in seconds. Default: 120.'),
  monthlyUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('Most that the rule may spend in a UTC month, in USD; null for only the cap of the server.'),
  judgesUnstored: z
    .boolean()
    .default(false)
    .describe(
      'In a project that stores no prompts: whether content is held in memory until it is judged, and then forgotten. Reasons are not stored then. Default: false.',
    ),
  enabled: z.boolean().default(true).describe('Whether new traces are judged. Default: true.'),
});
export type RuleInput = z.output<typeof ruleInput>;

const count = (what: string) => z.int().describe(what);

export const ruleSchema = z
  .object({
    id: z.string().describe('Id of the rule.'),
    name: z.string().describe('Name, unique in the project.'),
    evaluatorId: z.string().describe('Evaluator that judges.'),
    evaluator: z.string().nullable().describe('Name of the evaluator; null if it was deleted.'),
    scoreName: z.string().nullable().describe('Name of the scores; null if the evaluator was deleted.'),
    filter: z.string().describe('Which traces; empty for all.'),
    sampleRate: z.number().describe('Share of the traces.'),
    delaySeconds: z.int().describe('Quiet time before a trace is judged, in seconds.'),
    monthlyUsd: z
      .number()
      .nullable()
      .describe('Most that it may spend in a month, in USD; null without a cap.'),
    judgesUnstored: z.boolean().describe('Whether content that is not stored is judged in memory.'),
    enabled: z.boolean().describe('Whether new traces are judged.'),
    content: z
      .enum(CONTENT_SOURCES)
      .describe(
        'Where content is from: `stored`, `memory`, or `none`: then only latency and cost can be judged.',
      ),
    state: z.enum(RULE_STATES).describe('What it does now.'),
    stateReason: z.string().nullable().describe('Why it is capped or held; null otherwise.'),
    heldUntil: z.string().nullable().describe('Until when it is capped or held, ISO 8601 UTC.'),
    waiting: count('Traces that wait: the backlog.'),
    due: count('Waiting traces whose delay is over.'),
    month: z
      .object({
        scored: count('Traces that got a score.'),
        skipped: count('Traces that could not be judged, such as those without content.'),
        failed: count('Traces whose judge failed for good.'),
        dropped: count(`Traces that did not fit into a backlog of ${MAX_WAITING}.`),
        costUsd: z.number().describe('Cost of its judges in USD; calls without a known price are not in it.'),
        unpriced: count('Judgements with a call without a known price.'),
      })
      .describe('This UTC month.'),
    backfill: z
      .object({
        start: z.string().describe('Start of the window, ISO 8601 UTC.'),
        end: z.string().describe('End of the window, ISO 8601 UTC.'),
        state: z.enum(['running', 'done']).describe('Whether traces are still being added to the backlog.'),
        added: count('Traces that were added to the backlog.'),
      })
      .nullable()
      .describe('The last back-fill; null without one.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'OnlineRule' });
export type OnlineRule = z.infer<typeof ruleSchema>;

export const ruleItemSchema = z
  .object({
    traceId: z.string().describe('Id of the trace.'),
    state: z.enum(ITEM_STATES).describe('What became of it.'),
    reason: z.string().nullable().describe('Why it has no score; null with one.'),
    tries: count('How often its judge failed.'),
    dueAt: z.string().describe('When it is or was due, ISO 8601 UTC.'),
    judgedAt: z.string().nullable().describe('When it was judged, ISO 8601 UTC; null before.'),
    costUsd: z
      .number()
      .nullable()
      .describe(
        'Cost of the judge in USD; null before it is judged, and if a call of it has no known price.',
      ),
  })
  .meta({ id: 'OnlineRuleItem' });
export type RuleItem = z.infer<typeof ruleItemSchema>;

export const backfillInput = z
  .strictObject({
    start: z.iso.datetime({ offset: true }).describe('Start of the window, ISO 8601.'),
    end: z.iso.datetime({ offset: true }).describe('End of the window, ISO 8601.'),
    rejudge: z
      .boolean()
      .default(false)
      .describe(
        'Whether traces that an older version of the evaluator judged are judged again. Default: false.',
      ),
    dryRun: z.boolean().default(false).describe('Only estimate. Default: false.'),
  })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), {
    path: ['start'],
    message: 'must be before end',
  });
export type BackfillInput = z.output<typeof backfillInput>;

export const backfillReply = z
  .object({
    traces: count('Traces of the window that were looked at.'),
    matching: count('Those that the rule would judge: sampled, matching, not judged before.'),
    isComplete: z.boolean().describe('False if the window has more traces than were looked at.'),
    expectedUsd: z.number().nullable().describe('Expected cost in USD; 0 without a judge, null if unknown.'),
    maxUsd: z.number().nullable().describe('Upper bound of the cost in USD; null if unknown.'),
    started: z.boolean().describe('Whether the back-fill was started.'),
  })
  .meta({ id: 'BackfillEstimate' });
export type BackfillEstimate = z.infer<typeof backfillReply>;

const ofProject = { auth: 'project' } as const;
const params = z.object({ id: z.string().max(100).describe('Id of the rule.') });
const EXAMPLE = {
  name: 'Tone of a tenth of production',
  evaluatorId: 'evl_0193b4d2',
  filter: 'environment:production',
  sampleRate: 0.1,
  monthlyUsd: 20,
};

export const listRulesEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/online-rules',
  summary: 'List the rules that judge new traces, with backlog and cost',
  query: projectQuery,
  reply: z.object({ rules: z.array(ruleSchema).describe(`Rules by name; at most ${MAX_RULES}.`) }),
});

export const postRuleEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/online-rules',
  role: 'member',
  summary: 'Create a rule that judges new traces',
  description:
    'Each sampled trace that arrives from now on is judged once, when it has been quiet for the delay. Traces of which the newest event is older than a day when it arrives are not judged; use a back-fill.',
  query: projectQuery,
  body: ruleInput,
  example: EXAMPLE,
  reply: ruleSchema,
  status: 201,
});

export const getRuleEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/online-rules/:id',
  summary: 'Get a rule',
  query: projectQuery,
  params,
  reply: ruleSchema,
});

export const putRuleEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/online-rules/:id',
  role: 'member',
  summary: 'Replace a rule; a higher cap lets it go on at once',
  query: projectQuery,
  params,
  body: ruleInput,
  example: { ...EXAMPLE, monthlyUsd: 50 },
  reply: ruleSchema,
});

export const deleteRuleEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/online-rules/:id',
  role: 'member',
  summary: 'Delete a rule with its backlog; its scores stay',
  query: projectQuery,
  params,
  status: 204,
});

export const listRuleItemsEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/online-rules/:id/items',
  summary: 'List the traces of a rule: what waits, first due first, or what became of them, newest first',
  query: projectQuery.extend({
    state: z.enum(ITEM_STATES).default('failed').describe('Only traces in this state. Default: `failed`.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most traces, 1 to 200. Default: 50.'),
  }),
  params,
  reply: z.object({ items: z.array(ruleItemSchema).describe('Traces of the rule.') }),
});

export const backfillEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/online-rules/:id/backfill',
  role: 'member',
  summary: 'Judge the stored traces of a past window, or estimate what that costs',
  description:
    'Traces are added to the backlog of the rule and judged under its cap. A trace that was judged before is not judged again.',
  query: projectQuery,
  params,
  body: backfillInput,
  example: { start: '2026-01-01T00:00:00Z', end: '2026-01-08T00:00:00Z', dryRun: true },
  reply: backfillReply,
});
