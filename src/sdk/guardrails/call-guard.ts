import type { Pieces } from '../wrap/watch-iterator.ts';

/** What `spanledger/guardrails` does around a call. A call that is blocked rejects with its `GuardrailError`. */
export type CallGuard = {
  /** Checks the body of a request; returns the one to send. */
  request(body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Checks a complete reply; texts in it are replaced where they stand. */
  reply(value: unknown): Promise<void>;
  /** Checks a streamed reply while it is read. */
  stream(pieces: Pieces): Pieces;
};
