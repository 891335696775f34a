import type { ParsedEvent, Pricing } from './event.ts';

/** Events of one project that are stored together. */
export type EventBatch = {
  /** Pricing stands apart: copying forty fields into one object costs close to a microsecond an event. */
  readonly events: readonly { readonly event: ParsedEvent; readonly pricing: Pricing }[];
  /** The project key with which they came, if any. */
  readonly keyId: string | null;
  /**
   * The events are OTLP spans: a call that several of them stand for counts once, over all batches of its
   * trace. A native event states itself what it is and is neither compared nor compared with.
   */
  readonly spans: boolean;
};

/** What became of a batch, as its effects learn it. */
export type RecordOutcome = {
  /** Events that were new. */
  readonly stored: number;
  /** Events that the store had before. */
  readonly duplicates: number;
};

/** What became of a batch. `results`: what its effects returned, in their order. */
export type Receipt = RecordOutcome & { readonly results: readonly unknown[] };
