import type { Module } from '../../module.ts';
import { removeBudgetAction, setBudgetAction } from './actions.ts';
import { checkBudgets } from './check.ts';
import {
  createBudgetRoute,
  deleteBudgetRoute,
  listBudgetEventsRoute,
  listBudgetsRoute,
  updateBudgetRoute,
} from './routes.ts';

/** What may be spent, how much of it is, and when it will be all. */
export const budgetsModule: Module = {
  name: 'budgets',
  tables: [
    { name: 'budget_events', scope: 'organization', by: 'organization_id', key: ['id'] },
    {
      name: 'budgets',
      scope: 'organization',
      by: 'organization_id',
      alsoBy: 'project_id',
      key: ['id'],
      // Its name, unless somebody gave it another one, has the id too.
      eraseUser: { rename: 'user_id', within: 'name' },
    },
  ],
  routes: [listBudgetsRoute, listBudgetEventsRoute, createBudgetRoute, updateBudgetRoute, deleteBudgetRoute],
  actions: [setBudgetAction, removeBudgetAction],
  jobs: [checkBudgets],
};

export { setBudgetAction } from './actions.ts';
export { listBudgets } from './list-budgets.ts';
export { listBudgetRows } from './queries.ts';
export { withStatus } from './status.ts';
