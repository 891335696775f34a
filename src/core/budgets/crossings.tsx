import type { JSX } from 'react';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, UTC, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { moneyColumn } from '../../lib/money-column.ts';
import type { BudgetEvent } from './contract.ts';

/** When spending crossed a threshold: once per period for each. */
export function Crossings({ events, zone }: { events: readonly BudgetEvent[]; zone: Zone }): JSX.Element {
  if (events.length === 0)
    return (
      <Notice icon="check" title="No threshold crossed yet">
        Budgets are checked every minute.
      </Notice>
    );
  const spent = moneyColumn(
    events.map(({ spentUsd }) => spentUsd),
    4,
  );
  const limit = moneyColumn(events.map(({ limitUsd }) => limitUsd));
  const columns: Column<BudgetEvent>[] = [
    {
      id: 'at',
      header: 'Time',
      value: ({ crossedAt }) => crossedAt,
      cell: ({ crossedAt }) => timeText.minute(crossedAt, zone),
    },
    {
      id: 'budget',
      header: 'Budget',
      wide: true,
      value: ({ budget }) => budget,
      cell: ({ budget }) => budget,
    },
    {
      id: 'level',
      header: 'Threshold',
      align: 'right',
      value: ({ level }) => level,
      cell: ({ level }) => <span className={`badge ${level >= 100 ? 'bad' : 'warn'}`}>{level}%</span>,
    },
    {
      id: 'spent',
      header: 'Spent',
      align: 'right',
      value: ({ spentUsd }) => spentUsd,
      cell: ({ spentUsd }) => spent(spentUsd),
    },
    {
      id: 'limit',
      header: 'Limit',
      align: 'right',
      value: ({ limitUsd }) => limitUsd,
      cell: ({ limitUsd }) => limit(limitUsd),
    },
    {
      id: 'unpriced',
      header: 'Unpriced',
      align: 'right',
      value: ({ unpriced }) => unpriced,
      cell: ({ unpriced }) =>
        unpriced === 0 ? (
          <span className="dim">–</span>
        ) : (
          <span className="warn">{numberText(unpriced)}</span>
        ),
    },
    {
      id: 'period',
      header: 'Period start',
      value: ({ periodStart }) => periodStart,
      cell: ({ periodStart }) => timeText.date(periodStart, UTC),
    },
  ];
  return (
    <DataTable
      label="Threshold history"
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      sort={{ id: 'at', desc: true }}
    />
  );
}
