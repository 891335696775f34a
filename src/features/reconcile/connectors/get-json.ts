import { OutboundError } from '../../../core/outbound/index.ts';

/** Reads JSON from a provider: a path and its query, in order. */
export type GetJson = (path: string, query: readonly (readonly [string, string])[]) => Promise<unknown>;

/** A fetch that did not work, in words for the operator: it names no key and no text of the reply. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
}

export type Requests = {
  /** Sends one request; throws OutboundError. */
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  readonly origin: string;
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a key has to be, for a refused one. */
  readonly keyKind: string;
  readonly signal: AbortSignal;
  /** Waits before another attempt. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1_000;
/** A provider that asks for a longer pause is asked again the next night. */
const LONGEST_WAIT_MS = 300_000;
/** Too many requests, an error of the other side, overload (529: Anthropic). */
const AGAIN: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);
const TRANSIENT: ReadonlySet<string> = new Set([
  'timeout',
  'not_connected',
  'unreachable',
  'unresolved',
  'tls',
]);

/** Reads JSON with up to five attempts: after the pause that `Retry-After` names, else after 1, 2, 4 and 8 s. */
export const createGetJson =
  (requests: Requests): GetJson =>
  async (path, query) => {
    const url = `${requests.origin}${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
    for (let attempt = 1; ; attempt++) {
      requests.signal.throwIfAborted();
      const outcome = await attemptOnce(requests, url, path);
      if ('body' in outcome) return outcome.body;
      if (attempt === ATTEMPTS || (outcome.afterMs ?? 0) > LONGEST_WAIT_MS)
        throw new ConnectorError(`${outcome.failure} (${attempt} ${attempt === 1 ? 'attempt' : 'attempts'})`);
      await requests.wait(outcome.afterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1), requests.signal);
    }
  };

type Outcome =
  | { readonly body: unknown }
  | { readonly failure: string; readonly afterMs: number | undefined };

/** One request. Throws ConnectorError where another attempt would not help. */
async function attemptOnce(requests: Requests, url: string, path: string): Promise<Outcome> {
  const host = new URL(requests.origin).host;
  try {
    const response = await requests.send(url, { headers: requests.headers, signal: requests.signal });
    if (response.ok) return { body: parse(await response.text(), path) };
    await response.body?.cancel();
    if (!AGAIN.has(response.status)) throw refusal(response.status, { host, path, requests });
    return { failure: `${host} answered ${response.status} to ${path}`, afterMs: retryAfter(response) };
  } catch (error) {
    requests.signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    const failure = `${host}: ${error.message}`;
    if (!TRANSIENT.has(error.code)) throw new ConnectorError(failure);
    return { failure, afterMs: undefined };
  }
}

function refusal(
  status: number,
  { host, path, requests }: { host: string; path: string; requests: Requests },
): ConnectorError {
  if (status === 401 || status === 403)
    return new ConnectorError(`${host} refused the key (${status}): use ${requests.keyKind}`);
  if (status === 404) return new ConnectorError(`${host} has no ${path} (404): check the url`);
  return new ConnectorError(`${host} answered ${status} to ${path}`);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConnectorError(`the reply to ${path} is not JSON`);
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
