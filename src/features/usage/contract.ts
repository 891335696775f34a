import { z } from 'zod';
import { defineEndpoint, organizationParams } from '../../core/tenancy/contract.ts';

const bytesSchema = z.object({
  used: z.int().describe('Bytes of the new events of this month, as they are stored.'),
  limit: z.int().describe('Bytes that the month may have.'),
  remaining: z.int().describe('Bytes left this month.'),
  percent: z.number().describe('Used, in per cent of the limit.'),
  forecast: z.int().describe('Bytes expected at the end of the month, by the pace of the last 7 full days.'),
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
  forecast: z.int().describe('Events expected at the end of the month, by the pace of the last 7 full days.'),
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

export const usageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/usage',
  auth: 'organization',
  summary: "Get the organization's usage of the month, with a forecast",
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
  params: organizationParams,
  reply: z.object({
    month: z.string().describe('Month in UTC, `YYYY-MM`.'),
    projects: z.array(projectUsageSchema).describe('Projects, highest cost first; at most 200.'),
  }),
});
