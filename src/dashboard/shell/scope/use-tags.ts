import type { UseQueryResult } from '@tanstack/react-query';
import type { CostTags } from '../../../features/analytics/contract.ts';
import { type ApiError, type Params, useApi } from '../api.ts';

/** The tags of a project's calls in a window, with their most frequent values. */
export const useTags = (
  { projectId, start, end }: Params,
  options: { enabled: boolean },
): UseQueryResult<CostTags, ApiError> =>
  useApi<CostTags>('/v1/costs/tags', { projectId, start, end }, options);
