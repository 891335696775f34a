import type { ApartKind, Layout } from '../contract.ts';
import type { Columns } from './columns.ts';

/** What a line of an export bills, in the terms of the ledger; null where the export does not say. */
export type InvoiceFigures = {
  readonly calls: number | null;
  readonly fresh: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly usd: number | null;
  /** The same at the provider's public prices, if the export states both. */
  readonly listUsd: number | null;
};

/** Whose line it is: a workspace, project, subscription or account, and an API key. Empty: not said. */
type InvoiceLabels = {
  readonly account: string;
  readonly key: string;
  /** What was billed, such as `input_cache_read`. */
  readonly type: string;
};

/** A line for calls of a model. */
export type InvoiceRow = InvoiceFigures &
  InvoiceLabels & {
    /** First and last day of the line, in days since the epoch, UTC. */
    readonly day: number;
    readonly until: number;
    readonly provider: string | null;
    /** As the export names it; empty if it is not said. */
    readonly model: string;
  };

/** An amount that is not compared: a credit, a tax, another currency, another service. */
export type ApartRow = Pick<InvoiceLabels, 'account' | 'key'> & {
  readonly apart: ApartKind;
  readonly label: string;
  readonly amount: number;
  /** Upper-case ISO 4217. */
  readonly currency: string;
};

/** What a row of the file says: nothing, or why it cannot be read. */
export type ReadRow = InvoiceRow | ApartRow | string;

/** Reads a row. A number that is none is NaN, which the caller reports. */
export type RowReader = (row: readonly string[]) => readonly ReadRow[];

/** One kind of export. */
export type ExportFormat = {
  readonly layout: Layout;
  /** Columns that identify it, each by its names; headings are lower case with `_` for blanks, dots and slashes. */
  readonly known: readonly (readonly string[])[];
  /** The provider whose calls are compared; null: the rows say. */
  readonly provider: string | null;
  /** `display`: models have names for people. */
  readonly names: 'ids' | 'display';
  readonly reader: (columns: Columns) => RowReader;
};

/** A line without figures, to be completed. */
export const NO_FIGURES: InvoiceFigures = {
  calls: null,
  fresh: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  usd: null,
  listUsd: null,
};
