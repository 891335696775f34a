import { Button } from '@mantine/core';
import { type JSX, useMemo } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import type { Bookmark, deleteBookmarkEndpoint, listBookmarksEndpoint } from './contract.ts';

const listApi = endpointOf<typeof listBookmarksEndpoint>('GET /v1/bookmarks');
const deleteApi = endpointOf<typeof deleteBookmarkEndpoint>('DELETE /v1/bookmarks/:id');

/** The traces, spans and sessions that a project's people keep at hand. */
export function BookmarksPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const list = useApi(listApi, { query: { projectId } });
  const { mutate, isPending } = useChange({
    failed: 'The bookmark was not deleted',
    send: (id: string) => send(deleteApi, { query: { projectId }, params: { id } }),
    stale: [listApi],
  });
  const columns = useMemo(
    (): Column<Bookmark>[] => [
      {
        id: 'name',
        header: 'Bookmark',
        wide: true,
        value: ({ name, sessionId, traceId }) => name || (sessionId ?? traceId ?? ''),
        cell: (bookmark) => <To bookmark={bookmark} />,
      },
      {
        id: 'kind',
        header: 'Kind',
        cell: ({ sessionId, spanId }) =>
          sessionId !== null ? 'Session' : spanId !== null ? 'Span' : 'Trace',
      },
      {
        id: 'by',
        header: 'By',
        cell: ({ author }) => author ?? <span className="dim">somebody who left</span>,
      },
      {
        id: 'when',
        header: 'Bookmarked',
        value: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => timeText.second(createdAt, zone),
      },
      {
        id: 'actions',
        header: '',
        align: 'right',
        cell: ({ id }) =>
          may('member') ? (
            <Button size="compact-xs" variant="default" disabled={isPending} onClick={() => mutate(id)}>
              Delete
            </Button>
          ) : null,
      },
    ],
    [zone, may, mutate, isPending],
  );
  return (
    <Page title="Bookmarks" scoped={false}>
      <Panel flush>
        <Loaded of={list} loading={<LoadingRows rows={4} />}>
          {({ bookmarks }) =>
            bookmarks.length === 0 ? (
              <Notice icon="views" title="No bookmarks yet">
                Open a <ProjectLink page="traces">trace</ProjectLink> or a{' '}
                <ProjectLink page="sessions">session</ProjectLink> and choose Bookmark. Everybody in the
                project sees it here.
              </Notice>
            ) : (
              <DataTable label="Bookmarks" columns={columns} rows={bookmarks} rowKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

function To({ bookmark: { name, traceId, spanId, sessionId } }: { bookmark: Bookmark }): JSX.Element {
  if (sessionId !== null)
    return (
      <ProjectLink page="sessions/$sessionId" params={{ sessionId }} title={sessionId} className="row-link">
        {sessionId}
      </ProjectLink>
    );
  return (
    <ProjectLink
      page="traces/$traceId"
      params={{ traceId: traceId ?? '' }}
      search={{ span: spanId ?? undefined }}
      title={name}
      className="row-link"
    >
      {name === '' ? (traceId ?? '') : name}
    </ProjectLink>
  );
}
