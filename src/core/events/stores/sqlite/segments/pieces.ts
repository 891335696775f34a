import { BYTES, ID_WORDS, NUMBERS, TEXTS } from '../columns.ts';

/**
 * The parts of a segment that are encoded, and read, separately. A column of texts has two: its codes and its
 * strings. Files store the index, so new pieces go to the end. The numbers from 48 on are parts of the filters of ids
 * (`filter-parts.ts`), which large segments have instead of whole filters.
 */
export const PIECES = [
  ...NUMBERS,
  'label',
  ...BYTES,
  ...TEXTS,
  'provider strings',
  'model strings',
  'environment strings',
  'operation strings',
  'user_id strings',
  'session_id strings',
  'error_code strings',
  'shape strings',
  ...(Object.keys(ID_WORDS) as (keyof typeof ID_WORDS)[]),
  'event_id filter',
  'trace_id filter',
  'block starts',
  'user_id filter',
  'session_id filter',
  'link',
] as const;
export type Piece = (typeof PIECES)[number];

/** The stored number of a piece. */
export const PIECE = Object.fromEntries(PIECES.map((name, number) => [name, number])) as Readonly<
  Record<Piece, number>
>;

/** Piece numbers per segment: the key of a piece's row is `segment * PIECE_SPACE + piece`. */
export const PIECE_SPACE = 64;
/** The key of a block's row is `segment * BLOCK_SPACE + block`. */
export const BLOCK_SPACE = 16_384;
/** Most events of a segment; each could be a block of its own. */
export const SEGMENT_EVENTS = 16_384;

/** Pieces up to this many bytes are stored together in the segment's row, because each fetch has a cost. */
export const SMALL_PIECE = 4_096;

/** A block has the details and prompt hashes of at most this many events, and of about this many bytes. */
export const BLOCK_EVENTS = 256;
export const BLOCK_BYTES = 256 * 1024;
