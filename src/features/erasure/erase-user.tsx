import { useQuery } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import { apiQuery, queryClient, send } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import { countText, percentText } from '../../lib/figures.ts';
import type { Erasure, getErasureEndpoint, postErasureEndpoint } from './contract.ts';

const eraseApi = endpointOf<typeof postErasureEndpoint>('POST /v1/projects/:id/erasures');
const erasureApi = endpointOf<typeof getErasureEndpoint>('GET /v1/projects/:id/erasures/:erasureId');

const LOOK_EVERY_MS = 1_000;

type EraseProps = {
  readonly userId: string;
  /** The id of the erasure, by which its progress can be asked. */
  readonly onAsked: (erasureId: string) => void;
};

/** Requests the erasure of an end user; shown only to admins. */
export function EraseUser({ userId, onAsked }: EraseProps): JSX.Element | null {
  const id = useProjectId();
  const { may } = useMember();
  const erase = useChange({
    failed: 'The user was not erased',
    send: async () => onAsked((await send(eraseApi, { params: { id }, body: { userId } })).id),
    stale: [],
  });
  if (!may('admin')) return null;
  return (
    <Confirm
      label="Erase …"
      size="xs"
      title="Erase this user's data?"
      confirm="Erase user"
      word={userId}
      disabled={erase.isPending}
      onConfirm={() => erase.mutate()}
    >
      This deletes all events of <strong className="any-break">{userId}</strong>, their share of every total,
      the quarantined lines that name this user, saved views and alerts about them, and tiles of dashboards
      whose filter names them. You cannot undo it. The audit log records the request.
    </Confirm>
  );
}

/** Progress of an erasure. When it is done, all other cached replies are read again. */
export function ErasureReport({ id }: { id: string }): JSX.Element | null {
  const projectId = useProjectId();
  const found = useQuery<Erasure, ApiError>({
    ...apiQuery(erasureApi, { params: { id: projectId, erasureId: id } }),
    refetchInterval: ({ state: { data, status } }) =>
      data?.status === 'done' || status === 'error' ? false : LOOK_EVERY_MS,
  });
  const erasure = found.data;
  const done = erasure?.status === 'done';
  useEffect(() => {
    if (!done) return;
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path !== erasureApi.path });
  }, [done]);
  if (found.error !== null) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (erasure === undefined) return null;
  const { events, refusedLines } = erasure.deleted;
  return (
    <div role="status" className={`arrival ${done ? 'arrived' : ''}`}>
      {!done && <span className="pulse" />}
      {done
        ? `Erased: ${countText(events, 'event')}, ${countText(refusedLines, 'quarantined line')}.`
        : `Erasing: ${percentText(erasure.progress)} searched. ${erasure.waitsFor ?? 'It starts within a minute and continues if you leave this page.'}`}
    </div>
  );
}
