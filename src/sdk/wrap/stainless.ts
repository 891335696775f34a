import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import { currentPlace, type Place, runAt } from '../context.ts';
import type { CallGuard } from '../guardrails/call-guard.ts';
import { bodyKind, parsed, withBody } from '../guardrails/raw-response.ts';
import { createResultTaker, type Results, type ResultTaker, trackResult } from './batches.ts';
import { begin } from './begin.ts';
import type { Operation } from './reader.ts';
import { propertyOf, reportUnwatched } from './unwatched.ts';
import { isObject } from './usage.ts';
import { type Pieces, watchIterable } from './watch-iterator.ts';
import { watchLines } from './watch-lines.ts';
import { watchResponse } from './watch-response.ts';

/**
 * The clients of OpenAI and Anthropic come from one generator (Stainless) and work alike. Whatever method is called,
 * also `parse`, `stream` and the tool runners, one call to a model is one `client.request`, retries included. Its
 * result is an `APIPromise`, which reads the body when it is first awaited. The SDK therefore wraps `request` on the
 * client instance, so that nothing else changes, and observes the promise's own parsing, so that the body is read
 * once and only when the caller wants it.
 */
export type Requests = {
  request(options: unknown, ...rest: unknown[]): unknown;
  withOptions?(...args: unknown[]): unknown;
};

/** The properties of a request that are read before it is sent. */
export type RequestOptions = {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly stream?: boolean;
  /** Anthropic's client hands its own OpenTelemetry span down here. */
  readonly __span?: unknown;
};

type Describe = (options: RequestOptions) => Operation | undefined;

/** How the results of earlier requests are read that a request gets; undefined for other requests. */
type DescribeResults = (options: RequestOptions) => Results | undefined;

/** The parts of an `APIPromise` that the SDK uses. */
type Answering = {
  responsePromise?: Promise<unknown>;
  parseResponse?: (...args: unknown[]) => Promise<unknown>;
  asResponse?: () => Promise<Response>;
  withResponse?: () => Promise<{ readonly response: Response }>;
  /** Creates a derived promise: used by `parse`, embeddings and all of version 7. */
  _thenUnwrap?: (transform: (...args: unknown[]) => unknown) => unknown;
};

/**
 * A running request; `call` is set once it is known to be a call. `read`: its body is being read by another reader,
 * so its promises no longer matter. `taken`: its result has been recorded.
 */
type Session = {
  call?: Call;
  operation?: Operation;
  read?: boolean;
  taken?: boolean;
  /** Records lines of results of a batch. */
  results?: ResultTaker | undefined;
  /** Records the reply as the result of an earlier request. */
  takeReply?: ((value: unknown) => void) | undefined;
  /** Checks the reply, once. */
  guard?: CallGuard | undefined;
  isGuarded?: boolean;
  /** Where in a trace the request was made. */
  place?: Place | undefined;
};

const EXPECTED = 'the client that the openai, groq-sdk or @anthropic-ai/sdk package creates';
const WATCHED = Symbol.for('spanledger.watched');

/** Observes the reply, however the caller reads it. */
const listen = (answer: Answering, session: Session): void => {
  const { responsePromise, parseResponse, asResponse, withResponse, _thenUnwrap: unwrap } = answer;
  if (responsePromise === undefined || typeof parseResponse !== 'function') return;
  responsePromise.then(
    () => {},
    (error: unknown) => session.call?.fail(error),
  );
  answer.parseResponse = async (...args) => {
    session.read = true;
    for (const arg of args) takeResults(propertyOf(arg, 'response'), session);
    try {
      const given = await parseResponse.apply(answer, args);
      const value = session.guard === undefined ? given : await guardReply(given, session);
      take(value, session);
      return value;
    } catch (error) {
      session.call?.fail(error);
      throw error;
    }
  };
  if (typeof unwrap === 'function') {
    answer._thenUnwrap = (transform) => {
      const other = unwrap.call(answer, (...args) => {
        // Version 7 of openai transforms before the reply is checked, and what is recorded is what was checked.
        if (session.guard === undefined) take(args[0], session);
        return transform(...args);
      });
      if (isObject(other)) listen(other as Answering, session);
      return other;
    };
  }
  if (typeof withResponse === 'function') {
    answer.withResponse = async () => {
      const both = await withResponse.call(answer);
      return session.isGuarded === true ? { ...both, response: withBody(both.response, null) } : both;
    };
  }
  if (typeof asResponse === 'function') {
    answer.asResponse = async () => {
      const given = await asResponse.call(answer);
      takeResults(given, session);
      const response = await guardRaw(given, session);
      takeRaw(response, session);
      return response;
    };
  }
};

/** Runs a function where the request was made: what a guardrail records belongs there. */
const at = <T>({ place }: Session, fn: () => T): T => (place === undefined ? fn() : runAt(place, fn));

/** Records a reply that the guard withheld: what it used is billed, what it says is not recorded. */
const failWithheld = ({ call, operation }: Session, error: unknown, value: unknown): void =>
  call?.fail(error, () => ({ ...operation?.reader.answer(value), output: undefined }));

/** Checks the reply before anybody else sees it: also what is recorded is redacted. */
const guardReply = async (value: unknown, session: Session): Promise<unknown> => {
  const { guard } = session;
  session.guard = undefined;
  if (guard === undefined || value instanceof Response) return value;
  const { iterator } = (isObject(value) ? value : {}) as { iterator?: () => Pieces };
  if (session.operation?.fields.stream !== true || typeof iterator !== 'function') {
    try {
      return (await at(session, () => guard.reply(value))) ?? value;
    } catch (error) {
      failWithheld(session, error, value);
      throw error;
    }
  }
  Object.defineProperty(value, 'iterator', {
    configurable: true,
    writable: true,
    value: () => at(session, () => guard.stream(iterator.call(value))),
  });
  return value;
};

/**
 * Checks a reply that the caller reads as it came. Beside a reply that the client reads, and that is checked there, it has
 * no body.
 */
const guardRaw = async (response: Response, session: Session): Promise<Response> => {
  const { guard } = session;
  if (session.read === true) return session.isGuarded === true ? withBody(response, null) : response;
  session.guard = undefined;
  if (guard === undefined) return response;
  const copy = bodyKind(response) === 'json' ? response.clone() : undefined;
  try {
    return await at(session, () => guard.raw(response));
  } catch (error) {
    failWithheld(session, error, copy && parsed(await copy.text().catch(() => '')));
    throw error;
  }
};

/** Records the parsed body that the caller receives. Only the first one counts. */
const take = (value: unknown, session: Session): void => {
  session.takeReply?.(value);
  session.takeReply = undefined;
  const { call, operation } = session;
  if (call?.recorded !== true || operation === undefined || session.taken === true) return;
  session.taken = true;
  const { reader, fields } = operation;
  if (fields.stream === true && isObject(value)) {
    const { controller } = value as { controller?: { signal?: AbortSignal } };
    if (watchIterable(value, 'iterator', { call, reader, signal: controller?.signal })) return;
  }
  call.end(() => reader.answer(value));
};

/** Records the results of a batch while the caller reads them. */
const takeResults = (response: unknown, session: Session): void => {
  const { results } = session;
  if (results === undefined || !(response instanceof Response)) return;
  session.results = undefined;
  watchLines(response, results);
};

/** Records the raw response, unless the client itself reads the body: `withResponse` requests both. */
const takeRaw = (response: Response, session: Session): void => {
  const { call, operation } = session;
  if (call?.recorded !== true || operation === undefined || session.read === true) return;
  session.read = true;
  watchResponse(response, { call, reader: operation.reader, streamed: operation.fields.stream === true });
};

/**
 * Records every call of a client, and of the clients that its `withOptions` creates. Returns the client. A client that
 * cannot be watched (missing, frozen, of another library) is returned unchanged, and the problem is reported.
 * @param describe returns how to read the reply of a request that is a call; undefined for other requests.
 * @param results returns how to read the results of earlier requests, such as those of a batch that it downloads
 * @param guard checks what a call sends and what comes back
 */
export const watchRequests = <C extends object>(
  sdk: C,
  client: Client,
  describe: Describe,
  results: DescribeResults,
  guard?: CallGuard,
): C => {
  try {
    if (propertyOf(sdk, WATCHED) === true) return sdk;
    if (typeof propertyOf(sdk, 'request') === 'function') {
      watch(sdk as C & Watchable, client, { describe, results, guard });
      return sdk;
    }
    reportUnwatched(client, 'it has no method `request`', EXPECTED);
  } catch (error) {
    reportUnwatched(client, String(error), EXPECTED);
  }
  return sdk;
};

type Watchable = Requests & { [WATCHED]?: boolean };

type Watching = {
  readonly describe: Describe;
  readonly results: DescribeResults;
  readonly guard: CallGuard | undefined;
};

function watch(target: Watchable, client: Client, { describe, results, guard }: Watching): void {
  const { request, withOptions } = target;
  const own = { configurable: true, writable: true };
  Object.defineProperty(target, 'request', {
    ...own,
    // On the caller's own object: the methods of a client behind a proxy work on the client only.
    value(this: unknown, options: unknown, ...rest: unknown[]): unknown {
      const place = currentPlace();
      const session: Session = { place };
      const start = (ready: unknown): unknown => {
        if (isObject(ready)) {
          const started = begin(client, () => describe(ready), place);
          if (started !== undefined) Object.assign(session, { guard, isGuarded: guard !== undefined });
          Object.assign(session, started, takersOf(client, results(ready), place));
        }
        return session.operation?.options ?? ready;
      };
      const prepared = Promise.resolve(options).then((given) =>
        guard === undefined
          ? start(given)
          : guarded(given, describe, (body) => at(session, () => guard.request(body))).then(start),
      );
      const answer = request.call(this, prepared, ...rest);
      if (isObject(answer)) listen(answer as Answering, session);
      return answer;
    },
  });
  Object.defineProperty(target, WATCHED, { value: true });
  if (typeof withOptions !== 'function') return;
  Object.defineProperty(target, 'withOptions', {
    ...own,
    value(this: unknown, ...args: unknown[]): unknown {
      const copy = withOptions.apply(this, args);
      return isObject(copy) ? watchRequests(copy, client, describe, results, guard) : copy;
    },
  });
}

/** What a request records of earlier ones. An exception must not reach the caller. */
function takersOf(
  client: Client,
  results: Results | undefined,
  place: Place | undefined,
): Pick<Session, 'results' | 'takeReply'> {
  if (results === undefined) return {};
  const { from, read } = results;
  if (from === 'lines') return { results: createResultTaker(client, read, place) };
  return {
    takeReply(value) {
      try {
        const event = read(value);
        if (event !== undefined) trackResult(client, event, place);
      } catch (error) {
        client.report({
          kind: 'internal',
          events: 1,
          message: `a result could not be read: ${String(error)}`,
        });
      }
    },
  };
}

/** A request whose texts were checked. Only calls to models are; what is blocked is not sent, and no call begins. */
async function guarded(given: unknown, describe: Describe, check: CallGuard['request']): Promise<unknown> {
  if (!isObject(given) || !isObject(given.body) || describe(given) === undefined) return given;
  const body = await check(given.body);
  return body === given.body ? given : { ...given, body };
}
