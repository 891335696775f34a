import type { Settings } from '../options.ts';
import { backoff, retryAfter } from '../send/retry.ts';
import type { Transport } from '../send/transport.ts';

/** A request that the server refused, or that it did not answer in several attempts. */
export class ApiError extends Error {
  /** Status of the reply; null without one. */
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(`spanledger: ${message}`);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** Sends a request about the project of the API key. Throws ApiError. */
export type Ask = <T>(
  method: 'GET' | 'POST',
  path: string,
  more?: { readonly query?: Readonly<Record<string, unknown>>; readonly body?: unknown },
) => Promise<T>;

const MOST_ATTEMPTS = 8;

/** Waits; unlike other timers of this library it keeps the process alive. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

type Api = {
  readonly ask: Ask;
  /** Address of the project's pages. */
  readonly pages: () => Promise<string>;
};

/** Requests are repeated while the server is away or overloaded, so each must be safe to repeat. */
export const createApi = (settings: Settings, transport: Transport): Api => {
  type Project = { readonly id: string; readonly url: string };
  let known: Promise<Project> | undefined;

  const findProject = async (): Promise<Project> => {
    if (!settings.apiKey)
      throw new ApiError('there is no API key: set SPANLEDGER_API_KEY or the option apiKey', null);
    if (!settings.accessToken)
      throw new ApiError(
        'datasets and experiments need an access token: set SPANLEDGER_ACCESS_TOKEN or the option accessToken',
        null,
      );
    const { answer, config } = await transport.config();
    const { projectId: id, publicUrl } = config ?? {};
    if (id !== undefined) return { id, url: `${publicUrl ?? settings.baseUrl}/projects/${id}` };
    throw new ApiError(`${settings.baseUrl} did not name the project: ${reasonOf(answer)}`, answer.status);
  };

  const project = (): Promise<Project> => {
    known ??= findProject().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  const ask: Ask = async (method, path, { query = {}, body } = {}) => {
    const given = Object.entries({ projectId: (await project()).id, ...query }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const url = `${path}?${new URLSearchParams(given)}`;
    for (let attempt = 1; ; attempt++) {
      const answer = await transport.api(method, url, body);
      if (answer.status !== null && answer.status < 300) return answer.body as never;
      const mayPass = answer.status === null || answer.status === 429 || answer.status >= 500;
      if (!mayPass || attempt === MOST_ATTEMPTS)
        throw new ApiError(`${method} ${path}: ${reasonOf(answer)}`, answer.status);
      await pause(
        (answer.status === null ? null : retryAfter(answer.retryAfter, Date.now())) ?? backoff(attempt),
      );
    }
  };
  return { ask, pages: async () => (await project()).url };
};

const reasonOf = (answer: Awaited<ReturnType<Transport['api']>>): string => {
  if (answer.status === null) return answer.reason;
  const { error } = (answer.body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `${error} (${answer.status})` : `status ${answer.status}`;
};
