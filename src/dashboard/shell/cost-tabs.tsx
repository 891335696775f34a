import type { JSX } from 'react';
import { PageTabs } from './page-tabs.tsx';

/** The pages about money: one entry of the navigation, told apart by tabs. */
export const COST_PAGES = [
  { page: 'costs', label: 'Costs' },
  { page: 'costs/statement', label: 'Statement' },
  { page: 'costs/repricing', label: 'Re-pricing' },
  { page: 'costs/reconcile', label: 'Reconcile' },
  { page: 'costs/drift', label: 'Drift' },
  { page: 'costs/what-if', label: 'What-if' },
] as const;

/** The way between the pages about money: the first thing on each of them. */
export const CostTabs = (): JSX.Element => <PageTabs label="Costs" pages={COST_PAGES} />;
