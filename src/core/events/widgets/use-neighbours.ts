import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import type { StoredEvent } from '../contract.ts';
import type { EventPlace, neighboursEndpoint } from '../list/contract.ts';

const neighboursApi = endpointOf<typeof neighboursEndpoint>('GET /v1/events/:id/neighbours');

export type Neighbours = { readonly previous: EventPlace | null; readonly next: EventPlace | null };

const NONE: Neighbours = { previous: null, next: null };

/** The calls around an event in its session; none while they are not known. */
export function useNeighbours(event: StoredEvent, enabled = true): Neighbours {
  const { projectId } = useScope();
  const { event_id: id, timestamp, session_id } = event;
  const found = useApi(
    neighboursApi,
    { params: { id }, query: { projectId, timestamp } },
    { enabled: enabled && session_id !== null },
  );
  return session_id === null || found.isPlaceholderData ? NONE : (found.data ?? NONE);
}
