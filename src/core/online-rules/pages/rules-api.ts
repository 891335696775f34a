import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { listEvaluatorsEndpoint } from '../../evaluators/contract.ts';
import type {
  backfillEndpoint,
  deleteRuleEndpoint,
  listRuleItemsEndpoint,
  listRulesEndpoint,
  postRuleEndpoint,
  putRuleEndpoint,
} from '../contract.ts';

export const listApi = endpointOf<typeof listRulesEndpoint>('GET /v1/online-rules');
export const createApi = endpointOf<typeof postRuleEndpoint>('POST /v1/online-rules');
export const changeApi = endpointOf<typeof putRuleEndpoint>('PUT /v1/online-rules/:id');
export const deleteApi = endpointOf<typeof deleteRuleEndpoint>('DELETE /v1/online-rules/:id');
export const itemsApi = endpointOf<typeof listRuleItemsEndpoint>('GET /v1/online-rules/:id/items');
export const backfillApi = endpointOf<typeof backfillEndpoint>('POST /v1/online-rules/:id/backfill');
export const evaluatorsApi = endpointOf<typeof listEvaluatorsEndpoint>('GET /v1/evaluators');
