import type { Pieces } from '../wrap/watch-iterator.ts';

/** What `spanledger/guardrails` does around a call. A call that is blocked rejects with its `GuardrailError`. */
export type CallGuard = {
  /** Checks the body of a request; returns the one to send. */
  request(body: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Checks a complete reply; texts in it are replaced where they stand. Returns the reply to use. */
  reply(value: unknown): Promise<unknown>;
  /**
   * Checks a reply that the caller reads as it came over the network. Returns one with the checked texts.
   * @throws GuardrailError also for a stream, whose texts are in pieces: read it through the client's own iterator
   */
  raw(response: Response): Promise<Response>;
  /** Checks a streamed reply while it is read. */
  stream(pieces: Pieces): Pieces;
};
