import type { JSX } from 'react';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { numberText } from '../../lib/figures.ts';
import type { ApartKind } from './contract.ts';

/** Of an export with its rows, or of a connector. */
type Apart = {
  readonly kind: ApartKind;
  readonly label: string;
  readonly currency: string;
  readonly amount: number;
  readonly rows?: number;
  readonly connector?: string;
};

const KINDS: Readonly<Record<ApartKind, string>> = {
  credit: 'Credit or discount',
  tax: 'Tax',
  restated: 'Correction',
  currency: 'Other currency',
  tool: 'No tokens',
  service: 'Other service',
};

const CONNECTOR: Column<Apart> = {
  id: 'connector',
  header: 'Connector',
  value: ({ connector }) => connector ?? '',
  cell: ({ connector }) => connector,
};
const ROWS: Column<Apart> = {
  id: 'rows',
  header: 'Rows',
  align: 'right',
  value: ({ rows }) => rows ?? 0,
  cell: ({ rows }) => numberText(rows ?? 0),
};

const columnsOf = (apart: readonly Apart[]): Column<Apart>[] => [
  { id: 'kind', header: 'Kind', value: ({ kind }) => KINDS[kind], cell: ({ kind }) => KINDS[kind] },
  { id: 'label', header: 'Line', wide: true, value: ({ label }) => label, cell: ({ label }) => label },
  apart.some(({ connector }) => connector !== undefined) ? CONNECTOR : ROWS,
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    value: ({ amount }) => Math.abs(amount),
    cell: ({ amount, currency }) => `${amount.toFixed(2)} ${currency}`,
  },
];

/** Amounts of an export or a provider that no other figure includes. */
export const ApartPanel = ({ apart }: { apart: readonly Apart[] }): JSX.Element | null =>
  apart.length === 0 ? null : (
    <Panel title="Shown apart" detail="no other figure includes these amounts" flush>
      <DataTable
        label="Amounts that are not compared"
        columns={columnsOf(apart)}
        rows={apart}
        rowKey={({ connector, kind, label, currency }) => `${connector} ${kind} ${currency} ${label}`}
        sort={{ id: 'amount', desc: true }}
      />
    </Panel>
  );
