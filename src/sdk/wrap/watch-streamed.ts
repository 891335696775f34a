import type { Call } from '../call.ts';
import type { Operation } from './reader.ts';
import { endWhenCollected } from './unread.ts';
import { isObject } from './usage.ts';
import { type Pieces, type WatchedStream, watchIterable, watchIterator } from './watch-iterator.ts';

type Stream = ReadableStream<unknown>;

/** Reads a stream, and cancels it when its reader stops early. */
const readPieces = (stream: Stream, getReader: Stream['getReader']): Pieces => {
  const reader = Reflect.apply(getReader, stream, []) as ReadableStreamDefaultReader<unknown>;
  const end = { done: true, value: undefined } as const;
  const pieces = {
    async next() {
      const { done, value } = await reader.read();
      if (!done) return { done, value };
      reader.releaseLock();
      return end;
    },
    async return() {
      const cancelled = reader.cancel();
      reader.releaseLock();
      await cancelled;
      return end;
    },
    [Symbol.asyncIterator]: () => pieces,
  };
  return pieces;
};

/** A stream that reads an iterator as it is read itself. */
const toReadable = (pieces: Pieces): Stream =>
  new ReadableStream(
    {
      async pull(to) {
        const { done, value } = await pieces.next();
        if (done === true) to.close();
        else to.enqueue(value);
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  );

/** Makes every way to read a `ReadableStream` use one iterator, which is watched. */
const watchReadable = (stream: Stream, watched: WatchedStream): boolean => {
  const { getReader } = stream;
  const cover = (name: PropertyKey, value: (...args: unknown[]) => unknown): void =>
    void Object.defineProperty(stream, name, { value, configurable: true, writable: true });
  cover(Symbol.asyncIterator, () => readPieces(stream, getReader));
  if (!watchIterable(stream, Symbol.asyncIterator, watched)) return false;
  const iterate = (): Pieces => (stream as unknown as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  cover('values', iterate);
  for (const name of ['getReader', 'tee', 'pipeTo', 'pipeThrough'] as const) {
    cover(name, (...args) => {
      const copy = toReadable(iterate());
      return (copy[name] as (...args: unknown[]) => unknown).apply(copy, args);
    });
  }
  return true;
};

/**
 * Records a stream while the caller reads it: an async generator, a `ReadableStream`, or an object with an async
 * iterator. Returns false if the value is none of these.
 */
export const watchStreamed = (value: unknown, call: Call, { reader, signal }: Operation): boolean => {
  const watched = { call, reader, signal };
  if (value instanceof ReadableStream) return watchReadable(value, watched);
  if (!isObject(value)) return false;
  if (typeof value.next !== 'function') return watchIterable(value, Symbol.asyncIterator, watched);
  endWhenCollected(value, call);
  watchIterator(value as unknown as Pieces, watched);
  return true;
};
