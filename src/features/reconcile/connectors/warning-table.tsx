import type { JSX } from 'react';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { moneyText } from '../../../lib/figures.ts';
import type { DriftWarning } from './contract.ts';

/** Days and models that reached the threshold, newest first. */
export function WarningTable({ warnings }: { warnings: readonly DriftWarning[] }): JSX.Element | null {
  const zone = useZone();
  if (warnings.length === 0) return null;
  const columns: Column<DriftWarning>[] = [
    {
      id: 'at',
      header: 'Time',
      value: ({ warnedAt }) => warnedAt,
      cell: ({ warnedAt }) => timeText.minute(warnedAt, zone),
    },
    { id: 'day', header: 'Day', value: ({ day }) => day, cell: ({ day }) => day },
    { id: 'model', header: 'Model', wide: true, value: ({ model }) => model, cell: ({ model }) => model },
    {
      id: 'provider',
      header: 'Provider',
      align: 'right',
      value: ({ providerUsd }) => providerUsd,
      cell: ({ providerUsd }) => moneyText(providerUsd),
    },
    {
      id: 'ledger',
      header: 'Ledger',
      align: 'right',
      value: ({ ledgerUsd }) => ledgerUsd,
      cell: ({ ledgerUsd }) => moneyText(ledgerUsd),
    },
    {
      id: 'state',
      header: 'State',
      value: ({ clearedAt }) => clearedAt ?? '',
      cell: ({ clearedAt }) =>
        clearedAt === null ? (
          <span className="badge bad">differs</span>
        ) : (
          <span className="dim">below the threshold since {timeText.date(clearedAt, zone)}</span>
        ),
    },
  ];
  return (
    <Panel title="Warnings" detail="as it was when the threshold was reached" flush>
      <DataTable
        label="Warnings"
        columns={columns}
        rows={warnings}
        rowKey={({ id }) => id}
        sort={{ id: 'at', desc: true }}
      />
    </Panel>
  );
}
