import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useSetSearch, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { Connector } from './contract.ts';

type Props = { readonly connectors: readonly Connector[]; readonly chosen: string | undefined };

/** Connectors, whose figures they fetch, and how the last fetch went. */
export function ConnectorTable({ connectors, chosen }: Props): JSX.Element {
  const zone = useZone();
  const setSearch = useSetSearch<'costs/drift'>();
  const columns: Column<Connector>[] = [
    { id: 'id', header: 'Connector', value: ({ id }) => id, cell: ({ id }) => id },
    {
      id: 'of',
      header: 'Compared with',
      cell: ({ projects, accounts }) => (
        <span title={accounts.length === 0 ? 'all accounts of the provider' : accounts.join(', ')}>
          {projects.length === 0 ? 'all projects' : projects.join(', ')}
        </span>
      ),
    },
    {
      id: 'fetched',
      header: 'Last fetch',
      value: ({ succeededAt }) => succeededAt ?? '',
      cell: ({ succeededAt }) =>
        succeededAt === null ? <span className="dim">never</span> : timeText.minute(succeededAt, zone),
    },
    {
      id: 'days',
      header: 'Days',
      cell: ({ from, to }) => (from === null ? <span className="dim">–</span> : `${from} to ${to}`),
    },
    {
      id: 'figures',
      header: 'Figures',
      align: 'right',
      value: ({ figures }) => figures,
      cell: ({ figures }) => numberText(figures),
    },
    { id: 'state', header: 'State', wraps: true, cell: (connector) => <State of={connector} /> },
  ];
  return (
    <Panel
      title="Connectors"
      actions={
        chosen === undefined ? undefined : (
          <Button variant="default" size="compact-xs" onClick={() => setSearch({ connector: undefined })}>
            Show all
          </Button>
        )
      }
      flush
    >
      <DataTable label="Connectors" columns={columns} rows={connectors} rowKey={({ id }) => id} />
    </Panel>
  );
}

function State({ of: { error, attemptedAt } }: { of: Connector }): JSX.Element {
  if (error !== null)
    return (
      <span className="bad" title={error}>
        {error}
      </span>
    );
  return <span className="dim">{attemptedAt === null ? 'not fetched yet' : 'ok'}</span>;
}
