import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  createBudgetEndpoint,
  deleteBudgetEndpoint,
  listBudgetEventsEndpoint,
  listBudgetsEndpoint,
  updateBudgetEndpoint,
} from './contract.ts';
import { listBudgetEvents, listBudgetRows } from './queries.ts';
import { removeBudget, setBudget } from './set-budget.ts';
import { withStatus } from './status.ts';

export const listBudgetsRoute = route(listBudgetsEndpoint, async (ctx, _input, caller) => ({
  budgets: await withStatus(ctx, caller, await listBudgetRows(ctx, caller.organizationId)),
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
