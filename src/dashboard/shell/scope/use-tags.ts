import type { UseQueryResult } from '@tanstack/react-query';
import type { CostTags, costTagsEndpoint } from '../../../features/analytics/contract.ts';
import { useApi } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import type { Params } from '../endpoint.ts';
import { endpointOf } from '../endpoint.ts';

const costTagsApi = endpointOf<typeof costTagsEndpoint>('GET /v1/costs/tags');

/** The tags of a project's calls in a window, with their most frequent values. */
export const useTags = (
  { projectId, start, end }: Params,
  options: { enabled: boolean },
): UseQueryResult<CostTags, ApiError> => useApi(costTagsApi, { query: { projectId, start, end } }, options);
