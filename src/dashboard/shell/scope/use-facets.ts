import type { Facets, facetsEndpoint } from '../../../features/analytics/contract.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import type { Scope } from './scope.ts';

const facetsApi = endpointOf<typeof facetsEndpoint>('GET /v1/facets');

/** What the calls of a page's time range can be filtered by, in all environments; undefined until known. */
export function useFacets(
  { projectId, params: { start, end } }: Scope,
  options: { enabled: boolean } = { enabled: true },
): Facets | undefined {
  return useApi(facetsApi, { query: { projectId, start, end } }, options).data;
}
