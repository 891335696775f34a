import { z } from 'zod';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';

/** Whose spending a budget is about. */
export const BUDGET_KINDS = ['organization', 'project', 'key', 'user', 'tag'] as const;
/** UTC; weeks begin on Monday. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const id = z.string().min(1).max(100);
const text = (max: number) => z.string().min(1).max(max);

/** Whose: a tag is meant in one project, or in all of the organization. */
const ofSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organization') }),
  z.strictObject({ kind: z.literal('project'), projectId: id }),
  z.strictObject({ kind: z.literal('key'), keyId: id }),
  z.strictObject({ kind: z.literal('user'), projectId: id, userId: text(500) }),
  z.strictObject({ kind: z.literal('tag'), projectId: id.optional(), tag: text(200), value: text(200) }),
]);
export type BudgetOf = z.output<typeof ofSchema>;

/** Body of `POST` and `PUT /v1/budgets`. */
export const budgetInputSchema = z.strictObject({
  name: text(200).optional(),
  of: ofSchema,
  period: z.enum(BUDGET_PERIODS),
  limitUsd: z.number().min(0.000001).max(1_000_000),
  /** Percent of the limit at which a warning is written, in rising order. */
  levels: z
    .array(z.int().min(1).max(1_000))
    .min(1)
    .max(10)
    .refine((levels) => levels.every((level, i) => i === 0 || level > (levels[i - 1] ?? 0)), 'must rise')
    .default([50, 80, 100]),
});
export type BudgetInput = z.output<typeof budgetInputSchema>;

/** A budget with where it stands. */
export const budgetSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  of: ofSchema,
  period: z.enum(BUDGET_PERIODS),
  limitUsd: z.number(),
  levels: z.array(z.int()),
  status: z.object({
    periodStart: z.string(),
    periodEnd: z.string(),
    spentUsd: z.number(),
    /** Of the limit; 1 is all of it. */
    fraction: z.number(),
    /** The highest level that is reached, in percent; null below the first. */
    level: z.int().nullable(),
    /** What will be spent at the end of the period, and when the limit will be; null: not in this period. */
    projectedUsd: z.number(),
    exhaustedAt: z.string().nullable(),
    /** What the projection goes by. */
    basis: z.string(),
    calls: z.number(),
    /** Calls without a known price: they are in no amount here. */
    unpriced: z.number(),
    /** False: of this tag so many values were seen that this one is not told apart. */
    tracked: z.boolean(),
  }),
});
export type Budget = z.infer<typeof budgetSchema>;

/** A level that was crossed: what alerts deliver. */
export const budgetEventSchema = z.object({
  id: z.string(),
  budgetId: z.string(),
  budget: z.string(),
  periodStart: z.string(),
  /** Percent of the limit. */
  level: z.int(),
  spentUsd: z.number(),
  limitUsd: z.number(),
  unpriced: z.number(),
  crossedAt: z.string(),
});
export type BudgetEvent = z.infer<typeof budgetEventSchema>;

const budgetParams = z.object({ id: z.string().max(100).describe('Id of the budget.') });

export const listBudgetsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/budgets',
  auth: 'organization',
  summary: "The organization's budgets: spent so far, projected end, when each will be exhausted",
  query: organizationQuery,
  reply: z.object({ budgets: z.array(budgetSchema) }),
});

export const listBudgetEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/budgets/events',
  auth: 'organization',
  summary: 'Levels of budgets that were crossed, the newest first',
  query: organizationQuery,
  reply: z.object({ events: z.array(budgetEventSchema) }),
});

export const createBudgetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/budgets',
  auth: 'organization',
  role: 'admin',
  summary: 'Set a budget for the organization, a project, a key, an end user or the value of a tag',
  query: organizationQuery,
  body: budgetInputSchema,
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
  reply: budgetSchema,
});

export const deleteBudgetEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/budgets/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a budget and the crossings that it noted',
  query: organizationQuery,
  params: budgetParams,
  status: 204,
});
