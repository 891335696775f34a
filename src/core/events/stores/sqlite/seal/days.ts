import { DAY_MS } from '../../../../../lib/time.ts';
import type { Chunk } from '../scan/chunk.ts';
import { type Gathered, gather, gathered } from '../segments/gather.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';

type Day = { readonly chunks: Chunk[]; readonly masks: Uint8Array[] };

/** The events of some chunks by UTC day, in order, and in parts that fit in a segment. */
export function* partsByDay(chunks: readonly Chunk[]): Generator<Gathered> {
  const days = new Map<number, Day>();
  for (const chunk of chunks)
    for (const [day, mask] of masksByDay(chunk)) {
      const own = days.get(day) ?? { chunks: [], masks: [] };
      days.set(day, own);
      own.chunks.push(chunk);
      own.masks.push(mask);
    }
  for (const { chunks, masks } of days.values()) {
    const rows = gather(chunks, masks);
    if (rows.count <= SEGMENT_EVENTS) yield rows;
    else
      for (let from = 0; from < rows.count; from += SEGMENT_EVENTS)
        yield sliceOf(rows, from, from + SEGMENT_EVENTS);
  }
}

function masksByDay(chunk: Chunk): Map<number, Uint8Array> {
  const present = chunk.present();
  const dayOf = (time: number): number => Math.floor(time / DAY_MS);
  if (dayOf(chunk.first) === dayOf(chunk.last)) return new Map([[dayOf(chunk.first), present]]);
  const ts = chunk.numbers('ts');
  const masks = new Map<number, Uint8Array>();
  for (let place = 0; place < chunk.events; place++) {
    if (present[place] === 0) continue;
    const day = dayOf(ts[place] as number);
    const mask = masks.get(day) ?? new Uint8Array(chunk.events);
    masks.set(day, mask);
    mask[place] = 1;
  }
  return masks;
}

const sliceOf = ({ chunks, chunkOf, placeOf }: Gathered, from: number, to: number): Gathered =>
  gathered(chunks, chunkOf.subarray(from, to), placeOf.subarray(from, to));
