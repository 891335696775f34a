import type { Call } from './call.ts';
import type { Client } from './client.ts';
import { currentPlace, type Place, runAt } from './context.ts';
import type { Operation } from './reader.ts';
import { isObject } from './usage.ts';
import { type ClientStream, watchStream } from './watch-iterator.ts';
import { watchResponse } from './watch-response.ts';

/**
 * The clients of OpenAI and Anthropic come from one generator (Stainless) and work alike: whatever method
 * is called, also `parse`, `stream` and the tool runners, one call to a model is one `client.request`,
 * retries included, and its answer is an `APIPromise` that reads the body when it is first awaited.
 * That is where calls are watched: `request` is covered on the client itself, so that everything stays
 * what it was, and the promise's own parsing is listened to, so that the body is read once and not before
 * the caller wants it.
 */
export type Requests = {
  request(options: unknown, ...rest: unknown[]): unknown;
  withOptions?(...args: unknown[]): unknown;
};

/** What is looked at of a request before it is sent. */
export type RequestOptions = {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly stream?: boolean;
};

type Describe = (options: RequestOptions) => Operation | undefined;

/** The parts of an `APIPromise` that are used. */
type Answering = {
  responsePromise?: Promise<unknown>;
  parseResponse?: (...args: unknown[]) => Promise<unknown>;
  asResponse?: () => Promise<Response>;
};

/** A request under way; it has a call once it is known to be one. */
type Session = { call?: Call; operation?: Operation };

const WATCHED = Symbol.for('spanledger.watched');

/** Ends calls whose answer nobody read, when the answer is collected. */
const unread =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Session>(({ call }) => call?.cancel('unread'))
    : undefined;

const begin = (client: Client, describe: Describe, options: unknown, place: Place | undefined): Session => {
  if (!isObject(options)) return {};
  try {
    const operation = describe(options);
    if (operation === undefined) return {};
    const start = (): Call => client.startCall(operation.fields, operation.prompt);
    return { operation, call: place === undefined ? start() : runAt(place, start) };
  } catch (error) {
    client.report({ kind: 'internal', events: 1, message: `a call could not be read: ${String(error)}` });
    return {};
  }
};

/** Listens to the answer, whichever way the caller takes it. */
const listen = (answer: Answering, session: Session): void => {
  const { responsePromise, parseResponse, asResponse } = answer;
  if (responsePromise === undefined || typeof parseResponse !== 'function') return;
  responsePromise.then(
    () => {},
    (error: unknown) => session.call?.fail(error),
  );
  let parsed = false;
  answer.parseResponse = async (...args) => {
    parsed = true;
    const { call, operation } = session;
    if (call === undefined || operation === undefined || !call.recorded)
      return parseResponse.apply(answer, args);
    try {
      const value = await parseResponse.apply(answer, args);
      take(value, session, call, operation);
      return value;
    } catch (error) {
      call.fail(error);
      throw error;
    }
  };
  if (typeof asResponse === 'function') {
    answer.asResponse = async () => {
      const response = await asResponse.call(answer);
      const { call, operation } = session;
      if (!parsed && call?.recorded === true && operation !== undefined) {
        watchResponse(response, {
          call,
          reader: operation.reader,
          streamed: operation.fields.stream === true,
        });
      }
      return response;
    };
  }
  unread?.register(answer, session);
};

const take = (value: unknown, session: Session, call: Call, { reader, fields }: Operation): void => {
  if (fields.stream === true && isObject(value)) {
    unread?.register(value, session);
    if (watchStream(value as ClientStream, call, reader)) return;
  }
  call.end(() => reader.answer(value));
};

/**
 * Has every call of a client recorded, and of the clients that its `withOptions` makes. Returns the client.
 * @param describe which requests are calls, and how their answers read; undefined for all others.
 */
export const watchRequests = <C extends object>(sdk: C, client: Client, describe: Describe): C => {
  const target = sdk as C & Requests & { [WATCHED]?: boolean };
  if (target[WATCHED] === true || typeof target.request !== 'function') return sdk;
  const { request, withOptions } = target;
  const own = { configurable: true, writable: true };
  Object.defineProperty(target, WATCHED, { value: true });
  Object.defineProperty(target, 'request', {
    ...own,
    value: (options: unknown, ...rest: unknown[]): unknown => {
      const place = currentPlace();
      const session: Session = {};
      const prepared = Promise.resolve(options).then((ready) => {
        Object.assign(session, begin(client, describe, ready, place));
        return session.operation?.options ?? ready;
      });
      const answer = request.call(target, prepared, ...rest);
      if (isObject(answer)) listen(answer as Answering, session);
      return answer;
    },
  });
  if (typeof withOptions === 'function') {
    Object.defineProperty(target, 'withOptions', {
      ...own,
      value: (...args: unknown[]): unknown => {
        const copy = withOptions.apply(target, args);
        return isObject(copy) ? watchRequests(copy, client, describe) : copy;
      },
    });
  }
  return sdk;
};
