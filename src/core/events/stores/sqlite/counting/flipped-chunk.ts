import type { Chunk } from '../scan/chunk.ts';
import type { SegmentRow } from '../segments/open-segment.ts';

/** A chunk as it was written, and the places whose flag `call` has changed since. `segment`: null for a batch. */
export type FlippedChunk = {
  readonly chunk: Chunk;
  readonly flips: ReadonlySet<number>;
  readonly segment: SegmentRow | null;
  /** The number of the batch; 0 for a segment. */
  readonly seq: number;
};
