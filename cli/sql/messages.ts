import type { Value } from './columns.ts';

/** What the command sends to the query process; it answers each message with one. */
export type Request =
  | {
      readonly kind: 'open';
      readonly columns: readonly { readonly name: string; readonly type: string }[];
      /** Those that `store` fills, in its order. */
      readonly loaded: readonly string[];
      readonly sql: string;
    }
  /** Rows with the `loaded` columns. */
  | { readonly kind: 'store'; readonly rows: readonly (readonly Value[])[] }
  /** Runs the statement for at most so many rows. */
  | { readonly kind: 'run'; readonly limit: number };

/** Rows of a statement. Integers above 2^53 are decimal texts, blobs hexadecimal literals. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** There are more rows than the limit. */
  readonly truncated: boolean;
}

export type Reply =
  | { readonly kind: 'done' }
  | { readonly kind: 'rows'; readonly result: Rows }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string };
