import { encodeSegment } from '../segments/encode-segment.ts';
import type { Gathered } from '../segments/gather.ts';
import type { SumDeltas } from '../sums/sum-deltas.ts';

/** An encoded segment as a reader process returns it: replies are JSON, so blobs are base64. */
export type WireSegment = {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly small: string;
  readonly pieces: readonly (readonly [piece: number, data: string])[];
  readonly blocks: readonly string[];
};

/**
 * A source of new segments, as it was read. `flips`: its `places` in the table of flips; null if it has none; `links`:
 * the same of the table of links.
 */
export type ReadBatch = {
  readonly seq: number;
  readonly flips: string | null;
  readonly links: string | null;
};
export type ReadSegment = { readonly no: number; readonly version: number; readonly flips: string | null };

/** New segments, and what they replace. */
export type SealWork = {
  readonly segments: readonly WireSegment[];
  readonly batches: readonly ReadBatch[];
  readonly merged: readonly ReadSegment[];
  /** The contribution of the batches; a merge does not change sums. */
  readonly sums: SumDeltas | null;
};

/** Encodes events as a segment for a reply. */
export function encodeForWire(rows: Gathered): WireSegment {
  const { small, pieces, blocks, ...segment } = encodeSegment(rows);
  return {
    ...segment,
    small: small.toBase64(),
    pieces: pieces.map(([piece, data]) => [piece, data.toBase64()]),
    blocks: blocks.map((data) => data.toBase64()),
  };
}
