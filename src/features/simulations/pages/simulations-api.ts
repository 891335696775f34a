import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type {
  createSimulationEndpoint,
  deleteSimulationEndpoint,
  getSimulationEndpoint,
  listSimulationsEndpoint,
  readySuitesEndpoint,
  replaceSimulationEndpoint,
  setSecretEndpoint,
  tryTargetEndpoint,
} from '../contract.ts';
import type {
  cancelRunEndpoint,
  deleteRunEndpoint,
  getConversationEndpoint,
  getRunEndpoint,
  listConversationsEndpoint,
  listRunsEndpoint,
  resumeRunEndpoint,
  startRunEndpoint,
} from '../runs/contract.ts';

export const listApi = endpointOf<typeof listSimulationsEndpoint>('GET /v1/simulations');
export const createApi = endpointOf<typeof createSimulationEndpoint>('POST /v1/simulations');
export const readyApi = endpointOf<typeof readySuitesEndpoint>('GET /v1/simulations/ready');
export const suiteApi = endpointOf<typeof getSimulationEndpoint>('GET /v1/simulations/:id');
export const replaceApi = endpointOf<typeof replaceSimulationEndpoint>('PUT /v1/simulations/:id');
export const deleteSuiteApi = endpointOf<typeof deleteSimulationEndpoint>('DELETE /v1/simulations/:id');
export const secretApi = endpointOf<typeof setSecretEndpoint>('PUT /v1/simulations/:id/secrets/:name');
export const tryApi = endpointOf<typeof tryTargetEndpoint>('POST /v1/simulations/try');
export const startApi = endpointOf<typeof startRunEndpoint>('POST /v1/simulations/:id/runs');
export const listRunsApi = endpointOf<typeof listRunsEndpoint>('GET /v1/simulations/:id/runs');
export const runApi = endpointOf<typeof getRunEndpoint>('GET /v1/simulations/runs/:run');
export const conversationsApi = endpointOf<typeof listConversationsEndpoint>(
  'GET /v1/simulations/runs/:run/conversations',
);
export const conversationApi = endpointOf<typeof getConversationEndpoint>(
  'GET /v1/simulations/runs/:run/conversations/:no',
);
export const cancelApi = endpointOf<typeof cancelRunEndpoint>('POST /v1/simulations/runs/:run/cancel');
export const resumeApi = endpointOf<typeof resumeRunEndpoint>('POST /v1/simulations/runs/:run/resume');
export const deleteRunApi = endpointOf<typeof deleteRunEndpoint>('DELETE /v1/simulations/runs/:run');

/** What a change of a suite makes stale, and what one of a run does. */
export const SUITE_CHANGED = [listApi, suiteApi] as const;
export const RUN_CHANGED = [listApi, suiteApi, listRunsApi, runApi, conversationsApi] as const;
