import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';
import { parseInstant } from '../../lib/time.ts';

/**
 * `looking`: the dry run runs. `ready`: it has run. `stopped`: the application ended before its end, because
 * prices changed meanwhile; what it changed can be undone.
 */
export const REPRICING_STATES = [
  'looking',
  'ready',
  'applying',
  'applied',
  'undoing',
  'undone',
  'stopped',
  'failed',
] as const;
export type RepricingState = (typeof REPRICING_STATES)[number];

/** States in which there is work to do. */
export const BUSY: readonly RepricingState[] = ['looking', 'applying', 'undoing'];

const instant = z.string().refine((text) => parseInstant(text) !== null, 'must be ISO 8601 in UTC');
const name = z.string().min(1).max(300);

/** Body of `POST /v1/repricings`: which events. */
export const repricingRequestSchema = z
  .strictObject({
    start: instant.describe('Start of the events to re-price, inclusive: ISO 8601 in UTC.'),
    end: instant.describe('End of the events to re-price, exclusive: ISO 8601 in UTC.'),
    provider: name.optional().describe('Only calls of this provider.'),
    model: name.optional().describe('Only calls of this model.'),
    environment: name.optional().describe('Only calls of this environment.'),
    unpricedOnly: z.boolean().default(false).describe('Only calls without a price. Default: false.'),
    clientCosts: z
      .boolean()
      .default(false)
      .describe('Also calls whose cost the sender stated, which are left alone otherwise. Default: false.'),
  })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), {
    path: ['start'],
    message: 'must lie before end',
  });
export type RepricingRequest = z.output<typeof repricingRequestSchema>;

/** What a re-pricing changes on a day for a model. USD of the events that change, before and after. */
export const repricingGroupSchema = z.object({
  day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
  provider: z.string().nullable().describe('Only calls of this provider.'),
  model: z.string().nullable().describe('Only calls of this model.'),
  events: z.int().describe('Number of events that change.'),
  unpricedBefore: z.int().describe('How many of them had no price before.'),
  unpricedAfter: z.int().describe('How many of them have no price afterwards.'),
  before: z.number().describe('USD of the events that change, before.'),
  after: z.number().describe('USD of the events that change, after.'),
});
export type RepricingGroup = z.infer<typeof repricingGroupSchema>;

/** Who asked for what, and when. `by`: an e-mail address, or `operator:<login name>` from the command line. */
const repricingStepSchema = z.object({
  step: z.enum(['created', 'applied', 'undone']).describe('What was asked for.'),
  at: z.string().describe('Time, ISO 8601 UTC.'),
  by: z.string().describe('Who asked: an email address, or `operator:<login name>` for the command line.'),
});
export type RepricingStep = z.infer<typeof repricingStepSchema>;

/** A re-pricing as the API returns it. */
export const repricingSchema = z
  .object({
    id: z.string().describe('Id of the re-pricing.'),
    state: z.enum(REPRICING_STATES).describe('State of the re-pricing.'),
    request: repricingRequestSchema.describe('Which events it covers.'),
    looked: z.int().describe('Events that were examined.'),
    changes: z.int().describe('Events that change.'),
    before: z.number().describe('USD of the events that change, before.'),
    after: z.number().describe('USD of the events that change, after.'),
    groups: z
      .array(repricingGroupSchema)
      .optional()
      .describe('Changes by day and model; only in the reply about one re-pricing.'),
    applied: z.int().describe('Events changed so far.'),
    appliedDifference: z.number().describe('USD added so far.'),
    progress: z.number().min(0).max(1).describe('Fraction that is done, 0 to 1.'),
    gone: z
      .int()
      .describe('Events that were deleted or damaged before it was undone; their sums keep the new price.'),
    unreadable: z
      .int()
      .describe('Damaged events in the time span, which were not examined and keep their cost.'),
    error: z.string().nullable().describe('Why it failed or stopped; null otherwise.'),
    steps: z.array(repricingStepSchema).describe('What was asked for so far, in order.'),
    createdAt: z.string().describe('Creation time, ISO 8601 UTC.'),
    updatedAt: z.string().describe('Time of the last change, ISO 8601 UTC.'),
  })
  .meta({ id: 'Repricing' });
export type RepricingRow = z.input<typeof repricingSchema>;

/** Reply of `GET /v1/repricings`. */
export const repricingListSchema = z.object({
  repricings: z.array(repricingSchema).describe('Re-pricings, newest first.'),
});
export type RepricingList = z.input<typeof repricingListSchema>;

const repricingParams = z.object({ id: z.string().max(100).describe('Id of the re-pricing.') });

export const listRepricingsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/repricings',
  auth: 'project',
  summary: 'List the re-pricings of a project, newest first',
  query: projectQuery,
  reply: repricingListSchema,
});

export const getRepricingEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/repricings/:id',
  auth: 'project',
  summary: 'Get a re-pricing: its progress, and what it changes by day and model',
  query: projectQuery,
  params: repricingParams,
  reply: repricingSchema,
});

export const createRepricingEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/repricings',
  auth: 'project',
  role: 'admin',
  summary: 'Start a dry run: what would change at the prices in force',
  query: projectQuery,
  body: repricingRequestSchema,
  example: { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z', unpricedOnly: true },
  reply: repricingSchema,
  status: 202,
});

export const applyRepricingEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/repricings/:id/apply',
  auth: 'project',
  role: 'admin',
  summary: 'Apply a dry run; all sums follow, and it can be undone',
  query: projectQuery,
  params: repricingParams,
  reply: repricingSchema,
  status: 202,
});

export const undoRepricingEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/repricings/:id/undo',
  auth: 'project',
  role: 'admin',
  summary: 'Undo a re-pricing: every event gets its previous cost',
  query: projectQuery,
  params: repricingParams,
  reply: repricingSchema,
  status: 202,
});
