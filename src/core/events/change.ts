import type { EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';

/** Which stored calls are priced anew. */
export type CallSelection = {
  /** Epoch milliseconds: from this time, and before that one. */
  readonly from: number;
  readonly to: number;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly environment?: string | undefined;
  /** Only calls without a price. */
  readonly unpricedOnly: boolean;
  /** Also calls whose cost the sender stated. */
  readonly clientCosts: boolean;
};

/**
 * A change of stored events. `reprice` gives calls the cost by the prices in force, as long as these have the
 * version; what each call cost before is kept under the id. `restore` gives all of them that cost back.
 */
export type EventChange =
  | {
      readonly kind: 'reprice';
      readonly id: string;
      readonly calls: CallSelection;
      readonly pricesVersion: string;
    }
  | { readonly kind: 'restore'; readonly id: string };

/** Where a slice begins: `START`, or the cursor of the slice before. `rows`: the most events it changes. */
export type SliceFrom = { readonly cursor: string; readonly rows: number };
export const START = '';

/** What a slice did, as its effects learn it. */
export type ChangeOutcome = {
  readonly changed: number;
  /** Events that were to change and are gone, or were changed by something else meanwhile. */
  readonly gone: number;
  /** Nano-dollars that the totals have more than before; less than 0 where they have less. */
  readonly costNano: number;
  /** Where the next slice begins. Work that was interrupted resumes here. */
  readonly cursor: string;
};

/** `next` is null when nothing is left; `ms` and `tripMs` are for `paced`. */
export type ChangeProgress = ChangeOutcome & {
  readonly next: string | null;
  readonly ms: number;
  readonly tripMs: number;
};

/** What the calls that change cost before and after, on a day (`YYYY-MM-DD`) for a model. Nano-dollars. */
export type CostDifference = {
  readonly day: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly events: number;
  /** How many of them had no price, and will have none. */
  readonly unpricedBefore: number;
  readonly unpricedAfter: number;
  readonly before: number;
  readonly after: number;
};

/** A stretch of a dry run. */
export type ChangePreview = {
  readonly pricesVersion: string;
  /** Calls looked at, and calls that would cost something else. */
  readonly looked: number;
  readonly changes: number;
  /** Of calls that count: what is in no total changes no total. */
  readonly differences: readonly CostDifference[];
  /** Where the next stretch begins; null at the end. */
  readonly next: string | null;
};

/** How stored events change. All sums follow each slice within its transaction. */
export type EventChanges = {
  /**
   * Does one slice of a change and runs its effects in the same transaction. Call it with the cursor of the slice
   * before until `next` is null; a slice that was refused with 503 may be repeated.
   * @throws AppError 409 when the prices are not those of the change, and what an effect refuses the slice with
   */
  change(
    scope: ProjectScope,
    change: EventChange,
    from: SliceFrom,
    effects?: readonly EffectCall[],
  ): Promise<ChangeProgress>;
  /**
   * Says what pricing a stretch of stored calls anew would change, and changes nothing.
   * @param pricesVersion which prices it has to be; null for those in force
   * @throws AppError 409 when other prices are in force
   */
  previewReprice(
    scope: ProjectScope,
    calls: CallSelection,
    from: { readonly cursor: string; readonly pricesVersion: string | null },
  ): Promise<ChangePreview>;
};
