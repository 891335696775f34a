import type { App } from '../src/app.ts';
import type { BudgetInput } from '../src/core/budgets/contract.ts';
import type { EventInput } from '../src/core/events/input/contract.ts';
import { DAY_MS, formatInstant } from '../src/lib/time.ts';

/** API keys that the demo's traffic uses, in addition to the user's own key. */
const KEYS = { backend: 'backend', nightly: 'nightly index', staging: 'staging' } as const;

type KeyOf = (event: EventInput) => string | undefined;

/**
 * The keys of the demo's events: one for the backend, one for the nightly job, and one for everything outside
 * production. Created at the first start.
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

/** Three kinds of budget: within the limit, forecast to exceed it, exceeded. */
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

/** Creates the demo's budgets, unless the organization has budgets. */
export const setDemoBudgets = async (app: App, organizationId: string, projectId: string): Promise<void> => {
  const { listBudgetRows, setBudgetAction } = await import('../src/core/budgets/index.ts');
  if ((await listBudgetRows(app.ctx, organizationId)).length > 0) return;
  for (const budget of budgetsOf(projectId))
    await app.act(setBudgetAction, { organization: organizationId, budget });
};

/** Creates the demo's scheduled report: the costs of each week, on Mondays, to the demo's owner. */
export const createDemoReport = async (app: App, organizationId: string, userId: string): Promise<void> => {
  const { createReportAction } = await import('../src/features/scheduled-reports/index.ts');
  const report = {
    name: 'Weekly costs',
    period: 'week' as const,
    groupBy: ['model', 'tag:feature'],
    memberIds: [userId],
  };
  await app.act(createReportAction, { organization: organizationId, report });
};

/** Creates the demo's access tokens, unless the organization has tokens. Nobody sees the tokens themselves. */
export const createDemoTokens = async (
  app: App,
  organizationId: string,
  projectId: string,
): Promise<void> => {
  const { createTokenAction, listTokens } = await import('../src/core/access-tokens/index.ts');
  if ((await listTokens(app.ctx, organizationId, { limit: 1 })).accessTokens.length > 0) return;
  const inDays = (days: number): string => formatInstant(app.ctx.now() + days * DAY_MS);
  for (const token of [
    { name: 'finance report', expiresAt: inDays(365) },
    { name: 'cost check in CI', projectId, expiresAt: inDays(90) },
  ])
    await app.act(createTokenAction, { organization: organizationId, scopes: ['read'], ...token });
};
