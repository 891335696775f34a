import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { moneyColumn } from '../../lib/money-column.ts';
import type { KeyRow } from '../keys/contract.ts';
import { BudgetBar } from './budget-bar.tsx';
import { BudgetName, EventsLink, eventsOf, PERIODS, subjectOf } from './budget-subject.tsx';
import type {
  Budget,
  deleteBudgetEndpoint,
  listBudgetEventsEndpoint,
  listBudgetsEndpoint,
} from './contract.ts';

const listBudgetsApi = endpointOf<typeof listBudgetsEndpoint>('GET /v1/budgets');
const budgetEventsApi = endpointOf<typeof listBudgetEventsEndpoint>('GET /v1/budgets/events');
const deleteBudgetApi = endpointOf<typeof deleteBudgetEndpoint>('DELETE /v1/budgets/:id');

type Props = {
  readonly budgets: readonly Budget[];
  /** Names of the organization's projects by id. */
  readonly projects: ReadonlyMap<string, string>;
  /** Keys of this project; keys of others appear by their ids. */
  readonly keys: readonly KeyRow[];
  /** Null for those who may not edit. */
  readonly onEdit: ((budget: Budget) => void) | null;
};

/** The budgets with their status, most used first. */
export function BudgetTable({ budgets, projects, keys, onEdit }: Props): JSX.Element {
  const { organizationId } = useMember();
  const names = { projects, keys: new Map(keys.map(({ id, name }) => [id, name])) };
  const projectOfKey = (keyId: string): string | undefined => keys.find(({ id }) => id === keyId)?.projectId;
  const spent = moneyColumn(
    budgets.map(({ status }) => status.spentUsd),
    4,
  );
  const limit = moneyColumn(
    budgets.map(({ limitUsd }) => limitUsd),
    6,
  );
  const projected = moneyColumn(
    budgets.flatMap(({ status }) => status.projectedUsd ?? []),
    4,
  );
  const columns: Column<Budget>[] = [
    {
      id: 'name',
      header: 'Budget',
      wide: true,
      value: ({ name }) => name,
      cell: (budget) => <BudgetName budget={budget} subject={subjectOf(budget.of, names)} />,
    },
    {
      id: 'fraction',
      header: 'Used',
      value: ({ status }) => status.fraction,
      cell: (budget) => <BudgetBar budget={budget} />,
    },
    {
      id: 'spent',
      header: 'Spent',
      align: 'right',
      value: ({ status }) => status.spentUsd,
      cell: (budget) => {
        const events = eventsOf(budget, [...projects.keys()], projectOfKey);
        const text = spent(budget.status.spentUsd);
        return events === null ? text : <EventsLink {...events}>{text}</EventsLink>;
      },
    },
    {
      id: 'limit',
      header: 'Limit',
      align: 'right',
      value: ({ limitUsd }) => limitUsd,
      cell: ({ limitUsd }) => limit(limitUsd),
    },
    { id: 'period', header: 'Per', value: ({ period }) => period, cell: ({ period }) => PERIODS[period] },
    {
      id: 'projected',
      header: 'Forecast',
      align: 'right',
      value: ({ status }) => status.projectedUsd ?? -1,
      cell: ({ status, limitUsd }) => (
        <span
          className={
            status.projectedUsd === null ? 'dim' : status.projectedUsd > limitUsd ? 'bad' : undefined
          }
          title={`Based on ${status.basis}`}
        >
          {status.projectedUsd === null ? '–' : projected(status.projectedUsd)}
        </span>
      ),
    },
    {
      id: 'exhausted',
      header: 'Runs out',
      value: ({ status }) => (status.fraction >= 1 ? '' : (status.exhaustedAt ?? '~')),
      cell: (budget) => <Exhausted budget={budget} />,
    },
    ...(onEdit === null ? [] : [actionsColumn(onEdit, organizationId)]),
  ];
  return (
    <DataTable
      label="Budgets"
      phone={['name', 'fraction', 'spent']}
      columns={columns}
      rows={budgets}
      rowKey={({ id }) => id}
      sort={{ id: 'fraction', desc: true }}
    />
  );
}

const Exhausted = ({ budget: { status, period } }: { budget: Budget }): JSX.Element => {
  if (status.fraction >= 1) return <span className="badge bad">Exceeded</span>;
  if (status.exhaustedAt === null)
    return <span className="dim">{period === 'day' ? 'not today' : `not this ${period}`}</span>;
  const text = period === 'day' ? timeText.clock : timeText.minute;
  return <span className="num">{text(status.exhaustedAt, UTC)} UTC</span>;
};

const actionsColumn = (onEdit: (budget: Budget) => void, organizationId: string): Column<Budget> => ({
  id: 'actions',
  header: '',
  cell: (budget) => (
    <span className="row-actions">
      <Button variant="default" size="compact-xs" onClick={() => onEdit(budget)}>
        Edit
      </Button>
      <Remove budget={budget} organizationId={organizationId} />
    </span>
  ),
});

function Remove({ budget, organizationId }: { budget: Budget; organizationId: string }): JSX.Element {
  const remove = useChange({
    failed: 'The budget was not removed',
    send: () => send(deleteBudgetApi, { params: { id: budget.id }, query: { organizationId } }),
    stale: [listBudgetsApi, budgetEventsApi],
    done: `${budget.name} was removed`,
  });
  return (
    <Confirm
      label="Remove"
      title={`Remove ${budget.name}?`}
      confirm="Remove budget"
      onConfirm={() => remove.mutate()}
    >
      This deletes the budget and its threshold history. Events stay.
    </Confirm>
  );
}
