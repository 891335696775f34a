import type { ClientOptions } from '../../src/sdk/index.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** What happens to a batch on its way: an answer in the server's place, no answer, or a lost one. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: string; readonly error?: string }
  | 'unreachable'
  /** The server has it, the client never hears of it. */
  | 'reply lost';

export type Attempt = { readonly body: Uint8Array; readonly at: number };

const answerOf = ({ status, retryAfter, error = 'no' }: Exclude<Fault, string>): Response =>
  Response.json(
    { error },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );

/**
 * A fetch that lets batches meet faults, in this order, before the server. Requests for the configuration
 * are not touched.
 */
export const withFaults = (fetch: Fetch, faults: Fault[]): { fetch: Fetch; attempts: Attempt[] } => {
  const attempts: Attempt[] = [];
  return {
    attempts,
    fetch: async (url, init) => {
      if (init.body === undefined) return fetch(url, init);
      attempts.push({ body: init.body, at: performance.now() });
      const fault = faults.shift();
      if (fault === undefined) return fetch(url, init);
      if (fault === 'reply lost') await fetch(url, init);
      if (typeof fault === 'string') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      return answerOf(fault);
    },
  };
};
