import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type ApiError, call, type Params } from './api.ts';

/** The pages of a list that were fetched so far; older ones stay while parameters change. */
export type Pages<P> = UseInfiniteQueryResult<InfiniteData<P>, ApiError>;

/** A list of the API that goes on by cursor. */
export function usePages<P extends { readonly nextCursor: string | null }>(
  path: string,
  params: Params,
  options: { every?: number | false; enabled?: boolean } = {},
): Pages<P> {
  return useInfiniteQuery<P, ApiError, InfiniteData<P>, unknown[], string | null>({
    queryKey: [path, params, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call<P>(path, { params: { ...params, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: options.every ?? false,
    enabled: options.enabled ?? true,
  });
}
