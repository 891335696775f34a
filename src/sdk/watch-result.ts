/** What becomes of the result of an observed function. `done` is called once. */
export type Watcher = {
  /** Runs reading code where the function ran. */
  readonly run: <T>(read: () => T) => T;
  /** Receives each item of a stream or generator. */
  readonly item: (value: unknown) => void;
  /** Receives the object through which a stream or generator is read. */
  readonly reads: (object: object) => void;
  readonly done: (outcome: Outcome) => void;
};

/** `value`: what the function or generator returned. `left`: its reader stopped before the end. */
export type Outcome =
  | { readonly value: unknown; readonly streamed: boolean }
  | { readonly thrown: unknown }
  | { readonly left: true };

type Iterating = Iterator<unknown> | AsyncIterator<unknown>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const has = (value: object, name: string | symbol): boolean =>
  typeof (value as Record<string | symbol, unknown>)[name] === 'function';

const isIterator = (value: object): value is Iterating =>
  has(value, 'next') && (has(value, Symbol.iterator) || has(value, Symbol.asyncIterator));

const isThenable = (value: unknown): value is PromiseLike<unknown> => isObject(value) && has(value, 'then');

/**
 * Watches a result until it is complete: a value at once, a promise when it settles, a generator, an async iterable
 * or a `ReadableStream` when it has been read. The caller gets the same object, except for a `ReadableStream`, which
 * is replaced by one that passes everything on.
 */
export const watchResult = <T>(value: T, watcher: Watcher): T => {
  try {
    if (isThenable(value)) return watchPromise(value, watcher) as T;
    return watchStreamed(value, watcher) as T;
  } catch {
    // A frozen or hostile object cannot be watched; the caller gets it as it is.
    watcher.done({ value, streamed: false });
    return value;
  }
};

const watchPromise = (promise: PromiseLike<unknown>, watcher: Watcher): PromiseLike<unknown> => {
  const plain = promise.constructor === Promise;
  const settled = promise.then(
    (value) => {
      // A promise with methods of its own is returned unchanged, and so is what it resolves to.
      if (plain) return watchResult(value, watcher);
      watcher.done({ value, streamed: false });
      return value;
    },
    (thrown: unknown) => {
      watcher.done({ thrown });
      throw thrown;
    },
  );
  if (plain) return settled;
  settled.then(undefined, () => {});
  return promise;
};

const watchStreamed = (value: unknown, watcher: Watcher): unknown => {
  if (isObject(value)) {
    if (typeof ReadableStream === 'function' && value instanceof ReadableStream && !value.locked)
      return watchReadable(value, watcher);
    if (isNodeStream(value)) return watchNodeStream(value, watcher);
    if (isIterator(value)) return watchIterator(value, watcher);
    if (has(value, Symbol.asyncIterator)) return watchIterable(value as AsyncIterable<unknown>, watcher);
  }
  watcher.done({ value, streamed: false });
  return value;
};

/** A stream of `node:stream`, which is rarely read by iteration. */
type NodeStream = {
  once(event: 'close', listener: () => void): unknown;
  readonly readableEnded?: boolean;
  readonly errored?: unknown;
};

const isNodeStream = (value: object): value is NodeStream =>
  has(value, 'pipe') && has(value, 'once') && 'readableEnded' in value;

const watchNodeStream = (stream: NodeStream, { done, reads }: Watcher): NodeStream => {
  reads(stream);
  stream.once('close', () => {
    const { errored } = stream;
    if (errored !== undefined && errored !== null) done({ thrown: errored });
    else done(stream.readableEnded === true ? { value: undefined, streamed: true } : { left: true });
  });
  return stream;
};

const own = (value: unknown): PropertyDescriptor => ({ value, configurable: true, writable: true });

/** Watches the first reading; a second one starts at the end of the first. */
const watchIterable = (iterable: AsyncIterable<unknown>, watcher: Watcher): AsyncIterable<unknown> => {
  const make = iterable[Symbol.asyncIterator];
  watcher.reads(iterable);
  Object.defineProperty(
    iterable,
    Symbol.asyncIterator,
    own(() => {
      const iterator = watcher.run(() => make.call(iterable));
      // An iterator that iterates over itself is covered already.
      return iterator === (iterable as unknown) ? iterator : watchIterator(iterator, watcher);
    }),
  );
  return iterable;
};

const watchIterator = <I extends Iterating>(iterator: I, { run, item, done, reads }: Watcher): I => {
  reads(iterator);
  const take = (result: IteratorResult<unknown>): IteratorResult<unknown> => {
    if (result.done === true) done({ value: result.value, streamed: true });
    else item(result.value);
    return result;
  };
  const fail = (thrown: unknown): never => {
    done({ thrown });
    throw thrown;
  };
  const call = (method: (...args: unknown[]) => unknown, args: unknown[]): unknown => {
    try {
      const result = run(() => method.apply(iterator, args));
      return isThenable(result)
        ? result.then((value) => take(value as IteratorResult<unknown>), fail)
        : take(result as IteratorResult<unknown>);
    } catch (error) {
      return fail(error);
    }
  };
  for (const name of ['next', 'throw', 'return'] as const) {
    const method = iterator[name] as ((...args: unknown[]) => unknown) | undefined;
    if (typeof method !== 'function') continue;
    const covered = (...args: unknown[]): unknown => {
      if (name !== 'return') return call(method, args);
      // The first outcome counts: what `return` gives afterwards is not the end of the stream.
      done({ left: true });
      return run(() => method.apply(iterator, args));
    };
    Object.defineProperty(iterator, name, own(covered));
  }
  return iterator;
};

const watchReadable = (
  stream: ReadableStream<unknown>,
  { run, item, done }: Watcher,
): ReadableStream<unknown> => {
  const from = stream.getReader();
  return new ReadableStream<unknown>(
    {
      async pull(to) {
        try {
          const { done: over, value } = await run(() => from.read());
          if (over) {
            done({ value: undefined, streamed: true });
            to.close();
            return;
          }
          item(value);
          to.enqueue(value);
        } catch (thrown) {
          done({ thrown });
          to.error(thrown);
        }
      },
      cancel(reason) {
        done({ left: true });
        return from.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};
