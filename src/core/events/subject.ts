import type { StoredEvent } from './contract.ts';

/** A trace, a span of it, or a session: what people and evaluators judge. */
export type SubjectQuery =
  | { readonly traceId: string; readonly spanId?: string | undefined }
  | { readonly sessionId: string };

export type SubjectsQuery = {
  readonly of: readonly SubjectQuery[];
  /** Whether events come with input and output, where the project stores them. */
  readonly content: boolean;
};

/** What is stored of a trace, a span or a session. Times in epoch milliseconds. */
export type EventSubject = {
  /** Start of its first event. */
  readonly from: number;
  /** End of its last event. */
  readonly to: number;
  /** End user of it, or of the trace that the span is in; null without one. */
  readonly userId: string | null;
  /** Its first root, or the first span where no root arrived; the span itself. */
  readonly root: StoredEvent;
  /** Its last call of a model; null without one. */
  readonly call: StoredEvent | null;
};
