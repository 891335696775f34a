import { useDebouncedValue } from '@mantine/hooks';
import type { SearchReply, searchEndpoint } from '../../../features/search/contract.ts';
import { useApi } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import { endpointOf } from '../endpoint.ts';

const searchApi = endpointOf<typeof searchEndpoint>('GET /v1/search');

type ServerSearch = {
  readonly found: SearchReply | undefined;
  readonly busy: boolean;
  /** Why there is no answer about this text. */
  readonly error: ApiError | null;
  readonly retry: () => void;
};

/** What the server finds for a text, once nobody has typed for a moment. `busy` until it is about this text. */
export function useServerSearch(projectId: string, text: string): ServerSearch {
  const [settled] = useDebouncedValue(text, 200);
  const isAsked = settled.length >= 2 && settled.length <= 200;
  const reply = useApi(searchApi, { query: { projectId, q: settled } }, { enabled: isAsked });
  const isCurrent = settled === text && isAsked && !reply.isPlaceholderData;
  return {
    found: isCurrent ? reply.data : undefined,
    busy: text.length >= 2 && text.length <= 200 && (settled !== text || (isAsked && reply.isFetching)),
    error: isCurrent && !reply.isFetching ? reply.error : null,
    retry: () => void reply.refetch(),
  };
}
