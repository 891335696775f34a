import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import { type ApiError, call } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import { numberText, percentText } from '../../lib/figures.ts';
import type { Erasure } from './contract.ts';

const LOOK_EVERY_MS = 1_000;

const useErasures = (): string => `/v1/projects/${encodeURIComponent(useProjectId())}/erasures`;

type EraseProps = {
  readonly userId: string;
  /** The id of the erasure, by which its progress can be asked. */
  readonly onAsked: (erasureId: string) => void;
};

/** Asks for the erasure of all that is kept of an end user; only for those who may. */
export function EraseUser({ userId, onAsked }: EraseProps): JSX.Element | null {
  const path = useErasures();
  const { may } = useMember();
  const erase = useChange({
    failed: 'The user was not erased',
    send: async () => onAsked((await call<Erasure>(path, { method: 'POST', body: { userId } })).id),
    stale: [path],
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
  const path = `${useErasures()}/${id}`;
  const client = useQueryClient();
  const found = useQuery<Erasure, ApiError>({
    queryKey: [path],
    queryFn: ({ signal }) => call<Erasure>(path, { signal }),
    refetchInterval: ({ state: { data, status } }) =>
      data?.status === 'done' || status === 'error' ? false : LOOK_EVERY_MS,
  });
  const erasure = found.data;
  const done = erasure?.status === 'done';
  useEffect(() => {
    if (done) void client.invalidateQueries({ predicate: ({ queryKey: [asked] }) => asked !== path });
  }, [done, client, path]);
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
