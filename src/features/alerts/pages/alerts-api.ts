import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { ReplyOf } from '../../../http/endpoint.ts';
import type {
  alertHistoryEndpoint,
  createAlertEndpoint,
  deleteAlertEndpoint,
  firingsEndpoint,
  getAlertEndpoint,
  listAlertsEndpoint,
  updateAlertEndpoint,
} from '../contract.ts';
import type {
  createSilenceEndpoint,
  deleteSilenceEndpoint,
  listSilencesEndpoint,
} from '../silences/contract.ts';

export const listAlertsApi = endpointOf<typeof listAlertsEndpoint>('GET /v1/alerts');
export const getAlertApi = endpointOf<typeof getAlertEndpoint>('GET /v1/alerts/:id');
export const createAlertApi = endpointOf<typeof createAlertEndpoint>('POST /v1/alerts');
export const updateAlertApi = endpointOf<typeof updateAlertEndpoint>('PUT /v1/alerts/:id');
export const deleteAlertApi = endpointOf<typeof deleteAlertEndpoint>('DELETE /v1/alerts/:id');
export const historyApi = endpointOf<typeof alertHistoryEndpoint>('GET /v1/alerts/:id/history');
export const firingsApi = endpointOf<typeof firingsEndpoint>('GET /v1/alerts/firings');
export const listSilencesApi = endpointOf<typeof listSilencesEndpoint>('GET /v1/silences');
export const createSilenceApi = endpointOf<typeof createSilenceEndpoint>('POST /v1/silences');
export const deleteSilenceApi = endpointOf<typeof deleteSilenceEndpoint>('DELETE /v1/silences/:id');

/** An alert of the list, one with its groups, and a change of its state. */
export type ListedAlert = ReplyOf<typeof listAlertsEndpoint>['alerts'][number];
export type ShownAlert = ReplyOf<typeof getAlertEndpoint>;
export type HistoryEntry = ReplyOf<typeof alertHistoryEndpoint>['history'][number];

/** Every reply that a change of an alert makes stale. */
export const ALERTS_STALE = [listAlertsApi, getAlertApi, historyApi, firingsApi, listSilencesApi] as const;

/** Alerts are judged every minute; their pages look twice as often. */
export const EVERY_MS = 30_000;
