import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import type {
  Bookmark,
  deleteBookmarkEndpoint,
  listBookmarksEndpoint,
  postBookmarkEndpoint,
  Target,
} from './contract.ts';

const listApi = endpointOf<typeof listBookmarksEndpoint>('GET /v1/bookmarks');
const postApi = endpointOf<typeof postBookmarkEndpoint>('POST /v1/bookmarks');
const deleteApi = endpointOf<typeof deleteBookmarkEndpoint>('DELETE /v1/bookmarks/:id');

const isOf = (bookmark: Bookmark, { traceId, spanId, sessionId }: Target): boolean =>
  bookmark.traceId === (traceId ?? null) &&
  bookmark.spanId === (spanId ?? null) &&
  bookmark.sessionId === (sessionId ?? null);

/** Bookmarks a trace, a span or a session for everybody in the project, or takes the bookmark away. */
export function BookmarkButton({ of }: { of: Target }): JSX.Element | null {
  const projectId = useProjectId();
  const { may } = useMember();
  const bookmarks = useApi(listApi, { query: { projectId } }).data?.bookmarks;
  const found = bookmarks?.find((bookmark) => isOf(bookmark, of));
  const change = useChange({
    failed: found === undefined ? 'The bookmark was not made' : 'The bookmark was not deleted',
    send: () =>
      found === undefined
        ? send(postApi, { query: { projectId }, body: of })
        : send(deleteApi, { query: { projectId }, params: { id: found.id } }),
    stale: [listApi],
  });
  if (bookmarks === undefined) return null;
  if (!may('member') && found === undefined) return null;
  return (
    <Button
      size="xs"
      variant={found === undefined ? 'default' : 'light'}
      aria-pressed={found !== undefined}
      disabled={!may('member')}
      loading={change.isPending}
      leftSection={<Icon name="views" size={14} />}
      title={found === undefined ? undefined : `Bookmarked by ${found.author ?? 'somebody who left'}`}
      onClick={() => change.mutate()}
    >
      {found === undefined ? 'Bookmark' : 'Bookmarked'}
    </Button>
  );
}
