import type { RemoteConfig } from '../live.ts';
import type { Fetch, Settings } from '../options.ts';
import { cancelTimer, later } from '../runtime.ts';
import { gzip } from './gzip.ts';

/** A reply of the server. */
export type Answer = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly etag: string | null;
  readonly body: unknown;
};
export type Lost = { readonly status: null; readonly reason: string };

export type Transport = {
  /** Sends an NDJSON body. */
  ingest(body: Uint8Array<ArrayBuffer>, encoding: string | null): Promise<Answer | Lost>;
  /** Fetches the server's settings; null if the reply has none. */
  config(): Promise<{ answer: Answer | Lost; config: RemoteConfig | null }>;
  /** Sends scores as a JSON list. */
  scores(body: Uint8Array<ArrayBuffer>): Promise<Answer | Lost>;
  /** Fetches a prompt by its path; `etag` is that of the one in memory. */
  prompt(path: string, etag: string | null): Promise<{ answer: Answer | Lost; etag: string | null }>;
  /** Sends a request with the access token. */
  api(method: string, path: string, json: unknown): Promise<Answer | Lost>;
  /** Ends what is being sent in the background: a server that does not answer would keep the process running. */
  letGo(): void;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The message `fetch failed` is useless; its cause names the reason. */
const reasonOf = (error: unknown): string => {
  const { cause, message, name } = error as { cause?: { code?: string; message?: string } } & Partial<Error>;
  if (name === 'TimeoutError') return 'request timed out';
  return cause?.code ?? cause?.message ?? message ?? String(error);
};

const timedOut = (): Error => Object.assign(new Error('timed out'), { name: 'TimeoutError' });

const isConfig = (body: unknown): body is RemoteConfig =>
  typeof body === 'object' && body !== null && typeof (body as { version?: unknown }).version === 'number';

const INGEST = '/v1/ingest';
const CONFIG = '/v1/sdk/config';
const SCORES = '/v1/sdk/scores';
/** Requests that no code of the application waits for. */
const BACKGROUND: ReadonlySet<string> = new Set([INGEST, CONFIG, SCORES]);

/** Sends requests to the server. They never throw, and they time out. */
export const createTransport = (settings: Settings): Transport => {
  const { baseUrl, apiKey = '', accessToken = '', requestTimeoutMs } = settings;
  const ofKey = { 'x-api-key': apiKey };
  const fetch: Fetch = settings.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const background = new Set<AbortController>();
  const send = async (
    path: string,
    init: Omit<Parameters<Fetch>[1], 'signal' | 'redirect'>,
    credentials: Record<string, string> = ofKey,
  ): Promise<Answer | Lost> => {
    const stop = new AbortController();
    const timer = later(requestTimeoutMs, () => stop.abort(timedOut()));
    if (BACKGROUND.has(path)) background.add(stop);
    try {
      const headers = { ...init.headers, ...credentials };
      const { signal } = stop;
      // Redirects are not followed, because that would send the key to another host.
      const response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal, redirect: 'manual' });
      const body = parse(await response.text());
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, retryAfter, etag: response.headers.get('etag'), body };
    } catch (error) {
      return { status: null, reason: reasonOf(error) };
    } finally {
      cancelTimer(timer);
      background.delete(stop);
    }
  };
  return {
    ingest: (body, encoding) => {
      const headers: Record<string, string> = { 'content-type': 'application/x-ndjson' };
      if (encoding !== null) headers['content-encoding'] = encoding;
      return send(INGEST, { method: 'POST', headers, body });
    },
    config: async () => {
      const answer = await send(CONFIG, { method: 'GET', headers: {} });
      const known = answer.status === 200 && isConfig(answer.body);
      return { answer, config: known ? (answer.body as RemoteConfig) : null };
    },
    scores: (body) => send(SCORES, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    api: (method, path, json) => {
      const headers = { 'content-type': 'application/json' };
      const body = json === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(json)) };
      return send(path, { method, headers, ...body }, { authorization: `Bearer ${accessToken}` });
    },
    prompt: async (path, etag) => {
      const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag };
      const answer = await send(path, { method: 'GET', headers });
      return { answer, etag: answer.status === null ? null : answer.etag };
    },
    letGo: () => {
      for (const stop of background) stop.abort();
    },
  };
};

/** Joins lines into one body, compressed if the runtime can. */
export const packBody = async (
  lines: readonly Uint8Array[],
): Promise<{ body: Uint8Array<ArrayBuffer>; encoding: string | null }> => {
  const body = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let at = 0;
  for (const line of lines) {
    body.set(line, at);
    at += line.length + 1;
    body[at - 1] = 10;
  }
  const packed = await gzip(body);
  return packed === null ? { body, encoding: null } : { body: packed, encoding: 'gzip' };
};
