import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { type ApiError, call, type Params } from './api.ts';

/** The pages of a list that were fetched so far; older ones stay while parameters change. */
export type Pages<P> = UseInfiniteQueryResult<InfiniteData<P>, ApiError>;

/** A list of the API that goes on by cursor. `every`: as of useApi, as long as only its first page is loaded. */
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
    // Each look would fetch all of them anew, and move what is being read.
    refetchInterval: ({ state }) => (isLong(state.data) ? false : (options.every ?? false)),
    enabled: options.enabled ?? true,
  });
}

/** Whether more than the first page is loaded. */
export const isLong = (data: { readonly pages: readonly unknown[] } | undefined): boolean =>
  data !== undefined && data.pages.length > 1;

/** Fetches the next page when the end is near. A page that failed is left for whoever reads to ask again. */
export function useMore<P>(pages: Pages<P>, near: boolean): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  useEffect(() => {
    if (near && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [near, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
