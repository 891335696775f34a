import type { JSX } from 'react';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { numberText } from '../../lib/figures.ts';
import { APART_NAMES } from './apart-names.ts';
import type { Reconciliation } from './contract.ts';

type Apart = Reconciliation['apart'][number];

const COLUMNS: readonly Column<Apart>[] = [
  {
    id: 'kind',
    header: 'Kind',
    value: ({ kind }) => APART_NAMES[kind],
    cell: ({ kind }) => APART_NAMES[kind],
  },
  { id: 'label', header: 'Line', wide: true, value: ({ label }) => label, cell: ({ label }) => label },
  {
    id: 'rows',
    header: 'Rows',
    align: 'right',
    value: ({ rows }) => rows,
    cell: ({ rows }) => numberText(rows),
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    value: ({ amount }) => Math.abs(amount),
    cell: ({ amount, currency }) => `${amount.toFixed(2)} ${currency}`,
  },
];

/** Amounts of an export that no other figure includes. */
export const ApartPanel = ({ apart }: { apart: readonly Apart[] }): JSX.Element | null =>
  apart.length === 0 ? null : (
    <Panel title="Shown apart" detail="no other figure includes these amounts" flush>
      <DataTable
        label="Amounts that are not compared"
        columns={COLUMNS}
        rows={apart}
        rowKey={({ kind, label, currency }) => `${kind} ${currency} ${label}`}
        sort={{ id: 'amount', desc: true }}
      />
    </Panel>
  );
