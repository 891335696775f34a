import type { Facets } from '../../../features/analytics/contract.ts';
import { useApi } from '../api.ts';
import type { Scope } from './scope.ts';

/** What the calls of a page's time range can be filtered by, in all environments; undefined until known. */
export function useFacets({ projectId, params: { start, end } }: Scope): Facets | undefined {
  return useApi<Facets>('/v1/facets', { projectId, start, end }).data;
}
