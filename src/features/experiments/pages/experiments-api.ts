import type { listDatasetsEndpoint } from '../../../core/datasets/contract.ts';
import type { judgeLibraryEndpoint, listEvaluatorsEndpoint } from '../../../core/evaluators/contract.ts';
import type { modelsEndpoint } from '../../../core/models/contract.ts';
import type { listPromptsEndpoint } from '../../../core/prompts/contract.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type {
  cancelExperimentEndpoint,
  createExperimentEndpoint,
  deleteExperimentEndpoint,
  Experiment,
  estimateExperimentEndpoint,
  getExperimentEndpoint,
  listExperimentsEndpoint,
  listRunsEndpoint,
  resumeExperimentEndpoint,
} from '../contract.ts';

export const listExperimentsApi = endpointOf<typeof listExperimentsEndpoint>('GET /v1/experiments');
export const createExperimentApi = endpointOf<typeof createExperimentEndpoint>('POST /v1/experiments');
export const estimateApi = endpointOf<typeof estimateExperimentEndpoint>('POST /v1/experiments/estimate');
export const experimentApi = endpointOf<typeof getExperimentEndpoint>('GET /v1/experiments/:id');
export const listRunsApi = endpointOf<typeof listRunsEndpoint>('GET /v1/experiments/:id/items');
export const cancelApi = endpointOf<typeof cancelExperimentEndpoint>('POST /v1/experiments/:id/cancel');
export const resumeApi = endpointOf<typeof resumeExperimentEndpoint>('POST /v1/experiments/:id/resume');
export const deleteApi = endpointOf<typeof deleteExperimentEndpoint>('DELETE /v1/experiments/:id');
export const listDatasetsApi = endpointOf<typeof listDatasetsEndpoint>('GET /v1/datasets');
export const listEvaluatorsApi = endpointOf<typeof listEvaluatorsEndpoint>('GET /v1/evaluators');
export const judgeLibraryApi = endpointOf<typeof judgeLibraryEndpoint>('GET /v1/evaluators/library');
export const listPromptsApi = endpointOf<typeof listPromptsEndpoint>('GET /v1/prompts');
export const listModelsApi = endpointOf<typeof modelsEndpoint>('GET /v1/models');

/** What a change of an experiment makes stale. */
export const CHANGED = [listExperimentsApi, experimentApi, listRunsApi] as const;

/** How often a page looks at an experiment, in milliseconds. */
export const LIVE_MS = 2_000;

/** Whether results still come. */
export const isRunning = ({ status }: Pick<Experiment, 'status'>): boolean =>
  ['preparing', 'running', 'open'].includes(status);
