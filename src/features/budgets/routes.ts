import { z } from 'zod';
import { defineRoute } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { budgetEventSchema, budgetInputSchema, budgetSchema } from './contract.ts';
import { listBudgetEvents, listBudgetRows } from './queries.ts';
import { removeBudget, setBudget } from './set-budget.ts';
import { withStatus } from './status.ts';

const ofOrganization = z.object({ organizationId: z.string() });
const one = z.object({ id: z.string().max(100) });

export const listBudgetsRoute = defineRoute({
  method: 'GET',
  path: '/v1/budgets',
  auth: 'organization',
  summary: "The organization's budgets: spent so far, projected end, when each will be exhausted",
  query: ofOrganization,
  reply: z.object({ budgets: z.array(budgetSchema) }),
  handler: async (ctx, _input, { organizationId }) => ({
    budgets: await withStatus(ctx, await listBudgetRows(ctx, organizationId)),
  }),
});

export const listBudgetEventsRoute = defineRoute({
  method: 'GET',
  path: '/v1/budgets/events',
  auth: 'organization',
  summary: 'Levels of budgets that were crossed, the newest first',
  query: ofOrganization,
  reply: z.object({ events: z.array(budgetEventSchema) }),
  handler: async (ctx, _input, { organizationId }) => ({
    events: await listBudgetEvents(ctx, organizationId),
  }),
});

export const createBudgetRoute = defineRoute({
  method: 'POST',
  path: '/v1/budgets',
  auth: 'organization',
  role: 'admin',
  summary: 'Set a budget for the organization, a project, a key, an end user or the value of a tag',
  query: ofOrganization,
  body: budgetInputSchema,
  reply: budgetSchema,
  status: 201,
  handler: (ctx, input, caller) =>
    setBudget(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: null,
      input: input.body,
    }),
});

export const updateBudgetRoute = defineRoute({
  method: 'PUT',
  path: '/v1/budgets/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Replace a budget',
  query: ofOrganization,
  params: one,
  body: budgetInputSchema,
  reply: budgetSchema,
  handler: (ctx, input, caller) =>
    setBudget(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: input.params.id,
      input: input.body,
    }),
});

export const deleteBudgetRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/budgets/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a budget and the crossings that it noted',
  query: ofOrganization,
  params: one,
  status: 204,
  handler: async (ctx, input, caller) => {
    const { organizationId } = caller;
    await removeBudget(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
    return null;
  },
});
