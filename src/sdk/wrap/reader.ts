import type { EventFields } from '../event.ts';
import type { Prompt } from '../prompt.ts';

/** What a streamed piece is: the first of them with content makes the TTFT; a hidden one is not the caller's. */
export type Piece = 'content' | 'hidden' | undefined;

/** Reads the answers of one kind of request. `answer` and `result` are called when nobody waits. */
export type AnswerReader = {
  /** What a whole answer says. */
  answer(value: unknown): EventFields;
  /** Takes one piece of a streamed answer, in the caller's time. */
  piece(value: unknown): Piece;
  /** Whether a piece is not the caller's; absent where every piece is. */
  readonly hides?: ((value: unknown) => boolean) | undefined;
  /** What the pieces have said so far. */
  result(): EventFields;
  /** Whether the pieces so far have said how the answer ended. */
  readonly complete: boolean;
};

/** A request that is a call to a model. */
export type Operation = {
  readonly fields: EventFields;
  readonly prompt?: Prompt | undefined;
  readonly reader: AnswerReader;
  /** What is sent in the place of the caller's options. */
  readonly options?: object | undefined;
};
