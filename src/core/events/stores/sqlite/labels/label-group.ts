import type { LabelSum } from '../sums/rollup-sums.ts';

/** Sums over calls; `cost_nano` in nano-dollars. */
export type LabelSums = Readonly<Record<LabelSum, number>>;

/** The calls of one key or tag value; null for calls without one. */
export type LabelGroup = {
  readonly value: string | null;
  readonly sums: LabelSums;
  /** Nano-dollars per UTC day, starting with the window's first day. */
  readonly costs: Float64Array;
};

/** Sums of calls by user, over a window. */
export type UserCosts = {
  /** The most expensive users by id, in descending order of cost. */
  readonly users: readonly LabelGroup[];
  /** Number and sums of the remaining users. */
  readonly others: { readonly users: number; readonly group: LabelGroup };
  /** Calls without a user: `value` is null. */
  readonly nobody: LabelGroup;
};
