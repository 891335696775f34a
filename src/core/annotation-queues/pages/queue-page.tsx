import { Button, SegmentedControl } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { QueueDetail, QueueItem } from '../contract.ts';
import { AgreementPanel } from './agreement-panel.tsx';
import { addApi, deleteApi, itemsApi, listApi, queueApi, removeApi } from './queues-api.ts';
import { foundOf, SourceFields } from './source-fields.tsx';
import { valueText } from './value-text.ts';

const QueueDialog = lazy(async () => ({ default: (await import('./queue-dialog.tsx')).QueueDialog }));

/** A queue: its progress, how far its annotators agree, and its items. */
export function AnnotationQueuePage(): JSX.Element {
  const { queueId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const queue = useApi(queueApi, { params: { id }, query: { projectId } });
  return (
    <Page
      title={queue.data?.name ?? 'Annotation queue'}
      back={<ProjectLink page="annotation-queues">Annotation</ProjectLink>}
      actions={queue.data && <Actions queue={queue.data} />}
      scoped={false}
    >
      <Loaded of={queue} loading={<LoadingRows rows={12} />}>
        {(data) => <Body queue={data} />}
      </Loaded>
    </Page>
  );
}

function Body({ queue }: { readonly queue: QueueDetail }): JSX.Element {
  return (
    <div className="stack">
      {queue.instructions !== '' && <p className="dim">{queue.instructions}</p>}
      <Panel flush>
        <Kpis
          kpis={[
            { id: 'items', label: 'Items', kind: 'count', value: queue.items },
            { id: 'done', label: 'Done', kind: 'count', value: queue.done },
            { id: 'annotations', label: 'Annotations', kind: 'count', value: queue.annotations },
            { id: 'mine', label: 'Annotated by you', kind: 'count', value: queue.mine.done },
            { id: 'open', label: 'Waiting for you', kind: 'count', value: queue.mine.open },
          ]}
        />
      </Panel>
      <AgreementPanel queue={queue} />
      <Items queue={queue} />
    </div>
  );
}

const FILTERS = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'disagreed', label: 'Different values' },
];

function Items({ queue: { id } }: { readonly queue: QueueDetail }): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const { search } = useScope('annotation-queues/$queueId');
  const setSearch = useSetSearch<'annotation-queues/$queueId'>();
  const only = FILTERS.find(({ value }) => value !== '' && value === search.only)?.value as
    | 'open'
    | 'done'
    | 'disagreed'
    | undefined;
  const pages = usePages(itemsApi, { params: { id }, query: { projectId, only } });
  const remove = useChange({
    failed: 'The item was not removed',
    send: (no: number) => send(removeApi, { params: { id, no }, query: { projectId } }),
    stale: [itemsApi, queueApi, listApi],
  });
  return (
    <Panel
      title="Items"
      flush
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Shown items"
          data={FILTERS}
          value={only ?? ''}
          onChange={(value) => setSearch({ only: value || undefined })}
        />
      }
    >
      <Paged
        pages={pages}
        rowsOf={({ items }) => items}
        more="More items"
        empty={
          <Notice icon="annotate" title={only === undefined ? 'No items yet' : 'No such items'}>
            {only === undefined ? 'Add traces by a filter, or choose them in the list of traces.' : undefined}
          </Notice>
        }
      >
        {(rows) => (
          <DataTable
            label="Items"
            columns={columnsOf(id, may('member') ? (no) => remove.mutate(no) : null)}
            rows={rows}
            rowKey={({ no }) => String(no)}
          />
        )}
      </Paged>
    </Panel>
  );
}

const columnsOf = (queueId: string, remove: ((no: number) => void) | null) =>
  withCells<QueueItem>([
    {
      id: 'no',
      header: 'Item',
      value: ({ no }) => no,
      cell: ({ no }) => (
        <ProjectLink
          page="annotation-queues/$queueId/annotate"
          params={{ queueId }}
          search={{ item: String(no) }}
          className="row-link"
        >
          Item {no}
        </ProjectLink>
      ),
    },
    {
      id: 'trace',
      header: 'Trace',
      value: ({ traceId }) => traceId,
      cell: ({ traceId, spanId }) => (
        <ProjectLink
          page="traces/$traceId"
          params={{ traceId }}
          search={spanId === null ? {} : { span: spanId }}
        >
          <span className="mono">{traceId.slice(0, 16)}</span>
        </ProjectLink>
      ),
    },
    {
      id: 'said',
      header: 'Values',
      wide: true,
      wraps: true,
      value: ({ annotations }) => annotations.filter(({ state }) => state === 'done').length,
      cell: ({ annotations }) =>
        annotations.length === 0 ? (
          <span className="dim">–</span>
        ) : (
          annotations.map(({ userId, name, state, scores, comment }) => (
            <div key={userId}>
              <span className="dim">{name ?? 'Somebody who left'}:</span>{' '}
              {state === 'claimed' && <span className="dim">looks at it</span>}
              {state === 'skipped' && <span className="dim">skipped</span>}
              {Object.entries(scores)
                .map(([score, value]) => `${score} ${valueText(value)}`)
                .join(', ')}
              {comment !== null && <span className="dim"> – {comment}</span>}
            </div>
          ))
        ),
    },
    ...(remove === null
      ? []
      : [
          {
            id: 'do',
            header: '',
            cell: ({ no }: QueueItem) => (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`Remove item ${no}`}
                onClick={() => remove(no)}
              >
                Remove
              </Button>
            ),
          },
        ]),
  ]);

function Actions({ queue }: { readonly queue: QueueDetail }): JSX.Element | false {
  const { id, name, mine } = queue;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const [open, setOpen] = useState<'edit' | 'add' | null>(null);
  const remove = useChange({
    failed: 'The queue was not deleted',
    send: async () => {
      await send(deleteApi, { params: { id }, query: { projectId } });
      await navigate({ to: pagePath(projectId, 'annotation-queues') });
    },
    stale: [listApi],
  });
  const close = (): void => setOpen(null);
  if (!may('member')) return false;
  return (
    <>
      <Confirm
        label="Delete"
        size="xs"
        title={`Delete ${name}?`}
        confirm="Delete queue"
        onConfirm={() => remove.mutate()}
      >
        Who annotated what is forgotten. The scores stay with their traces.
      </Confirm>
      <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('add')}>
        Add items
      </Button>
      <Button
        size="xs"
        disabled={mine.open === 0}
        onClick={() =>
          void navigate({ to: pagePath(projectId, 'annotation-queues/$queueId/annotate', { queueId: id }) })
        }
      >
        Annotate
      </Button>
      {open === 'edit' && (
        <Suspense>
          <QueueDialog queue={queue} onClose={close} />
        </Suspense>
      )}
      {open === 'add' && <AddDialog id={id} onClose={close} />}
    </>
  );
}

function AddDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const form = useSubmit(async (fields) => {
    const find = foundOf(fields, Date.now());
    const { added, known } = await send(addApi, { params: { id }, query: { projectId }, body: { find } });
    if (added + known === 0) throw new Error('No trace matches; change the filter or the days');
    await refresh(itemsApi, queueApi, listApi);
    onClose();
  });
  return (
    <FormDialog title="Add items" form={form} submit="Add items" onClose={onClose}>
      <SourceFields filter="" />
    </FormDialog>
  );
}
