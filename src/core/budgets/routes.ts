import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  createBudgetEndpoint,
  deleteBudgetEndpoint,
  listBudgetEventsEndpoint,
  listBudgetsEndpoint,
  updateBudgetEndpoint,
} from './contract.ts';
import { listBudgets } from './list-budgets.ts';
import { listBudgetEvents } from './queries.ts';
import { removeBudget, setBudget } from './set-budget.ts';

export const listBudgetsRoute = route(listBudgetsEndpoint, async (ctx, { query }, caller) => ({
  budgets: [...(await listBudgets(ctx, caller, query.filter))],
}));

export const listBudgetEventsRoute = route(
  listBudgetEventsEndpoint,
  async (ctx, _input, { organizationId }) => ({
    events: await listBudgetEvents(ctx, organizationId),
  }),
);

export const createBudgetRoute = route(createBudgetEndpoint, (ctx, input, caller) =>
  setBudget(ctx, actorOf(caller, input), {
    organization: caller,
    id: null,
    input: input.body,
  }),
);

export const updateBudgetRoute = route(updateBudgetEndpoint, (ctx, input, caller) =>
  setBudget(ctx, actorOf(caller, input), {
    organization: caller,
    id: input.params.id,
    input: input.body,
  }),
);

export const deleteBudgetRoute = route(deleteBudgetEndpoint, async (ctx, input, caller) => {
  const { organizationId } = caller;
  await removeBudget(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
  return null;
});
