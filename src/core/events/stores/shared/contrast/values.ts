import type { ContrastDimension } from '../../../contrast.ts';

/** What each selected call adds to `part` and `whole`; `whole` is 0 if the measure is a sum. */
export type RowValues = { readonly parts: Float64Array; readonly wholes: Float64Array };

/** A value that calls have in a dimension. */
export type Having = readonly [dimension: ContrastDimension, value: string];

/** A column of calls: a code per call, and the dimensions' values that a code stands for. */
export type Source = {
  readonly codes: ArrayLike<number>;
  readonly valuesOf: (code: number) => readonly Having[];
};
