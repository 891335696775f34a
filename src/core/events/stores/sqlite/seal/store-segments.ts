import type { Writer } from '../../../../../db/writer.ts';
import { type Finished, type FinishedSegment, finishSegmentsOp } from './finish-op.ts';
import { beginSegmentsOp, type NewSegment, type SegmentPart, segmentPartsOp } from './segment-ops.ts';
import type { SealWork, WireSegment } from './wire.ts';

/** Bytes of a write, so that batches that are stored meanwhile do not wait long. */
const SLICE_BYTES = 256 * 1024;

/**
 * Stores new segments and replaces what they were made of. Until the last write none of it is visible; what an
 * interruption leaves over is deleted before the project's next segments.
 */
export async function storeSegments(writer: Writer, project: number, work: SealWork): Promise<Finished> {
  const { batches, merged, sums } = work;
  const segments = await insertSegments(writer, project, work.segments);
  return writer.write(finishSegmentsOp, { project, segments, batches, merged, sums });
}

/** Stores new segments, which are not visible until they are finished. */
export async function insertSegments(
  writer: Writer,
  project: number,
  segments: readonly WireSegment[],
): Promise<FinishedSegment[]> {
  const numbers: number[] = [];
  const rows = segments.map(toRow);
  for (const [i, segments] of slices(rows, ({ small }) => small.length).entries())
    numbers.push(...(await writer.write(beginSegmentsOp, { project, isFirst: i === 0, segments })));
  const parts = segments.flatMap((segment, i) => partsOf(segment, numbers[i] as number));
  for (const slice of slices(parts, ({ base64 }) => base64.length * 0.75))
    await writer.write(segmentPartsOp, { project, parts: slice.map(decoded) });
  return rows.map(({ small: _, ...row }, i) => ({ no: numbers[i] as number, ...row }));
}

const toRow = ({ events, first, last, small, blocks }: WireSegment): NewSegment => ({
  events,
  first,
  last,
  blocks: blocks.length,
  small: Uint8Array.fromBase64(small),
});

type WirePart = Omit<SegmentPart, 'data'> & { readonly base64: string };

const partsOf = ({ pieces, blocks }: WireSegment, no: number): WirePart[] => [
  ...pieces.map(([number, base64]) => ({ no, of: 'pieces' as const, number, base64 })),
  ...blocks.map((base64, number) => ({ no, of: 'blocks' as const, number, base64 })),
];

const decoded = ({ base64, ...part }: WirePart): SegmentPart => ({
  ...part,
  data: Uint8Array.fromBase64(base64),
});

/** Splits a list into parts of about `SLICE_BYTES`. */
function slices<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const found: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (bytes >= SLICE_BYTES) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(item);
    bytes += bytesOf(item);
  }
  return found;
}
