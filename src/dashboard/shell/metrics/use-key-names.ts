import type { listKeysEndpoint } from '../../../core/keys/contract.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** The names of a project's API keys by their ids; empty until known. */
export function useKeyNames(projectId: string, enabled: boolean): ReadonlyMap<string, string> {
  const { data } = useApi(listKeysApi, { params: { id: projectId } }, { enabled });
  return new Map(data?.keys.map(({ id, name }) => [id, name]));
}
