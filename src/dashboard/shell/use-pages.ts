import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Endpoint, ReplyOf } from '../../http/endpoint.ts';
import type { ApiError } from './api-error.ts';
import { type Asked, type Handle, pathOf } from './endpoint.ts';
import { call } from './request.ts';

/** The pages of a list that were fetched so far; older ones stay while parameters change. */
export type Pages<P> = UseInfiniteQueryResult<InfiniteData<P>, ApiError>;

/** A reply that says where the next page starts. */
type PageOf<E> = ReplyOf<E> & { readonly nextCursor: string | null };

/** A list of the API that goes on by cursor. `every`: as of useApi, as long as only its first page is loaded. */
export function usePages<E extends Endpoint>(
  { path }: Handle<E>,
  { params, query }: Asked<E>,
  options: { every?: number | false; enabled?: boolean } = {},
): Pages<PageOf<E>> {
  return useInfiniteQuery<PageOf<E>, ApiError, InfiniteData<PageOf<E>>, unknown[], string | null>({
    queryKey: [path, params ?? {}, query ?? {}, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call<PageOf<E>>(pathOf(path, params), {
        params: { ...query, cursor: pageParam ?? undefined },
        signal,
      }),
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
