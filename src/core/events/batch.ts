import type { ParsedEvent, Pricing } from './event.ts';

/** Events of one project that are stored together. */
export type EventBatch = {
  /**
   * Pricing is a separate object, because copying forty fields into one object costs almost a microsecond per event.
   */
  readonly events: readonly { readonly event: ParsedEvent; readonly pricing: Pricing }[];
  /** Id of the project key that sent them, if any. */
  readonly keyId: string | null;
  /**
   * The events are OTLP spans. If several spans of a trace represent one call, the call counts once, even across
   * batches. Native events are compared only if `linkedEventId` made their id.
   */
  readonly spans: boolean;
};

/** Outcome of a batch, as passed to its effects. */
export type RecordOutcome = {
  /** Number of new events. */
  readonly stored: number;
  /** Number of events that were already stored. */
  readonly duplicates: number;
};

/**
 * What effects are given: `bytes` is what the new events take in the log, `dropped` are the places of duplicates in the
 * batch.
 */
export type RecordedBatch = RecordOutcome & { readonly bytes: number; readonly dropped: readonly number[] };

/** Outcome of a batch. `results` are the results of its effects, in order. */
export type Receipt = RecordOutcome & { readonly results: readonly unknown[] };
