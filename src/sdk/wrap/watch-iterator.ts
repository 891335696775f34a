import type { Call } from '../call.ts';
import type { AnswerReader } from './reader.ts';
import { endWhenCollected } from './unread.ts';

type Pieces = AsyncGenerator<unknown, unknown, unknown>;
type Result = IteratorResult<unknown, unknown>;

/** A stream as the providers' clients give it: `iterator` makes the generator behind all its methods. */
export type ClientStream = { iterator?: unknown; controller?: { signal?: AbortSignal } };

/** Takes a piece and says whether the caller gets it. A reader that stumbles must not stop the stream. */
export const takePiece = (reader: AnswerReader, call: Call, value: unknown): boolean => {
  try {
    const piece = reader.piece(value);
    if (piece === 'content') call.firstToken();
    return piece !== 'hidden';
  } catch {
    return true;
  }
};

/** Ends the call of a stream that came to its end, was left by the caller, or was aborted. */
const close = (call: Call, reader: AnswerReader, code: string | undefined): void => {
  if (code === undefined || reader.complete) call.end(() => reader.result());
  else call.cancel(code, () => reader.result());
};

/**
 * Has a call told about each piece while the caller reads it. The generator stays the very object it was:
 * nothing is read ahead, and what it throws passes as it is.
 */
export const watchIterator = (
  pieces: Pieces,
  { call, reader, signal }: { call: Call; reader: AnswerReader; signal?: AbortSignal | undefined },
): Pieces => {
  const next = pieces.next.bind(pieces);
  const leave = pieces.return.bind(pieces);
  const raise = pieces.throw.bind(pieces);
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
  pieces.return = (value) => {
    close(call, reader, signal?.aborted === true ? 'aborted' : 'stream_abandoned');
    return leave(value);
  };
  pieces.throw = (error) => {
    call.fail(error, () => reader.result());
    return raise(error);
  };
  return pieces;
};

/**
 * Watches the first reading of a stream; a second one only gets the client's own complaint. False where
 * the stream is not of the known make.
 */
export const watchStream = (stream: ClientStream, call: Call, reader: AnswerReader): boolean => {
  const make = stream.iterator;
  if (typeof make !== 'function') return false;
  const holder = endWhenCollected(stream, call);
  stream.iterator = (...args: unknown[]): unknown => {
    const pieces = make.apply(stream, args) as Pieces;
    if (holder.handedOn) return pieces;
    holder.handedOn = true;
    endWhenCollected(pieces, call);
    return watchIterator(pieces, { call, reader, signal: stream.controller?.signal });
  };
  return true;
};
