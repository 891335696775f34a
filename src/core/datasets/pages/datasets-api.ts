import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type {
  addStoredEndpoint,
  createDatasetEndpoint,
  deleteDatasetEndpoint,
  getDatasetEndpoint,
  importItemsEndpoint,
  listDatasetsEndpoint,
  listDatasetVersionsEndpoint,
  listItemsEndpoint,
  putDatasetEndpoint,
} from '../contract.ts';

export const listDatasetsApi = endpointOf<typeof listDatasetsEndpoint>('GET /v1/datasets');
export const createDatasetApi = endpointOf<typeof createDatasetEndpoint>('POST /v1/datasets');
export const datasetApi = endpointOf<typeof getDatasetEndpoint>('GET /v1/datasets/:id');
export const putDatasetApi = endpointOf<typeof putDatasetEndpoint>('PUT /v1/datasets/:id');
export const deleteDatasetApi = endpointOf<typeof deleteDatasetEndpoint>('DELETE /v1/datasets/:id');
export const listVersionsApi = endpointOf<typeof listDatasetVersionsEndpoint>(
  'GET /v1/datasets/:id/versions',
);
export const listItemsApi = endpointOf<typeof listItemsEndpoint>('GET /v1/datasets/:id/items');
export const addStoredApi = endpointOf<typeof addStoredEndpoint>('POST /v1/datasets/:id/items/stored');
export const importItemsApi = endpointOf<typeof importItemsEndpoint>('POST /v1/datasets/:id/import');

/** What a change of a dataset makes stale. */
export const CHANGED = [listDatasetsApi, datasetApi, listVersionsApi, listItemsApi] as const;
