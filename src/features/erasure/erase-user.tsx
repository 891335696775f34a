import { useQuery } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import { apiQuery, queryClient, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import type { ApiError } from '../../dashboard/shell/request.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import { numberText, percentText } from '../../lib/figures.ts';
import type { Erasure, getErasureEndpoint, postErasureEndpoint } from './contract.ts';

const eraseApi = endpointOf<typeof postErasureEndpoint>('POST /v1/projects/:id/erasures');
const erasureApi = endpointOf<typeof getErasureEndpoint>('GET /v1/projects/:id/erasures/:erasureId');

const LOOK_EVERY_MS = 1_000;

type EraseProps = {
  readonly userId: string;
  /** The id of the erasure, by which its progress can be asked. */
  readonly onAsked: (erasureId: string) => void;
};

/** Asks for the erasure of all that is kept of an end user; only for those who may. */
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
      confirm="Erase it for good"
      disabled={erase.isPending}
      onConfirm={() => erase.mutate()}
    >
      All events of <strong className="any-break">{userId}</strong>, their part in every sum and the refused
      lines that name this user are deleted. Nobody can bring them back; the audit log notes who asked.
    </Confirm>
  );
}

/** How far an erasure is, until it is done; then what the page shows of the user is asked anew. */
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
        ? `All is erased (events: ${numberText(events)}, refused lines: ${numberText(refusedLines)}).`
        : `Being erased, ${percentText(erasure.progress)} looked through. It begins within a minute and goes on without this page.`}
    </div>
  );
}
