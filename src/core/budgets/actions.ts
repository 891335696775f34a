import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findOrganization } from '../orgs/index.ts';
import { operatorOrganization } from '../tenancy/index.ts';
import { budgetInputSchema } from './contract.ts';
import { findBudget } from './queries.ts';
import { removeBudget, setBudget } from './set-budget.ts';

/** `budgets.set`: a new budget, or in the place of `id`. */
export const setBudgetAction = defineAction({
  name: 'budgets.set',
  input: z.object({ organization: idOrName, id: z.string().max(100).optional(), budget: budgetInputSchema }),
  run: async (ctx, { organization, id, budget }, actor) => {
    const scope = operatorOrganization((await findOrganization(ctx, organization)).id);
    return setBudget(ctx, actor, { organization: scope, id: id ?? null, input: budget });
  },
});

/** `budgets.remove`. */
export const removeBudgetAction = defineAction({
  name: 'budgets.remove',
  input: z.object({ id: z.string().min(1).max(100) }),
  run: async (ctx, { id }, actor) => {
    const { organizationId } = await findBudget(ctx, id);
    await removeBudget(ctx, actor, { organizationId, id });
    return { id };
  },
});
