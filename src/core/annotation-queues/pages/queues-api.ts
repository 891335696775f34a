import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { getMembersEndpoint } from '../../orgs/contract.ts';
import type { listDefinitionsEndpoint, listScoresEndpoint } from '../../scores/contract.ts';
import type {
  claimItemEndpoint,
  deleteQueueEndpoint,
  deleteQueueItemEndpoint,
  getQueueEndpoint,
  getQueueItemEndpoint,
  listQueueItemsEndpoint,
  listQueuesEndpoint,
  postQueueEndpoint,
  postQueueItemsEndpoint,
  putAnnotationEndpoint,
  putQueueEndpoint,
} from '../contract.ts';

export const listApi = endpointOf<typeof listQueuesEndpoint>('GET /v1/annotation-queues');
export const createApi = endpointOf<typeof postQueueEndpoint>('POST /v1/annotation-queues');
export const queueApi = endpointOf<typeof getQueueEndpoint>('GET /v1/annotation-queues/:id');
export const changeApi = endpointOf<typeof putQueueEndpoint>('PUT /v1/annotation-queues/:id');
export const deleteApi = endpointOf<typeof deleteQueueEndpoint>('DELETE /v1/annotation-queues/:id');
export const itemsApi = endpointOf<typeof listQueueItemsEndpoint>('GET /v1/annotation-queues/:id/items');
export const addApi = endpointOf<typeof postQueueItemsEndpoint>('POST /v1/annotation-queues/:id/items');
export const removeApi = endpointOf<typeof deleteQueueItemEndpoint>(
  'DELETE /v1/annotation-queues/:id/items/:no',
);
export const claimApi = endpointOf<typeof claimItemEndpoint>('POST /v1/annotation-queues/:id/claim');
export const taskApi = endpointOf<typeof getQueueItemEndpoint>('GET /v1/annotation-queues/:id/items/:no');
export const annotateApi = endpointOf<typeof putAnnotationEndpoint>(
  'PUT /v1/annotation-queues/:id/items/:no/annotation',
);
export const definitionsApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');
export const scoresApi = endpointOf<typeof listScoresEndpoint>('GET /v1/scores');
export const membersApi = endpointOf<typeof getMembersEndpoint>('GET /v1/organizations/:id/members');
