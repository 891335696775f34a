import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type {
  createGuardrailEndpoint,
  deleteGuardrailEndpoint,
  detectorsEndpoint,
  guardrailVersionsEndpoint,
  listGuardrailsEndpoint,
  putGuardrailEndpoint,
  tryEndpoint,
} from '../contract.ts';
import type { guardrailFiguresEndpoint } from '../counts/contract.ts';

export const listGuardrailsApi = endpointOf<typeof listGuardrailsEndpoint>('GET /v1/guardrails');
export const createGuardrailApi = endpointOf<typeof createGuardrailEndpoint>('POST /v1/guardrails');
export const putGuardrailApi = endpointOf<typeof putGuardrailEndpoint>('PUT /v1/guardrails/:id');
export const deleteGuardrailApi = endpointOf<typeof deleteGuardrailEndpoint>('DELETE /v1/guardrails/:id');
export const guardrailVersionsApi = endpointOf<typeof guardrailVersionsEndpoint>(
  'GET /v1/guardrails/:id/versions',
);
export const guardrailFiguresApi = endpointOf<typeof guardrailFiguresEndpoint>('GET /v1/guardrails/figures');
export const detectorsApi = endpointOf<typeof detectorsEndpoint>('GET /v1/guardrails/detectors');
export const tryApi = endpointOf<typeof tryEndpoint>('POST /v1/guardrails/try');

/** What a change of a guardrail makes stale. */
export const CHANGED = [listGuardrailsApi, guardrailVersionsApi] as const;
