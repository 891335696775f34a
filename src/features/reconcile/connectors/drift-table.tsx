import type { JSX } from 'react';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { numberText } from '../../../lib/figures.ts';
import { moneyColumn, signed } from '../../../lib/money-column.ts';
import type { DriftLine } from './contract.ts';

/** Maximum number of rows shown; the API has more. */
const MAX_ROWS = 400;
const DECIMALS = 4;
const unknown = <span className="dim">–</span>;

/** Days and models of providers and of the ledger, largest difference first. */
export function DriftTable({ lines }: { lines: readonly DriftLine[] }): JSX.Element {
  const write = moneyColumn(
    lines.flatMap(({ providerUsd, ledgerUsd }) => [providerUsd ?? 0, ledgerUsd ?? 0]),
    DECIMALS,
  );
  const drift = signed(write);
  const money = (usd: number | null) => (usd === null ? unknown : write(usd));
  const columns: Column<DriftLine>[] = [
    { id: 'day', header: 'Day', value: ({ day }) => day, cell: ({ day }) => day },
    {
      id: 'model',
      header: 'Model',
      value: ({ model }) => model,
      cell: ({ model, connector }) => <span title={connector}>{model}</span>,
    },
    { id: 'reason', header: 'Reason', wraps: true, cell: (line) => <Reason line={line} write={write} /> },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      value: ({ ledgerCalls }) => ledgerCalls,
      cell: ({ providerCalls, ledgerCalls }) => (
        <span title="provider → ledger">
          {providerCalls === null ? '–' : numberText(providerCalls)} → {numberText(ledgerCalls)}
        </span>
      ),
    },
    {
      id: 'provider',
      header: 'Provider',
      align: 'right',
      value: ({ providerUsd }) => providerUsd ?? 0,
      cell: ({ providerUsd }) => money(providerUsd),
    },
    {
      id: 'ledger',
      header: 'Ledger',
      align: 'right',
      value: ({ ledgerUsd }) => ledgerUsd ?? 0,
      cell: ({ ledgerUsd }) => money(ledgerUsd),
    },
    {
      id: 'drift',
      header: 'Difference',
      align: 'right',
      value: ({ driftUsd }) => Math.abs(driftUsd ?? 0),
      cell: ({ driftUsd, driftPercent, over }) =>
        driftUsd === null ? (
          unknown
        ) : (
          <span
            className={over ? 'bad' : ''}
            title={driftPercent === null ? '' : `${driftPercent.toFixed(1)}%`}
          >
            {drift(driftUsd)}
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Drift by day and model"
      columns={columns}
      rows={lines.slice(0, MAX_ROWS)}
      rowKey={({ connector, day, model }) => `${connector} ${day} ${model}`}
      sort={{ id: 'drift', desc: true }}
    />
  );
}

/** Why a line differs, and whether the provider changed it. */
function Reason({ line, write }: { line: DriftLine; write: (usd: number) => string }): JSX.Element {
  const { reasons, restatedAt, restatedFromUsd } = line;
  const text = reasons.map((reason) => reason.text).join('; ');
  return (
    <>
      {restatedAt !== null && (
        <span
          className="badge warn"
          title={`The provider changed this day; noticed ${timeText.date(restatedAt, UTC)}`}
        >
          restated{restatedFromUsd === null ? '' : ` from ${write(restatedFromUsd)}`}
        </span>
      )}{' '}
      {text === '' ? restatedAt === null && unknown : text}
    </>
  );
}
