import type { EventRow } from '../rows/to-row.ts';

/** An event whose flag `is_call` changes. */
export type Flip = { readonly ts: number; readonly id: string; readonly counted: boolean };

/** A tag's value that is new in a project. */
export type NewTagValue = { readonly name: string; readonly value: string };

/** What one batch or change inserts into the engine. Inserting it again changes nothing. */
export type Entry = {
  readonly project: number;
  /** New events, with their versions. */
  readonly receipts: readonly EventRow[];
  /** Events as they are after a change. Their version is made of the entry's number. */
  readonly changes: readonly EventRow[];
  readonly flips: readonly Flip[];
  readonly tagValues: readonly NewTagValue[];
};

export const isEmpty = ({ receipts, changes, flips }: Entry): boolean =>
  receipts.length + changes.length + flips.length === 0;

export const encodeEntry = (entry: Entry): Uint8Array =>
  Bun.zstdCompressSync(Buffer.from(JSON.stringify(entry)), { level: 1 });
export const decodeEntry = (bytes: Uint8Array): Entry =>
  JSON.parse(Bun.zstdDecompressSync(bytes).toString()) as Entry;
