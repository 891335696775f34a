import type { Client } from '../client.ts';
import { begin, type Started } from './begin.ts';
import type { Operation } from './reader.ts';
import { reportUnwatched } from './unwatched.ts';
import { isObject } from './usage.ts';
import { watchStreamed } from './watch-streamed.ts';

/** A method of a client: its object, its name, and how to read a call of it. */
export type Method = {
  readonly of: unknown;
  readonly name: string;
  readonly describe: (...args: unknown[]) => Operation | undefined;
};

const WATCHED = Symbol.for('spanledger.watched');

type Callable = ((this: unknown, ...args: unknown[]) => unknown) & { [WATCHED]?: boolean };

/** Records the reply that the caller receives. */
const take = (value: unknown, { call, operation }: Started): void => {
  if (operation.fields.stream === true && watchStreamed(value, call, operation)) return;
  call.end(() => operation.reader.answer(value));
};

const run = (method: Callable, self: unknown, args: unknown[], started: Started): unknown => {
  const { call } = started;
  try {
    const answer = method.apply(self, args);
    if (!isObject(answer) || typeof answer.then !== 'function') take(answer, started);
    else {
      // The caller gets the same promise, which may have methods of its own.
      (answer as unknown as PromiseLike<unknown>).then(
        (value) => take(value, started),
        (error: unknown) => call.fail(error),
      );
    }
    return answer;
  } catch (error) {
    call.fail(error);
    throw error;
  }
};

/** Returns false if there is no such method. Throws if its object cannot be changed. */
const watchMethod = ({ of, name, describe }: Method, client: Client): boolean => {
  if (!isObject(of) || typeof of[name] !== 'function') return false;
  const method = of[name] as Callable;
  if (method[WATCHED] === true) return true;
  const watched: Callable = function (...args) {
    const started = begin(client, () => describe(...args));
    if (started?.call.recorded !== true) return method.apply(this, args);
    return run(method, this, args, started);
  };
  Object.defineProperty(watched, WATCHED, { value: true });
  Object.defineProperty(of, name, { value: watched, configurable: true, writable: true });
  return true;
};

/**
 * Records the calls of methods that return a promise of a reply or of a stream. The client is changed in place and
 * returned. If none of its methods can be watched (missing, frozen, of another library), that is reported.
 * @param expected what the caller should pass, for the report
 */
export const watchMethods = <C>(
  sdk: C,
  client: Client,
  expected: string,
  list: () => Iterable<Method>,
): C => {
  let watched = 0;
  let why = 'it has none of the known methods';
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      why = String(error);
    }
  };
  attempt(() => {
    for (const method of list()) attempt(() => void (watchMethod(method, client) && watched++));
  });
  if (watched === 0) reportUnwatched(client, why, expected);
  return sdk;
};
