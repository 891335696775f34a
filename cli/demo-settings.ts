import type { App } from '../src/app.ts';
import type { EventInput } from '../src/core/events/contract.ts';
import type { BudgetInput } from '../src/features/budgets/contract.ts';

/** Keys that the demo's traffic comes with, beside that of whoever tries it. */
const KEYS = { backend: 'backend', nightly: 'nightly index', staging: 'staging' } as const;

type KeyOf = (event: EventInput) => string | undefined;

/**
 * The keys with which the demo's events come: its backend's, its nightly job's, and that of all that is not
 * in production. Made at the first start.
 */
export const demoKeys = async (app: App, projectId: string): Promise<KeyOf> => {
  const { createKey, listKeys } = await import('../src/core/keys/index.ts');
  const ids = new Map((await listKeys(app.ctx, projectId)).map(({ name, id }) => [name, id]));
  for (const name of Object.values(KEYS)) {
    if (!ids.has(name)) ids.set(name, (await app.act(createKey, { project: projectId, name })).id);
  }
  return ({ environment, tags }) => {
    if (environment !== 'production') return ids.get(KEYS.staging);
    return ids.get(tags?.feature === 'indexing' ? KEYS.nightly : KEYS.backend);
  };
};

/** Budgets that show what budgets do: one in order, one that will not last, one that is used up. */
const budgetsOf = (projectId: string): BudgetInput[] => {
  const levels = [50, 80, 100];
  return [
    { name: 'All of Acme', of: { kind: 'organization' }, period: 'month', limitUsd: 60, levels },
    {
      name: 'Assistant feature',
      of: { kind: 'tag', tag: 'feature', value: 'assistant' },
      period: 'month',
      limitUsd: 16,
      levels,
    },
    { name: 'Maya', of: { kind: 'user', projectId, userId: 'maya' }, period: 'month', limitUsd: 4, levels },
    { name: 'Any one day', of: { kind: 'project', projectId }, period: 'day', limitUsd: 2.5, levels },
  ];
};

/** Sets the demo's budgets; an organization that has some keeps them. */
export const setDemoBudgets = async (app: App, organizationId: string, projectId: string): Promise<void> => {
  const [{ setBudgetAction }, { listBudgetRows }] = await Promise.all([
    import('../src/features/budgets/actions.ts'),
    import('../src/features/budgets/queries.ts'),
  ]);
  if ((await listBudgetRows(app.ctx, organizationId)).length > 0) return;
  for (const budget of budgetsOf(projectId))
    await app.act(setBudgetAction, { organization: organizationId, budget });
};
