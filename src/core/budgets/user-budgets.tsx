import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { countText, moneyText, percentText } from '../../lib/figures.ts';
import type { Budget, listBudgetsEndpoint } from './contract.ts';
import css from './user-budgets.module.css';

const listBudgetsApi = endpointOf<typeof listBudgetsEndpoint>('GET /v1/budgets');

const PERIODS: Readonly<Record<Budget['period'], string>> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
};

/** The budgets of one end user with their status; nothing if there are none. */
export function UserBudgets({ userId }: { userId: string }): JSX.Element | null {
  const projectId = useProjectId();
  const { organizationId } = useMember();
  const { data } = useApi(listBudgetsApi, { query: { organizationId } }, { enabled: organizationId !== '' });
  const own = (data?.budgets ?? []).filter(
    ({ of }) => of.kind === 'user' && of.projectId === projectId && of.userId === userId,
  );
  if (own.length === 0) return null;
  return (
    <Panel title={own.length === 1 ? 'Budget' : 'Budgets'}>
      <div className="stack">
        {own.map((budget) => (
          <BudgetLine key={budget.id} budget={budget} />
        ))}
      </div>
    </Panel>
  );
}

function BudgetLine({ budget: { name, period, limitUsd, status } }: { budget: Budget }): JSX.Element {
  const over = status.fraction >= 1;
  return (
    <div className={`${css.budgetLine} num`}>
      <span>
        {name} <span className="dim">{`${moneyText(limitUsd)} ${PERIODS[period]}`}</span>
      </span>
      <span className={over ? 'bad' : undefined}>
        {moneyText(status.spentUsd)} <span className="dim">{percentText(status.fraction)}</span>
      </span>
      <div className="quota">
        <span
          className={`quota-used ${over ? 'quota-high' : ''}`}
          style={{ width: `${Math.min(100, status.fraction * 100)}%` }}
        />
      </div>
      <span className="dim">
        {over
          ? 'Exceeded'
          : status.exhaustedAt === null
            ? `Forecast: ${status.projectedUsd === null ? '–' : moneyText(status.projectedUsd)} by ${timeText.day(status.periodEnd, UTC)}`
            : `Forecast: runs out on ${timeText.day(status.exhaustedAt, UTC)}`}
        {status.unpriced > 0 && `; ${countText(status.unpriced, 'call')} without a price, not included`}
      </span>
    </div>
  );
}
