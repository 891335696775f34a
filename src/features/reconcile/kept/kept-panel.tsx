import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { moneyColumn, signed } from '../../../lib/money-column.ts';
import { LAYOUT_NAMES } from '../layout-names.ts';
import type { deleteKeptEndpoint, Kept, listKeptEndpoint } from './contract.ts';
import { NoteDialog } from './keep-dialog.tsx';

const listKeptApi = endpointOf<typeof listKeptEndpoint>('GET /v1/reconciliations');
const deleteKeptApi = endpointOf<typeof deleteKeptEndpoint>('DELETE /v1/reconciliations/:id');

const unknown = <span className="dim">–</span>;

/** Kept comparisons by month. */
export function KeptPanel(): JSX.Element {
  const kept = useApi(listKeptApi, { query: { projectId: useProjectId() } });
  const [month, setMonth] = useState('');
  const months = [...new Set(kept.data?.reconciliations.map((one) => one.month))];
  return (
    <Panel
      title="Kept results"
      detail="as they were when they were kept"
      actions={
        months.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label="Month"
            value={month}
            data={[{ value: '', label: 'All months' }, ...months]}
            onChange={(event) => setMonth(event.currentTarget.value)}
          />
        ) : undefined
      }
      flush
    >
      <Loaded of={kept} loading={<LoadingRows rows={2} />}>
        {({ reconciliations }) =>
          reconciliations.length === 0 ? (
            <Notice icon="table" title="None yet">
              Compare an export, then keep its result with a note.
            </Notice>
          ) : (
            <KeptTable rows={reconciliations.filter((one) => month === '' || one.month === month)} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function KeptTable({ rows }: { rows: readonly Kept[] }): JSX.Element {
  const { may } = useMember();
  const write = moneyColumn(
    rows.flatMap(({ invoiceUsd, booksUsd }) => [invoiceUsd ?? 0, booksUsd ?? 0]),
    2,
  );
  const drift = signed(write);
  const money = (usd: number | null) => (usd === null ? unknown : write(usd));
  const columns: Column<Kept>[] = [
    { id: 'month', header: 'Month', value: ({ month }) => month, cell: ({ month }) => month },
    {
      id: 'name',
      header: 'Name',
      value: ({ name }) => name,
      cell: ({ id, name, layout, from, to }) => (
        <ProjectLink
          page="costs/reconcile"
          search={{ id }}
          title={`${LAYOUT_NAMES[layout]}, ${from} to ${to}`}
          className="row-link"
        >
          {name}
        </ProjectLink>
      ),
    },
    {
      id: 'note',
      header: 'Note',
      wraps: true,
      value: ({ note }) => note,
      cell: ({ note }) => (note === '' ? unknown : note),
    },
    {
      id: 'differing',
      header: 'Lines that differ',
      align: 'right',
      value: ({ differing }) => differing,
      cell: ({ differing, lines }) => `${numberText(differing)} of ${numberText(lines)}`,
    },
    {
      id: 'invoice',
      header: 'Export',
      align: 'right',
      value: ({ invoiceUsd }) => invoiceUsd ?? 0,
      cell: ({ invoiceUsd }) => money(invoiceUsd),
    },
    {
      id: 'books',
      header: 'Ledger',
      align: 'right',
      value: ({ booksUsd }) => booksUsd ?? 0,
      cell: ({ booksUsd }) => money(booksUsd),
    },
    {
      id: 'drift',
      header: 'Difference',
      align: 'right',
      value: ({ driftUsd }) => Math.abs(driftUsd ?? 0),
      cell: ({ driftUsd }) => (driftUsd === null ? unknown : drift(driftUsd)),
    },
    ...(may('member') ? [{ id: 'actions', header: '', cell: (row: Kept) => <Actions kept={row} /> }] : []),
  ];
  return (
    <DataTable
      label="Kept results"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={{ id: 'month', desc: true }}
    />
  );
}

function Actions({ kept }: { kept: Kept }): JSX.Element {
  const { may } = useMember();
  const { projectId, search } = useScope('costs/reconcile');
  const patch = useSetSearch<'costs/reconcile'>();
  const [noting, setNoting] = useState(false);
  const remove = useChange({
    failed: 'The result was not deleted',
    send: () => send(deleteKeptApi, { params: { id: kept.id }, query: { projectId } }),
    stale: [listKeptApi],
    done: `${kept.name} was deleted`,
  });
  return (
    <span className="row-actions">
      <Button variant="default" size="compact-xs" onClick={() => setNoting(true)}>
        Note
      </Button>
      {may('admin') && (
        <Confirm
          label="Delete"
          title={`Delete ${kept.name}?`}
          confirm="Delete"
          disabled={remove.isPending}
          onConfirm={() => {
            if (search.id === kept.id) patch({ id: undefined });
            remove.mutate();
          }}
        >
          The kept result and its note are deleted.
        </Confirm>
      )}
      {noting && <NoteDialog kept={kept} onClose={() => setNoting(false)} />}
    </span>
  );
}
