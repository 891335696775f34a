import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type { Endpoint, ReplyOf } from '../../http/endpoint.ts';
import { ApiError } from './api-error.ts';
import { type Asked, type Handle, pathOf, type Sent } from './endpoint.ts';
import { call } from './request.ts';
import { withRecentSignIn } from './sign-in-again.ts';

const ME = '/v1/auth/me';

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The login session ended elsewhere: reading the signed-in person again leads to the sign-in page.
    onError: (error, { queryKey: [path] }) => {
      if (error instanceof ApiError && error.status === 401 && path !== ME)
        void queryClient.invalidateQueries({ queryKey: [ME] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
});

/**
 * Calls an endpoint and reads its JSON. The contract gives its type, and the server checks what it sends. If it needs a
 * recent sign-in, a dialog asks for the proof first.
 * @throws ApiError for all but a success
 */
export async function send<E extends Endpoint>(
  { method, path }: Handle<E>,
  {
    params,
    query,
    body,
    signal,
    copilot,
  }: Sent<E> & { readonly signal?: AbortSignal; readonly copilot?: boolean },
): Promise<ReplyOf<E>> {
  const init = { method, params: query ?? {}, body, ...(signal && { signal }), ...(copilot && { copilot }) };
  return withRecentSignIn(() => call<ReplyOf<E>>(pathOf(path, params), init));
}

/** Marks the cached replies of endpoints as stale, with whatever parameters they were read; shown ones are read again. */
export const refresh = async (...stale: readonly Handle<Endpoint>[]): Promise<void> => {
  await Promise.all(stale.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
};

type ApiQuery<R> = {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<R>;
};

/** Key and function of a query that reads an endpoint, for a `useQuery` with options of its own. */
export const apiQuery = <E extends Endpoint>(
  { path }: Handle<E>,
  { params, query }: Asked<E>,
): ApiQuery<ReplyOf<E>> => ({
  queryKey: [path, params ?? {}, query ?? {}],
  queryFn: ({ signal }) => call<ReplyOf<E>>(pathOf(path, params), { params: query ?? {}, signal }),
});

/**
 * Reads an endpoint. The previous reply stays while the page changes its parameters, so that nothing jumps.
 * @param options.every milliseconds between two reads; false for one
 */
export function useApi<E extends Endpoint>(
  handle: Handle<E>,
  asked: Asked<E>,
  options: { enabled?: boolean; every?: number | false } = {},
): UseQueryResult<ReplyOf<E>, ApiError> {
  return useQuery<ReplyOf<E>, ApiError>({
    ...apiQuery(handle, asked),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
  });
}
