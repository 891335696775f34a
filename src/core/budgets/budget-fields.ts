import type { RowFields } from '../../lib/filter/rows.ts';
import type { Budget, BudgetOf } from './contract.ts';

const KINDS: Readonly<Record<BudgetOf['kind'], true>> = {
  organization: true,
  project: true,
  key: true,
  user: true,
  tag: true,
  agent: true,
  tool: true,
};
const PERIODS: Readonly<Record<Budget['period'], true>> = { day: true, week: true, month: true };
const STATUSES = ['exceeded', 'near', 'ok'] as const;

/** Exceeded: all is spent. Near: a threshold is crossed. */
const statusOf = ({ status }: Budget): (typeof STATUSES)[number] =>
  status.fraction >= 1 ? 'exceeded' : status.level === null ? 'ok' : 'near';

/** What a budget is of under one name; nothing if it is of something else. */
const partOf = (of: BudgetOf, name: 'keyId' | 'userId' | 'agent' | 'tool'): readonly string[] =>
  name in of ? [String(of[name as keyof BudgetOf])] : [];

/**
 * The fields by which budgets are filtered.
 * @param projectName of a project by its id; undefined for one that is not known
 */
export const budgetFields = (projectName: (id: string) => string | undefined): RowFields<Budget> => ({
  name: { label: 'Name', type: 'text', example: 'name:*production*', of: ({ name }) => [name] },
  status: { label: 'Status', type: 'choice', choices: STATUSES, of: statusOf },
  kind: { label: 'For', type: 'choice', choices: Object.keys(KINDS), of: ({ of }) => of.kind },
  period: { label: 'Period', type: 'choice', choices: Object.keys(PERIODS), of: ({ period }) => period },
  project: {
    label: 'Project',
    type: 'text',
    of: ({ of }) =>
      'projectId' in of && of.projectId !== undefined ? [of.projectId, projectName(of.projectId) ?? ''] : [],
  },
  key: { label: 'API key', type: 'text', of: ({ of }) => partOf(of, 'keyId') },
  user: { label: 'End user', type: 'text', of: ({ of }) => partOf(of, 'userId') },
  agent: { label: 'Agent', type: 'text', of: ({ of }) => partOf(of, 'agent') },
  tool: { label: 'Tool', type: 'text', of: ({ of }) => partOf(of, 'tool') },
  tag: {
    label: 'Tag',
    type: 'named',
    example: 'tag.team:search',
    of: ({ of }, name) => (of.kind === 'tag' && of.tag === name ? [of.value] : []),
  },
  used: {
    label: 'Used, in percent',
    type: 'number',
    example: 'used>80',
    of: ({ status }) => status.fraction * 100,
  },
  spent: { label: 'Spent in USD', type: 'number', example: 'spent>100', of: ({ status }) => status.spentUsd },
  limit: { label: 'Limit in USD', type: 'number', example: 'limit:100..500', of: ({ limitUsd }) => limitUsd },
  forecast: {
    label: 'Forecast in USD',
    type: 'number',
    example: 'forecast>100',
    of: ({ status }) => status.projectedUsd,
  },
});
