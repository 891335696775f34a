import type { EventFields } from '../event.ts';
import type { Prompt } from '../prompt.ts';
import { isObject } from './usage.ts';

/** Kind of a stream chunk. The first `content` chunk sets the TTFT; a `hidden` chunk is not passed to the caller. */
export type Piece = 'content' | 'hidden' | undefined;

/** Reads the replies of one kind of request. `answer` and `result` run off the caller's path. */
export type AnswerReader = {
  /** Fields of a complete reply. */
  answer(value: unknown): EventFields;
  /** Reads one chunk of a streamed reply, on the caller's path. */
  piece(value: unknown): Piece;
  /** Whether a chunk is hidden from the caller; absent if none is. */
  readonly hides?: ((value: unknown) => boolean) | undefined;
  /** Fields from the chunks so far. */
  result(): EventFields;
  /** Whether the chunks so far contain the end of the reply. */
  readonly complete: boolean;
};

/** A request that is a call to a model. */
export type Operation = {
  readonly fields: EventFields;
  readonly prompt?: Prompt | undefined;
  readonly reader: AnswerReader;
  /** Replaces the caller's request options. */
  readonly options?: object | undefined;
  /** The OpenTelemetry span that the provider's client made for the call. */
  readonly around?: unknown;
  /** The signal with which the caller can end a stream. */
  readonly signal?: AbortSignal | undefined;
  /** The error to record for one that the client throws, where the client's own says something else. */
  readonly meaning?: ((error: unknown) => unknown) | undefined;
};

/** A reader of replies that are never streamed. */
export const readerOf = (
  answer: (reply: Readonly<Record<string, unknown>>) => EventFields,
): AnswerReader => ({
  answer: (value) => answer(isObject(value) ? value : {}),
  piece: () => undefined,
  result: () => ({}),
  complete: true,
});
