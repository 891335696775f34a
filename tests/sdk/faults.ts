import type { ClientOptions } from '../../src/sdk/index.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** A fault for a batch: a reply in the server's place, no reply, or a lost one. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: string; readonly error?: string }
  | 'unreachable'
  /** The server stores the batch, but the client gets no reply. */
  | 'reply lost';

export type Attempt = { readonly body: Uint8Array; readonly at: number };

const answerOf = ({ status, retryAfter, error = 'no' }: Exclude<Fault, string>): Response =>
  Response.json(
    { error },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );

/**
 * A fetch that applies these faults to batches, in this order, before they reach the server. Requests for the
 * configuration are not affected.
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
