import type { JSX } from 'react';
import { costColumn } from '../../../core/pricing/money.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import type { Callee } from '../contract.ts';
import { countColumn, failedColumn, timeColumn } from './columns.tsx';
import { NodeLink } from './node-link.tsx';

type Props = {
  readonly title: string;
  readonly rows: readonly Callee[];
  readonly empty: string;
};

/** Calls from or to an agent or tool, by what is at the other end. */
export const CalleeTable = ({ title, rows, empty }: Props): JSX.Element => (
  <Panel title={title} flush>
    {rows.length === 0 ? (
      <Notice title={empty} />
    ) : (
      <DataTable
        label={title}
        phone={['name', 'calls', 'failed', 'cost']}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ kind, name }) => `${kind}:${name}`}
        sort={{ id: 'calls', desc: true }}
      />
    )}
  </Panel>
);

const COLUMNS: Column<Callee>[] = [
  {
    id: 'name',
    header: 'Name',
    wide: true,
    value: ({ name }) => name,
    cell: ({ kind, name }) => <NodeLink kind={kind} name={name} className="row-link" />,
  },
  { id: 'kind', header: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind },
  countColumn('calls', 'Calls', ({ calls }) => calls),
  failedColumn(({ errors, calls }) => ({ failed: errors, all: calls })),
  timeColumn('latencyP50', 'Median', ({ latencyP50 }) => latencyP50),
  timeColumn('latencyP95', 'p95', ({ latencyP95 }) => latencyP95),
  {
    ...costColumn<Callee>(({ kind, cost, unpriced, calls }) => ({
      usd: cost,
      unpriced,
      calls: kind === 'model' ? calls : 0,
    })),
    value: ({ cost }) => cost,
  },
];
