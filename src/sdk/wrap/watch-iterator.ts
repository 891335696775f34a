import type { Call } from '../call.ts';
import type { AnswerReader } from './reader.ts';
import { endWhenCollected } from './unread.ts';

/** What reads a stream, such as a generator. */
export type Pieces = AsyncIterator<unknown, unknown, unknown>;
type Result = IteratorResult<unknown, unknown>;

/** The call of a stream, and the signal with which its caller can end it. */
export type WatchedStream = {
  readonly call: Call;
  readonly reader: AnswerReader;
  readonly signal?: AbortSignal | undefined;
};

/** Reads a chunk; returns whether the caller receives it. An exception in the reader must not stop the stream. */
export const takePiece = (reader: AnswerReader, call: Call, value: unknown): boolean => {
  try {
    const piece = reader.piece(value);
    if (piece === 'content') call.firstToken();
    return piece !== 'hidden';
  } catch {
    return true;
  }
};

/** Ends the call of a stream that ended, was left by the caller, or was aborted. */
const close = (call: Call, reader: AnswerReader, code: string | undefined): void => {
  if (code === undefined || reader.complete) call.end(() => reader.result());
  else call.cancel(code, () => reader.result());
};

/**
 * Records each chunk while the caller reads it. The iterator object stays the same: nothing is read ahead, and its
 * exceptions pass through unchanged.
 */
export const watchIterator = (pieces: Pieces, { call, reader, signal }: WatchedStream): Pieces => {
  const next = pieces.next.bind(pieces);
  const leave = pieces.return?.bind(pieces);
  const raise = pieces.throw?.bind(pieces);
  const settle = (result: Result): Result | Promise<Result> => {
    if (result.done === true) close(call, reader, signal?.aborted === true ? 'aborted' : undefined);
    else if (!takePiece(reader, call, result.value)) return next().then(settle, fail);
    return result;
  };
  const fail = (error: unknown): never => {
    call.fail(error, () => reader.result());
    throw error;
  };
  pieces.next = (...args) => next(...args).then(settle, fail);
  if (leave !== undefined) {
    pieces.return = (value) => {
      close(call, reader, signal?.aborted === true ? 'aborted' : 'stream_abandoned');
      return leave(value);
    };
  }
  if (raise !== undefined) {
    pieces.throw = (error) => {
      call.fail(error, () => reader.result());
      return raise(error);
    };
  }
  return pieces;
};

/**
 * Records the first reading of a stream; a second reading only gets the client's own error. Returns false if the
 * stream is of an unknown kind.
 * @param key the method of the stream that creates the iterator which all its other methods use
 */
export const watchIterable = (stream: object, key: PropertyKey, watched: WatchedStream): boolean => {
  const make: unknown = Reflect.get(stream, key);
  if (typeof make !== 'function') return false;
  const holder = endWhenCollected(stream, watched.call);
  const iterate = (...args: unknown[]): unknown => {
    const pieces = make.apply(stream, args) as Pieces;
    if (holder.handedOn) return pieces;
    holder.handedOn = true;
    endWhenCollected(pieces, watched.call);
    return watchIterator(pieces, watched);
  };
  Object.defineProperty(stream, key, { value: iterate, configurable: true, writable: true });
  return true;
};
