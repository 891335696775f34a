import { ApiError } from './api-error.ts';
import type { Params } from './endpoint.ts';

type Init = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly params?: Params;
  /** Sent as JSON; a Blob as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** An answer or a recommendation prepared the change, and the person confirmed it. */
  readonly copilot?: boolean;
};

/**
 * Calls a path of the API with the login session's cookie and reads its JSON. Only `api.ts` and `use-pages.ts` use it:
 * they know the type of the reply by the endpoint.
 * @throws ApiError for all but a success; its status is 0 if the server does not answer
 */
export async function call<T>(path: string, init: Init = {}): Promise<T> {
  const response = await request(path, init);
  return (response.status === 204 ? null : await response.json()) as T;
}

/** The same without reading the reply; for `stream.ts`. */
export async function request(
  path: string,
  { method = 'GET', params = {}, body, signal, copilot = false }: Init,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(withParams(path, params), {
      method,
      ...toSent(body, copilot),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it running?');
  }
  if (response.ok) return response;
  type Refusal = { error?: string } & Record<string, unknown>;
  const { error, ...more } = ((await response.json().catch(() => null)) ?? {}) as Refusal;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(
    response.status,
    error ?? `The server answered ${response.status}`,
    Number.isFinite(after) ? after : null,
    more,
  );
}

const withParams = (path: string, params: Params): string => {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

const toSent = (body: unknown, copilot: boolean): RequestInit => {
  const origin: Record<string, string> = copilot ? { 'spanledger-origin': 'copilot' } : {};
  if (body === undefined) return { headers: origin };
  return body instanceof Blob
    ? { body, headers: { 'content-type': 'application/octet-stream', ...origin } }
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...origin } };
};
