import { Button } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { numberText, percentText } from '../../../lib/figures.ts';
import type { AnnotationQueue } from '../contract.ts';
import { listApi } from './queues-api.ts';

const QueueDialog = lazy(async () => ({ default: (await import('./queue-dialog.tsx')).QueueDialog }));

/** The annotation queues of a project, with progress and what waits for the reader. */
export function AnnotationQueuesPage(): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const [isNew, setIsNew] = useState(false);
  const list = useApi(listApi, { query: { projectId } });
  const add = may('member') && <Button onClick={() => setIsNew(true)}>New queue</Button>;
  return (
    <Page title="Annotation" actions={add} scoped={false}>
      <Panel flush>
        <Loaded of={list} loading={<LoadingRows rows={4} height={49} />}>
          {({ queues }) =>
            queues.length === 0 ? (
              <Notice icon="annotate" title="No annotation queues yet">
                A queue gives people traces to score, one by one. Let two people score the same to see how far
                they agree.
              </Notice>
            ) : (
              <DataTable
                label="Annotation queues"
                phone={['name', 'items', 'done', 'open']}
                columns={columnsOf(may('member'))}
                rows={queues}
                rowKey={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {isNew && (
        <Suspense>
          <QueueDialog queue={null} onClose={() => setIsNew(false)} />
        </Suspense>
      )}
    </Page>
  );
}

const columnsOf = (annotates: boolean) =>
  withCells<AnnotationQueue>([
    {
      id: 'name',
      header: 'Queue',
      wide: true,
      value: ({ name }) => name,
      cell: ({ id, name, scoreNames }) => (
        <>
          <ProjectLink
            page="annotation-queues/$queueId"
            params={{ queueId: id }}
            className="row-link"
            title={name}
          >
            {name}
          </ProjectLink>
          <br />
          <span className="dim clip">{scoreNames.join(', ')}</span>
        </>
      ),
    },
    {
      id: 'items',
      header: 'Items',
      align: 'right',
      value: ({ items }) => items,
      cell: ({ items }) => numberText(items),
    },
    {
      id: 'done',
      header: 'Done',
      align: 'right',
      value: ({ done }) => done,
      cell: ({ done, items }) => (
        <>
          {numberText(done)}
          {items > 0 && <span className="dim"> ({percentText(done / items)})</span>}
        </>
      ),
    },
    { id: 'annotators', header: 'People per item', align: 'right', value: ({ annotators }) => annotators },
    {
      id: 'who',
      header: 'Annotators',
      value: ({ assignees }) => assignees.map(({ name }) => name ?? 'somebody who left').join(', '),
      cell: ({ assignees }) =>
        assignees.length === 0
          ? 'all members'
          : assignees.map(({ name }) => name ?? 'somebody who left').join(', '),
    },
    {
      id: 'open',
      header: 'Waiting for you',
      align: 'right',
      value: ({ mine }) => mine.open,
      cell: ({ id, name, mine }) =>
        mine.open === 0 || !annotates ? (
          numberText(mine.open)
        ) : (
          <ProjectLink
            page="annotation-queues/$queueId/annotate"
            params={{ queueId: id }}
            title={`Annotate ${name}`}
          >
            {numberText(mine.open)}
          </ProjectLink>
        ),
    },
  ]);
