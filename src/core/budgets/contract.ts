import { z } from 'zod';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { defineEndpoint, organizationQuery } from '../tenancy/contract.ts';

/** Whose spending a budget is about. */
export const BUDGET_KINDS = ['organization', 'project', 'key', 'user', 'tag', 'agent', 'tool'] as const;
/** UTC; weeks begin on Monday. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const id = z.string().min(1).max(100);
const text = (max: number) => z.string().min(1).max(max);

/** Whose: a tag is meant in one project, or in all of the organization. */
const ofSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organization').describe('What the budget covers.') }),
  z.strictObject({
    kind: z.literal('project').describe('What the budget covers.'),
    projectId: id.describe('Id of the project.'),
  }),
  z.strictObject({
    kind: z.literal('key').describe('What the budget covers.'),
    keyId: id.describe('Id of the API key that sent the events.'),
  }),
  z.strictObject({
    kind: z.literal('user').describe('What the budget covers.'),
    projectId: id.describe('Id of the project.'),
    userId: text(500).describe('Id of the end user, as events name it in `user_id`.'),
  }),
  z.strictObject({
    kind: z.literal('tag').describe('What the budget covers.'),
    projectId: id.optional().describe('Id of the project.'),
    tag: text(200).describe('Name of the tag.'),
    value: text(200).describe('Value of the tag.'),
  }),
  z.strictObject({
    kind: z.literal('agent').describe('What the budget covers.'),
    projectId: id.describe('Id of the project.'),
    agent: text(300).describe('Name of the agent, as calls name it in `agent`.'),
  }),
  z.strictObject({
    kind: z.literal('tool').describe('What the budget covers.'),
    projectId: id.describe('Id of the project.'),
    tool: text(300).describe('Name of the tool, as calls of models name it in `tool`.'),
  }),
]);
export type BudgetOf = z.output<typeof ofSchema>;

/** Body of `POST` and `PUT /v1/budgets`. */
export const budgetInputSchema = z.strictObject({
  name: lineOfText(200).optional().describe('Name of the budget.'),
  of: ofSchema.describe(
    'What the budget is for: the organization, a project, a key, an end user, the value of a tag, an agent or a tool.',
  ),
  period: z.enum(BUDGET_PERIODS).describe('Period that the budget covers, by UTC.'),
  limitUsd: z.number().min(0.000001).max(1_000_000).describe('Budget of a period in USD.'),
  levels: z
    .array(z.int().min(1).max(1_000))
    .min(1)
    .max(10)
    .refine((levels) => levels.every((level, i) => i === 0 || level > (levels[i - 1] ?? 0)), 'must rise')
    .default([50, 80, 100])
    .describe('Thresholds in per cent of the budget that are noted when they are crossed.'),
});
export type BudgetInput = z.output<typeof budgetInputSchema>;

/** A budget with where it stands. */
export const budgetSchema = z
  .object({
    id: z.string().describe('Id of the budget.'),
    organizationId: z.string().describe('Id of the organization.'),
    name: z.string().describe('Name of the budget.'),
    of: ofSchema.describe(
      'What the budget is for: the organization, a project, a key, an end user, the value of a tag, an agent or a tool.',
    ),
    period: z.enum(BUDGET_PERIODS).describe('Period that the budget covers, by UTC.'),
    limitUsd: z.number().describe('Budget of a period in USD.'),
    levels: z
      .array(z.int())
      .describe('Thresholds in per cent of the budget that are noted when they are crossed.'),
    status: z
      .object({
        periodStart: z.string().describe('Start of the current period, ISO 8601 UTC.'),
        periodEnd: z.string().describe('End of the current period, ISO 8601 UTC.'),
        spentUsd: z.number().describe('Spent so far, in USD.'),
        fraction: z.number().describe('Spent as a fraction of the budget.'),
        level: z.int().nullable().describe('Threshold in per cent; null while none is crossed.'),
        projectedUsd: z
          .number()
          .nullable()
          .describe(
            'Forecast for the end of the period, in USD; null before the first full day with events.',
          ),
        exhaustedAt: z
          .string()
          .nullable()
          .describe('When the budget runs out at this pace, ISO 8601 UTC; null if it does not.'),
        basis: z.string().describe('What the forecast is based on.'),
        calls: z.number().describe('Number of calls.'),
        unpriced: z.number().describe('Calls without a known price; no amount includes them.'),
        tracked: z
          .boolean()
          .describe(
            'False if the figures are incomplete: the tag has too many values for this one to be summed by itself, or not all calls of the period can be read by agent or tool.',
          ),
      })
      .describe('Where the budget stands.'),
  })
  .meta({ id: 'Budget' });
export type Budget = z.infer<typeof budgetSchema>;

/** A level that was crossed: what alerts deliver. */
export const budgetEventSchema = z.object({
  id: z.string().describe('Id of the entry.'),
  budgetId: z.string().describe('Id of the budget.'),
  budget: z.string().describe('Name of the budget.'),
  periodStart: z.string().describe('Start of the period, ISO 8601 UTC.'),
  level: z.int().describe('Threshold that was crossed, in percent.'),
  spentUsd: z.number().describe('Spent when it was crossed, in USD.'),
  limitUsd: z.number().describe('Budget of a period in USD.'),
  unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
  crossedAt: z.string().describe('When the threshold was crossed, ISO 8601 UTC.'),
});
export type BudgetEvent = z.infer<typeof budgetEventSchema>;

const budgetParams = z.object({ id: z.string().max(100).describe('Id of the budget.') });

export const listBudgetsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/budgets',
  auth: 'organization',
  summary: 'List budgets with what is spent, what is projected and when they run out',
  query: organizationQuery.extend({
    filter: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'Filter: all parts must hold. `status:exceeded,near`, `kind:user`, `project:Search`, `user:maya`, `tag.team:search`, `period:month`, `used>80` in percent, `limit:100..500` in USD; a word or a "quoted text" is looked for in names. Fields: name, status, kind, period, project, key, user, agent, tool, tag.NAME, used, spent, limit, forecast.',
      ),
  }),
  reply: z.object({ budgets: z.array(budgetSchema).describe('Budgets of the organization, by name.') }),
});

export const listBudgetEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/budgets/events',
  auth: 'organization',
  summary: 'List crossed thresholds of budgets, newest first',
  query: organizationQuery,
  reply: z.object({ events: z.array(budgetEventSchema).describe('Crossed thresholds, newest first.') }),
});

export const createBudgetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/budgets',
  auth: 'organization',
  role: 'admin',
  summary:
    'Create a budget for the organization, a project, an API key, an end user, a tag value, an agent or a tool',
  query: organizationQuery,
  body: budgetInputSchema,
  example: {
    name: 'Production',
    of: { kind: 'organization' },
    period: 'month',
    limitUsd: 500,
    levels: [80, 100],
  },
  reply: budgetSchema,
  status: 201,
});

export const updateBudgetEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/budgets/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Replace a budget',
  query: organizationQuery,
  params: budgetParams,
  body: budgetInputSchema,
  example: {
    name: 'Production',
    of: { kind: 'organization' },
    period: 'month',
    limitUsd: 750,
    levels: [50, 80, 100],
  },
  reply: budgetSchema,
});

export const deleteBudgetEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/budgets/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a budget and its threshold history',
  query: organizationQuery,
  params: budgetParams,
  status: 204,
});
