import type { listKeysEndpoint } from '../../../core/keys/contract.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import type { NameOfValue } from './dimension-names.ts';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** What the values of some dimensions are called: API keys by their names, once these are known; all others as they are. */
export function useValueNames(projectId: string, dimensions: readonly string[]): NameOfValue {
  const { data } = useApi(
    listKeysApi,
    { params: { id: projectId } },
    { enabled: dimensions.includes('keyId') },
  );
  const names = new Map(data?.keys.map(({ id, name }) => [id, name]));
  return (dimension, value) => (dimension === 'keyId' ? (names.get(value) ?? value) : value);
}
