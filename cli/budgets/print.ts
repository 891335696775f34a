import type { Budget } from '../../src/core/budgets/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { bar, type Cell, knownCost, money } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { percent } from '../report/figures.ts';

const toneOf = ({ levels, status }: Budget): NonNullable<Cell['tone']> => {
  if (status.fraction >= 1) return 'bad';
  return status.level === null || levels.length === 0 ? 'plain' : 'warn';
};

const spentOf = (budget: Budget): Cell => ({
  ...knownCost(money(budget.status.spentUsd), budget.status),
  tone: toneOf(budget),
});

/** One budget per row, with its current state. */
export const budgetColumns: readonly Column<Budget>[] = [
  { header: 'budget', value: ({ name }) => name },
  { header: 'period', value: ({ period }) => period, fixed: true },
  { header: 'spent', value: spentOf },
  { header: 'of', value: ({ limitUsd }) => money(limitUsd) },
  { header: '', value: ({ status }) => percent(status.fraction) },
  {
    header: 'forecast',
    value: ({ status }) => (status.projectedUsd === null ? null : money(status.projectedUsd)),
  },
  {
    header: 'exhausted',
    value: ({ status }) =>
      status.fraction >= 1
        ? { text: 'now', tone: 'bad' }
        : status.exhaustedAt === null
          ? null
          : shortTime(Date.parse(status.exhaustedAt)),
  },
  {
    header: '',
    value: (budget) => ({ ...bar(budget.status.spentUsd, budget.limitUsd, 10), tone: toneOf(budget) }),
    fixed: true,
    spare: true,
  },
];

const untrackedText = ({ kind }: Budget['of']): string =>
  kind === 'tag'
    ? 'its tag has too many values, so this value is not tracked'
    : `not all calls of this period can be read by ${kind}, so the amounts may be too low`;

/** Notes that qualify the figures. */
export const notesOf = (budgets: readonly Budget[]): string[] =>
  budgets.flatMap(({ name, of, status }) => [
    ...(status.unpriced > 0
      ? [`${name}: ${countText(status.unpriced, 'call')} without a known price, not included`]
      : []),
    ...(status.tracked ? [] : [`${name}: ${untrackedText(of)}`]),
  ]);
