import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import type {
  deleteDashboardEndpoint,
  getDashboardEndpoint,
  listDashboardsEndpoint,
  postDashboardEndpoint,
  putDashboardEndpoint,
} from './contract.ts';

export const listDashboardsApi = endpointOf<typeof listDashboardsEndpoint>('GET /v1/dashboards');
export const createDashboardApi = endpointOf<typeof postDashboardEndpoint>('POST /v1/dashboards');
export const getDashboardApi = endpointOf<typeof getDashboardEndpoint>('GET /v1/dashboards/:id');
export const putDashboardApi = endpointOf<typeof putDashboardEndpoint>('PUT /v1/dashboards/:id');
export const deleteDashboardApi = endpointOf<typeof deleteDashboardEndpoint>('DELETE /v1/dashboards/:id');
