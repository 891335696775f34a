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
    /** From this time, and before that one. */
    start: instant,
    end: instant,
    provider: name.optional(),
    model: name.optional(),
    environment: name.optional(),
    /** Only calls without a price. */
    unpricedOnly: z.boolean().default(false),
    /** Also calls whose cost the sender stated, which is left alone otherwise. */
    clientCosts: z.boolean().default(false),
  })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), {
    path: ['start'],
    message: 'must lie before end',
  });
export type RepricingRequest = z.output<typeof repricingRequestSchema>;

/** What a re-pricing changes on a day for a model. USD of the events that change, before and after. */
export const repricingGroupSchema = z.object({
  day: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  events: z.int(),
  /** How many of them had no price, and will have none. */
  unpricedBefore: z.int(),
  unpricedAfter: z.int(),
  before: z.number(),
  after: z.number(),
});
export type RepricingGroup = z.infer<typeof repricingGroupSchema>;

/** Who asked for what, and when. `by`: an e-mail address, or `operator:<login name>` from the command line. */
const repricingStepSchema = z.object({
  step: z.enum(['created', 'applied', 'undone']),
  at: z.string(),
  by: z.string(),
});
export type RepricingStep = z.infer<typeof repricingStepSchema>;

/** A re-pricing as the API returns it. */
export const repricingSchema = z.object({
  id: z.string(),
  state: z.enum(REPRICING_STATES),
  request: repricingRequestSchema,
  /** Events looked at, and events that change. */
  looked: z.int(),
  changes: z.int(),
  /** USD of the events that change. */
  before: z.number(),
  after: z.number(),
  /** By day and model; only in the reply about one re-pricing. */
  groups: z.array(repricingGroupSchema).optional(),
  /** Events changed so far, USD added so far, and the fraction that is done. */
  applied: z.int(),
  appliedDifference: z.number(),
  progress: z.number().min(0).max(1),
  /** Events that retention had deleted when it was undone: their sums keep the new price. */
  gone: z.int(),
  error: z.string().nullable(),
  /** What was asked for so far, in order. */
  steps: z.array(repricingStepSchema),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RepricingRow = z.infer<typeof repricingSchema>;

/** Reply of `GET /v1/repricings`. */
export const repricingListSchema = z.object({ repricings: z.array(repricingSchema) });
export type RepricingList = z.infer<typeof repricingListSchema>;

const repricingParams = z.object({ id: z.string().max(100).describe('Id of the re-pricing.') });

export const listRepricingsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/repricings',
  auth: 'project',
  summary: "The project's re-pricings, the newest first",
  query: projectQuery,
  reply: repricingListSchema,
});

export const getRepricingEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/repricings/:id',
  auth: 'project',
  summary: 'One re-pricing: how far it is, and what it changes by day and model',
  query: projectQuery,
  params: repricingParams,
  reply: repricingSchema,
});

export const createRepricingEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/repricings',
  auth: 'project',
  role: 'admin',
  summary: 'A dry run: what would change if calls were priced anew by the prices in force',
  query: projectQuery,
  body: repricingRequestSchema,
  reply: repricingSchema,
  status: 202,
});

export const applyRepricingEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/repricings/:id/apply',
  auth: 'project',
  role: 'admin',
  summary: 'Apply what the dry run has shown; all sums follow, and it can be undone',
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
  summary: 'Give every event back what it cost before',
  query: projectQuery,
  params: repricingParams,
  reply: repricingSchema,
  status: 202,
});
