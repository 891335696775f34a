import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { modelsEndpoint } from '../../models/contract.ts';
import type {
  deleteEvaluatorEndpoint,
  getEvaluatorEndpoint,
  judgeLibraryEndpoint,
  listEvaluatorsEndpoint,
  measureJudgeEndpoint,
  postEvaluatorEndpoint,
  putEvaluatorEndpoint,
  testEvaluatorEndpoint,
} from '../contract.ts';

export const listApi = endpointOf<typeof listEvaluatorsEndpoint>('GET /v1/evaluators');
export const getApi = endpointOf<typeof getEvaluatorEndpoint>('GET /v1/evaluators/:id');
export const createApi = endpointOf<typeof postEvaluatorEndpoint>('POST /v1/evaluators');
export const changeApi = endpointOf<typeof putEvaluatorEndpoint>('PUT /v1/evaluators/:id');
export const deleteApi = endpointOf<typeof deleteEvaluatorEndpoint>('DELETE /v1/evaluators/:id');
export const testApi = endpointOf<typeof testEvaluatorEndpoint>('POST /v1/evaluators/test');
export const libraryApi = endpointOf<typeof judgeLibraryEndpoint>('GET /v1/evaluators/library');
export const measureApi = endpointOf<typeof measureJudgeEndpoint>('POST /v1/evaluators/measure');
export const modelsApi = endpointOf<typeof modelsEndpoint>('GET /v1/models');
