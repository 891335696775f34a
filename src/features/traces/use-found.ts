import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import type { searchTraceEndpoint } from './contract.ts';
import { namesText, type Spans } from './trace-tree.ts';

const searchApi = endpointOf<typeof searchTraceEndpoint>('GET /v1/traces/:traceId/search');

/** Who types is not searched for letter by letter. */
const PAUSE_MS = 250;
const MAX_CHARS = 200;

export type Found = {
  /** The spans with the text, in the order of the tree. */
  readonly places: readonly number[];
  readonly set: ReadonlySet<number>;
  /** Whether contents are still being searched. */
  readonly isSearching: boolean;
};

/** The spans of a trace that have a text in names, models and errors, known at once, and in what is stored of them. */
export function useFound(traceId: string, spans: Spans, given: string): Found {
  const { projectId } = useScope();
  const text = given.trim().slice(0, MAX_CHARS);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const asked = useApi(
    searchApi,
    { params: { traceId }, query: { projectId, q: settled } },
    { enabled: settled !== '' },
  );
  const isSearching = text !== '' && (settled !== text || asked.isPlaceholderData || asked.isPending);
  const ids = isSearching || text === '' ? undefined : asked.data?.event_ids;
  return useMemo(() => {
    const set = new Set<number>();
    if (text === '') return { places: [], set, isSearching: false };
    const found = new Set(ids);
    const sought = text.toLowerCase();
    for (let place = 0; place < spans.below.length; place++)
      if (found.has(spans.event_id[place] ?? '') || namesText(spans, place, sought)) set.add(place);
    return { places: [...set], set, isSearching };
  }, [spans, text, ids, isSearching]);
}
