import type { ByteColumn, FilteredText, IdColumn, NumberColumn, TextColumn } from '../columns.ts';

/** A column of texts: `codes[place]` is 0 for null, otherwise 1 + the index in `strings`. */
export type Texts = {
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly strings: readonly string[];
  /** The text of a code; null for 0. The other strings are not decoded. */
  at(code: number): string | null;
  /** The code of a text; 0 if the column does not have it. */
  codeOf(text: string): number;
};

/** Texts with all strings in memory. */
export const plainTexts = (codes: Texts['codes'], strings: readonly string[]): Texts => ({
  codes,
  strings,
  at: (code) => strings[code - 1] ?? null,
  codeOf: (text) => strings.indexOf(text) + 1,
});

/**
 * Events of one project in columns: a batch of the log, or a sealed segment. A place is an event's index. Columns are
 * decoded when they are first used; callers must not change them.
 */
export type Chunk = {
  readonly project: number;
  readonly events: number;
  /** Times of the first and last event in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  /** 1 for each stored event. A batch also contains duplicates of events that were stored before, with 0. */
  present(): Uint8Array;
  numbers(column: NumberColumn): Float64Array;
  /** One number; cheaper than `numbers` for a few of them. */
  number(column: NumberColumn, place: number): number;
  bytes(column: ByteColumn): Uint8Array;
  /** Codes and strings are each decoded when they are read. */
  texts(column: TextColumn): Texts;
  /** Those of several texts that the column may contain; all others are certainly not in it. */
  likelyTexts(column: FilteredText, texts: readonly string[]): readonly string[];
  /** The words of all ids of a column: see `ID_WORDS`. */
  ids(column: IdColumn): Int32Array;
  /** False if no event has the trace or event id, given as words; true if one may have it. */
  mayHave(column: 'event_id' | 'trace_id', words: Int32Array): boolean;
  /** Those of several ids for which `mayHave` is true. */
  likely<T extends { readonly words: Int32Array }>(column: 'event_id' | 'trace_id', ids: readonly T[]): T[];
  /** The detail as JSON (`packs/fields.ts`), and the prompt hash as 64 hex digits; null without one. */
  detail(place: number): string | null;
  promptHash(place: number): string | null;
  /** The same as bytes, for copying: the JSON in UTF-8, and the 32 bytes of the hash; empty without one. */
  detailBytes(place: number): Uint8Array;
  hashBytes(place: number): Uint8Array;
};

/** A chunk that is not open yet. `segment` is its number; null for a batch of the log. */
export type ChunkRef = {
  readonly project: number;
  readonly segment: number | null;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  open(): Chunk;
};

const text = new TextDecoder();

/** `detail` and `promptHash` from their bytes. */
export const detailOf = (bytes: Uint8Array): string | null =>
  bytes.length === 0 ? null : text.decode(bytes);
export const hashOf = (bytes: Uint8Array): string | null => (bytes.length === 0 ? null : bytes.toHex());
