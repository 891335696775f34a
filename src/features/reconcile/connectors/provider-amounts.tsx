import type { JSX } from 'react';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { APART_NAMES } from '../apart-names.ts';
import type { Drift } from './contract.ts';

type Apart = Drift['apart'][number];

const COLUMNS: readonly Column<Apart>[] = [
  { id: 'kind', header: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => APART_NAMES[kind] },
  { id: 'label', header: 'Line', wide: true, value: ({ label }) => label, cell: ({ label }) => label },
  {
    id: 'connector',
    header: 'Connector',
    value: ({ connector }) => connector,
    cell: ({ connector }) => connector,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    value: ({ amount }) => Math.abs(amount),
    cell: ({ amount, currency }) => `${amount.toFixed(2)} ${currency}`,
  },
];

/** Amounts of providers that no other figure includes. */
export const ProviderAmounts = ({ apart }: { apart: readonly Apart[] }): JSX.Element | null =>
  apart.length === 0 ? null : (
    <Panel title="Shown apart" detail="no other figure includes these amounts" flush>
      <DataTable
        label="Amounts that are not compared"
        columns={COLUMNS}
        rows={apart}
        rowKey={({ connector, kind, label, currency }) => `${connector} ${kind} ${currency} ${label}`}
        sort={{ id: 'amount', desc: true }}
      />
    </Panel>
  );
