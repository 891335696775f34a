import { z } from 'zod';
import { defineEndpoint, organizationParams } from '../../core/tenancy/contract.ts';

const bytesSchema = z.object({
  used: z.int().describe('Bytes of the new events of this month, as they are stored.'),
  limit: z.int().describe('Bytes that the month may have.'),
  remaining: z.int().describe('Bytes left this month.'),
  percent: z.number().describe('Used, in per cent of the limit.'),
  forecast: z
    .int()
    .nullable()
    .describe(
      'Bytes expected at the end of the month, by the pace of the last 7 full days; null before the first.',
    ),
  exhaustedAt: z
    .string()
    .nullable()
    .describe('When the forecast reaches the limit, ISO 8601 UTC; null if not this month.'),
});

/** What an organization has used of its month. All days and months are UTC, by the time of receipt. */
export const usageSchema = z.object({
  organizationId: z.string().describe('Id of the organization.'),
  plan: z.enum(['free', 'pro', 'scale']).describe('Plan of the organization.'),
  month: z.string().describe('Month in UTC, `YYYY-MM`.'),
  used: z.int().describe('Events received this month. Deleting events gives none back.'),
  limit: z.int().describe('Events that the month may have.'),
  remaining: z.int().describe('Events left this month.'),
  percent: z.number().describe('Used, in per cent of the limit; over 100 if the limit was lowered.'),
  forecast: z
    .int()
    .nullable()
    .describe(
      'Events expected at the end of the month, by the pace of the last 7 full days; null before the first.',
    ),
  exhaustedAt: z
    .string()
    .nullable()
    .describe('When the forecast reaches the limit, ISO 8601 UTC; null if not this month.'),
  bytes: bytesSchema.describe('The same for the bytes of the events.'),
  resetsAt: z.string().describe('Start of the next month, when the count starts again, ISO 8601 UTC.'),
  retentionDays: z.int().describe('Days for which events are kept.'),
  daily: z
    .array(
      z.object({
        date: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
        events: z.int().describe('Number of events.'),
        bytes: z.int().describe('Bytes of the events.'),
      }),
    )
    .describe('Events by day, the last 31 days, oldest first.'),
  months: z
    .array(
      z.object({
        month: z.string().describe('Month in UTC, `YYYY-MM`.'),
        events: z.int().describe('Number of events.'),
        bytes: z.int().describe('Bytes of the events.'),
      }),
    )
    .describe('Months with events, newest first; at most 13.'),
  warnings: z
    .array(
      z.object({
        unit: z.enum(['events', 'bytes']).describe('Which quota.'),
        threshold: z.int().describe('Part of the quota, in per cent.'),
        at: z.string().describe('Time, ISO 8601 UTC.'),
      }),
    )
    .describe('Parts of the quota that were used up.'),
});
export type Usage = z.infer<typeof usageSchema>;

/** Each is of the current month: another one that is asked for is refused, not answered with this one. */
const noParameters = z.object({});

export const usageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/usage',
  auth: 'organization',
  summary: "Get the organization's usage of the month, with a forecast",
  query: noParameters,
  params: organizationParams,
  reply: usageSchema,
});

/** What a project of an organization has used this month so far. */
export const projectUsageSchema = z.object({
  projectId: z.string().describe('Id of the project.'),
  name: z.string().describe('Name of the project.'),
  calls: z.int().describe('Calls of models.'),
  errors: z.int().describe('Calls that failed.'),
  cost: z.number().describe('Cost in USD, without calls whose price is unknown.'),
  unpriced: z.int().describe('Calls without a known price; their cost is in no sum.'),
});
export type ProjectUsage = z.infer<typeof projectUsageSchema>;

export const projectUsageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/usage/projects',
  auth: 'organization',
  summary: 'Calls, failures and cost of each project of an organization, this month so far (UTC)',
  query: noParameters,
  params: organizationParams,
  reply: z.object({
    month: z.string().describe('Month in UTC, `YYYY-MM`.'),
    projects: z.array(projectUsageSchema).describe('Projects, highest cost first; at most 200.'),
  }),
});
const planName = z.enum(['free', 'pro', 'scale']);

const quotaSchema = z.object({
  used: z.int().describe('Used in the period so far.'),
  limit: z.int().describe('What the period may have.'),
  remaining: z.int().describe('Left of the period.'),
  overage: z
    .int()
    .describe(
      'Used beyond the limit. A full quota refuses events, so this is 0 unless the limit was lowered.',
    ),
});

const planSchema = z.object({
  plan: planName.describe('Name of the plan.'),
  monthlyEvents: z.int().describe('Events per calendar month (UTC).'),
  monthlyBytes: z.int().describe('Bytes of events per calendar month (UTC).'),
  retentionDays: z.int().describe('Days for which events are kept.'),
  projects: z.int().describe('Most projects.'),
  auditCsv: z.boolean().describe('Whether the audit log can be exported as CSV.'),
  lowered: z
    .array(z.string())
    .describe('What gets less by a change from the plan in force; empty if nothing does.'),
});

export const billingSchema = z.object({
  organizationId: z.string().describe('Id of the organization.'),
  plan: planName.describe('Plan in force.'),
  planChanges: z
    .enum(['operator', 'owner'])
    .describe('Who changes the plan: only the operator of the server, or the owners too (`PLAN_CHANGES`).'),
  ownLimits: z
    .boolean()
    .describe(
      'Whether the operator set limits of this organization’s own. Then only the operator changes its plan.',
    ),
  period: z
    .object({
      month: z.string().describe('Month in UTC, `YYYY-MM`.'),
      from: z.string().describe('Start of the period, ISO 8601 UTC.'),
      to: z.string().describe('End of the period, exclusive, ISO 8601 UTC.'),
    })
    .describe('The billing period: a calendar month in UTC, by the time of receipt.'),
  events: quotaSchema.describe('Events received in the period.'),
  bytes: quotaSchema.describe('Bytes of these events, as they are stored.'),
  retentionDays: z.int().describe('Days for which events are kept.'),
  months: z
    .array(
      z.object({
        month: z.string().describe('Month in UTC, `YYYY-MM`.'),
        events: z.int().describe('Events received.'),
        bytes: z.int().describe('Bytes of these events.'),
      }),
    )
    .describe('Months with events, newest first; at most 13.'),
  plans: z.array(planSchema).describe('The plans of this server, smallest first.'),
});
export type Billing = z.infer<typeof billingSchema>;

export const billingEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/billing',
  auth: 'organization',
  summary: "Get the organization's plan, period, use and history by month",
  query: noParameters,
  params: organizationParams,
  reply: billingSchema,
});

export const putBillingEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id/billing',
  auth: 'organization',
  role: 'owner',
  summary: 'Change the plan of an organization',
  description:
    'It applies from the next request on. The reply is 403 where only the operator changes plans (`PLAN_CHANGES=operator`, the default), and 409 where the new plan has lower limits and `acceptLowerLimits` is not true: a shorter retention deletes older events that night.',
  params: organizationParams,
  body: z.strictObject({
    plan: planName.describe('The new plan.'),
    acceptLowerLimits: z
      .boolean()
      .default(false)
      .describe('That limits get lower, and older events are deleted, is accepted.'),
  }),
  example: { plan: 'pro', acceptLowerLimits: true },
  reply: billingSchema,
});
