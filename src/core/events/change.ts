import type { EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';

/** The stored calls to re-price. */
export type CallSelection = {
  /** Epoch milliseconds, `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly environment?: string | undefined;
  /** Only calls without a price. */
  readonly unpricedOnly: boolean;
  /** Also calls whose cost the sender set. */
  readonly clientCosts: boolean;
};

/**
 * A change of stored events. `reprice` applies the current prices if they have the given version, and keeps each
 * call's previous cost under the id. `restore` restores all of these costs.
 */
export type EventChange =
  | {
      readonly kind: 'reprice';
      readonly id: string;
      readonly calls: CallSelection;
      readonly pricesVersion: string;
    }
  | { readonly kind: 'restore'; readonly id: string };

/**
 * Start of a slice: `START` or the previous slice's cursor. `rows` is how many events to change, at most; a store that
 * stores many events together may change more of them at once.
 */
export type SliceFrom = { readonly cursor: string; readonly rows: number };
export const START = '';

/** Outcome of a slice, as passed to its effects. */
export type ChangeOutcome = {
  readonly changed: number;
  /** Events that were deleted or changed concurrently, and therefore skipped. */
  readonly gone: number;
  /** Difference of the totals in nano-dollars. */
  readonly costNano: number;
  /** Start of the next slice. Interrupted work resumes here. */
  readonly cursor: string;
};

/** `next` is null at the end; `ms` and `tripMs` are for `paced`. */
export type ChangeProgress = ChangeOutcome & {
  readonly next: string | null;
  readonly ms: number;
  readonly tripMs: number;
};

/** Cost before and after of the calls that change, per day (`YYYY-MM-DD`) and model, in nano-dollars. */
export type CostDifference = {
  readonly day: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly events: number;
  /** Number of them without a price, before and after. */
  readonly unpricedBefore: number;
  readonly unpricedAfter: number;
  readonly before: number;
  readonly after: number;
};

/** One page of a dry run. */
export type ChangePreview = {
  readonly pricesVersion: string;
  /** Number of calls examined, and of calls whose cost would change. */
  readonly looked: number;
  readonly changes: number;
  /** Number of events that are damaged or lost and keep their cost; on the last page only. */
  readonly unreadable: number;
  /** Differences of counted calls only, because other calls are in no total. */
  readonly differences: readonly CostDifference[];
  /** Start of the next page; null at the end. */
  readonly next: string | null;
};

/** Changes of stored events. All sums are updated in the transaction of each slice. */
export type EventChanges = {
  /**
   * Applies one slice of a change and its effects in one transaction. Call it with the previous slice's cursor until
   * `next` is null. A slice that failed with 503 may be retried.
   * @throws AppError 409 if the current prices are not those of the change; the error of an effect that rejects the
   * slice
   */
  change(
    scope: ProjectScope,
    change: EventChange,
    from: SliceFrom,
    effects?: readonly EffectCall[],
  ): Promise<ChangeProgress>;
  /**
   * Computes what re-pricing a page of stored calls would change, without changing anything.
   * @param pricesVersion expected version of the prices; null for the current one
   * @throws AppError 409 if the current prices have another version
   */
  previewReprice(
    scope: ProjectScope,
    calls: CallSelection,
    from: { readonly cursor: string; readonly pricesVersion: string | null },
  ): Promise<ChangePreview>;
};
