import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import css from './cost-tabs.module.css';
import { pagePath, searchFrom } from './project-link.tsx';
import { useProjectId } from './scope/scope.ts';

/** The pages about money: one entry of the navigation, told apart by tabs. */
export const COST_PAGES = [
  { page: 'costs', label: 'Costs' },
  { page: 'costs/statement', label: 'Statement' },
  { page: 'costs/repricing', label: 'Re-pricing' },
  { page: 'costs/reconcile', label: 'Reconcile' },
  { page: 'costs/what-if', label: 'What-if' },
] as const;

/** The way between the pages about money: the first thing on each of them. */
export function CostTabs(): JSX.Element {
  const projectId = useProjectId();
  return (
    <nav aria-label="Costs" className={css.tabs}>
      {COST_PAGES.map(({ page, label }) => (
        <Link
          key={page}
          to={pagePath(projectId, page)}
          search={(before) => searchFrom(before)}
          className={css.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
