import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type { Endpoint, ReplyOf } from '../../http/endpoint.ts';
import { type Asked, type Handle, pathOf, type Sent } from './endpoint.ts';

/** A reply that is not a success: what the server said, as it said it. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds after which the server is willing again; null where it did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Query parameters; what is undefined is left out. */
export type Params = Readonly<Record<string, string | number | undefined>>;

const withParams = (path: string, params: Params): string => {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly params?: Params;
  /** Sent as JSON; a Blob as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

const sent = (body: unknown): RequestInit =>
  body instanceof Blob
    ? { body, headers: { 'content-type': 'application/octet-stream' } }
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

/** The raw reply of a route; the session is a cookie that goes along. Throws ApiError for all but a success; 0 stands for no answer at all. */
export async function request(
  path: string,
  { method = 'GET', params = {}, body, signal }: Call = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(withParams(path, params), {
      method,
      ...(body === undefined ? {} : sent(body)),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it running?');
  }
  if (response.ok) return response;
  const reply = (await response.json().catch(() => null)) as { error?: string } | null;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(
    response.status,
    reply?.error ?? `The server answered ${response.status}`,
    Number.isFinite(after) ? after : null,
  );
}

const ME = '/v1/auth/me';

/** Calls a route and reads its JSON. Its type is the contract's: the server checks what it sends. */
export async function call<T>(path: string, init: Call = {}): Promise<T> {
  const response = await request(path, init);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended elsewhere: whoever asks who is signed in then leads to the sign-in.
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

/** Calls an endpoint and reads its JSON, whose type the contract says: the server checks what it sends. */
export async function send<E extends Endpoint>(
  { method, path }: Handle<E>,
  { params, query, body, signal }: Sent<E> & { readonly signal?: AbortSignal },
): Promise<ReplyOf<E>> {
  const init = { method, params: query ?? {}, body, ...(signal && { signal }) };
  return call<ReplyOf<E>>(pathOf(path, params), init);
}

/**
 * What an endpoint answers, kept while the page changes its parameters, so that nothing jumps.
 * @param every milliseconds between two looks; false for one
 */
export function useApi<E extends Endpoint>(
  { path }: Handle<E>,
  { params, query }: Asked<E>,
  options: { enabled?: boolean; every?: number | false } = {},
): UseQueryResult<ReplyOf<E>, ApiError> {
  const address = pathOf(path, params);
  return useQuery<ReplyOf<E>, ApiError>({
    queryKey: [address, query ?? {}],
    queryFn: ({ signal }) => call<ReplyOf<E>>(address, { params: query ?? {}, signal }),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
  });
}
