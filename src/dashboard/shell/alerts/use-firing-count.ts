import type { listAlertsEndpoint } from '../../../features/alerts/contract.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { useProjectId } from '../scope/scope.ts';

const listAlertsApi = endpointOf<typeof listAlertsEndpoint>('GET /v1/alerts');

/** Alerts are judged every minute. */
const EVERY_MS = 60_000;

/** How many alerts of the project fire, looked up every minute. */
export function useFiringCount(): { readonly critical: number; readonly all: number } {
  const projectId = useProjectId();
  const query = { projectId, limit: 1 };
  const totals = useApi(listAlertsApi, { query }, { enabled: projectId !== '', every: EVERY_MS }).data
    ?.totals;
  const { critical = 0, warning = 0, noData = 0 } = totals ?? {};
  return { critical, all: critical + warning + noData };
}
