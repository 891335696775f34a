import { z } from 'zod';
import { defineEndpoint, organizationParams } from '../../core/tenancy/contract.ts';

/** What an organization has used of its month. All days and months are UTC, by the time of receipt. */
export const usageSchema = z.object({
  organizationId: z.string(),
  plan: z.enum(['free', 'pro', 'scale']),
  /** `YYYY-MM`. */
  month: z.string(),
  /** Events received so far this month. Deleting events gives none back. */
  used: z.int(),
  /** Events that the month may have. */
  limit: z.int(),
  remaining: z.int(),
  /** Used, in per cent of the limit; may be over 100 when the limit was lowered. */
  percent: z.number(),
  /**
   * Events at the month's end: those so far, and for the time left the pace of the last 7 full days (of
   * fewer where the history is shorter; of today where there is none).
   */
  forecast: z.int(),
  /** When the forecast reaches the limit, within the month; null when it does not. */
  exhaustedAt: z.string().nullable(),
  /** Start of the next month, when the count begins anew. */
  resetsAt: z.string(),
  retentionDays: z.int(),
  /** The last 31 days, oldest first, today included. */
  daily: z.array(z.object({ date: z.string(), events: z.int() })),
  /** Months with events, newest first, at most 13. */
  months: z.array(z.object({ month: z.string(), events: z.int() })),
  /** Parts of this month's quota that were used up, and when. */
  warnings: z.array(z.object({ threshold: z.int(), at: z.string() })),
});
export type Usage = z.infer<typeof usageSchema>;

export const usageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/usage',
  auth: 'organization',
  summary: "What an organization has used of its month's events, with a forecast to its end",
  params: organizationParams,
  reply: usageSchema,
});
