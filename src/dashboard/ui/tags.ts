import type { CostTags } from '../../features/analytics/contract.ts';
import { type Params, useApi } from '../api.ts';

/** The tags of a project's calls in a window, with their most frequent values; undefined until they are known. */
export const useTags = (
  { projectId, start, end }: Params,
  options: { enabled: boolean },
): CostTags['tags'] | undefined =>
  useApi<CostTags>('/v1/costs/tags', { projectId, start, end }, options).data?.tags;
