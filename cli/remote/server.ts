import { z } from 'zod';
import type { Endpoint, ReplyOf } from '../../src/http/endpoint.ts';
import { EXIT, type ExitCode, ownFix, UserError } from '../user-error.ts';
import type { Target } from './target.ts';

/** Parameters of a request; those without a value are left out. */
type Params = Readonly<Record<string, string | number | undefined>>;
type Ask = { readonly params?: Params; readonly query?: Params };

/** A server, read through its public API. */
export interface RemoteServer {
  readonly url: string;
  /** The reply of a GET endpoint. Throws UserError for every failure. */
  readonly get: <E extends Endpoint>(endpoint: E, ask?: Ask) => Promise<ReplyOf<E>>;
  /** The reply of a POST or PUT endpoint. */
  readonly post: <E extends Endpoint>(
    endpoint: E,
    ask: Ask & { readonly body: unknown },
  ) => Promise<ReplyOf<E>>;
  /** The reply of an endpoint that takes a file. */
  readonly upload: <E extends Endpoint>(
    endpoint: E,
    ask: Ask & { readonly body: Blob },
  ) => Promise<ReplyOf<E>>;
  /** The body of a GET endpoint that replies with a file. */
  readonly download: (endpoint: Endpoint, ask?: Ask) => Promise<ReadableStream<Uint8Array>>;
}

/** Time until the first byte of a reply. */
const WAIT_MS = 60_000;

const errorReply = z.object({ error: z.string() });

/** Connects to a server; the first request shows whether it answers. */
export const openServer = ({ url, token }: Target, signal: AbortSignal): RemoteServer => {
  const ask = async (
    endpoint: Endpoint,
    { params = {}, query = {}, body }: Ask & { readonly body?: unknown },
  ): Promise<Response> => {
    const address = `${url}${fill(endpoint.path, params)}${search(query)}`;
    const waiting = AbortSignal.timeout(WAIT_MS);
    let response: Response;
    try {
      response = await fetch(address, {
        method: endpoint.method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body === undefined || body instanceof Blob ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
        // A redirect would send the token elsewhere.
        redirect: 'manual',
        signal: AbortSignal.any([signal, waiting]),
      });
    } catch (error) {
      throw failure('server_unreachable', {
        what: `${url} does not answer`,
        fix: 'Check the address and that the server runs',
        cause: error,
      });
    }
    if (!response.ok) throw await refusal(url, endpoint, response);
    return response;
  };
  const read = async <E extends Endpoint>(
    endpoint: E,
    given: Ask & { readonly body?: unknown } = {},
  ): Promise<ReplyOf<E>> => {
    const response = await ask(endpoint, given);
    let document: unknown;
    try {
      document = await response.json();
    } catch (error) {
      throw notASpanledger(url, error);
    }
    const parsed = endpoint.reply?.safeParse(document);
    if (parsed?.success !== true) throw otherVersion(url, endpoint);
    return document as ReplyOf<E>;
  };
  return {
    url,
    get: read,
    post: read,
    upload: read,
    download: async (endpoint, given = {}) => {
      const { body } = await ask(endpoint, given);
      if (body === null) throw notASpanledger(url, null);
      return body;
    },
  };
};

const fill = (path: string, params: Params): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));

const search = (query: Params): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

interface Failure {
  readonly what: string;
  readonly fix: string;
  readonly exit?: ExitCode;
  readonly cause?: unknown;
}

const failure = (code: string, { exit = EXIT.failure, ...parts }: Failure): UserError =>
  new UserError({ ...parts, code, exit });

const notASpanledger = (url: string, cause: unknown): UserError =>
  failure('not_a_server', {
    what: `${url} did not answer as a Spanledger server does`,
    fix: 'Check the address; it is that of the dashboard',
    cause,
  });

const otherVersion = (url: string, { method, path }: Endpoint): UserError =>
  failure('server_version', {
    what: `The reply of ${url} to ${method} ${path} has another form than this command line expects`,
    fix: 'Use the same version of spanledger as the server; see `spanledger --version`',
  });

type Meaning = readonly [exit: ExitCode, code: string, fix: string];

const MEANINGS: Readonly<Record<number, Meaning>> = {
  400: [EXIT.usage, 'bad_request', 'Correct the arguments; `--help` shows what the command takes'],
  401: [EXIT.denied, 'not_authenticated', 'Create an access token and run `spanledger login` again'],
  403: [
    EXIT.denied,
    'denied',
    'Use an access token with the scope read that reaches this organization or project',
  ],
  404: [EXIT.notFound, 'not_found', 'Check the id or name; the matching `list` command shows what exists'],
  409: [
    EXIT.conflict,
    'conflict',
    'Look at what is there with the matching `list` or `show` command, then try again',
  ],
  429: [EXIT.failure, 'limited', 'Wait and try again'],
};

/** The server's message, or what its status means where something else answered. */
const refusal = async (url: string, endpoint: Endpoint, response: Response): Promise<UserError> => {
  const { status } = response;
  if (status >= 300 && status < 400)
    return failure('redirected', {
      what: `${url} answers with a redirect to ${response.headers.get('location')?.slice(0, 200)}`,
      fix: 'Pass the address that it redirects to',
    });
  const reply = errorReply.safeParse(await response.json().catch(() => null));
  if (!reply.success && status < 500) return notASpanledger(url, null);
  const [exit, code, fix] = MEANINGS[status] ?? [EXIT.failure, 'server_failed', 'Try again in a moment'];
  const what = reply.data?.error ?? `${url} answered ${status} to ${endpoint.method} ${endpoint.path}`;
  if (status === 401) return failure(code, { what: `${url} does not accept the access token`, fix, exit });
  return failure(code, { what, fix, ...ownFix(what), exit });
};
