import type { PricedEvent } from '../../../src/core/events/event.ts';
import { decodePack } from '../../../src/core/events/stores/sqlite/packs/decode-pack.ts';
import { encodePack } from '../../../src/core/events/stores/sqlite/packs/encode-pack.ts';
import type { Chunk } from '../../../src/core/events/stores/sqlite/scan/chunk.ts';
import { encodeSegment } from '../../../src/core/events/stores/sqlite/segments/encode-segment.ts';
import { gather } from '../../../src/core/events/stores/sqlite/segments/gather.ts';
import { openSegment } from '../../../src/core/events/stores/sqlite/segments/open-segment.ts';

/** A chunk as the log keeps a batch. */
export function packed(events: readonly PricedEvent[]): Chunk {
  const encoded = encodePack(
    events.map((event) => ({ event, pricing: event, price: event.price === null ? null : 7 })),
  );
  const labels = [0, ...encoded.shapes.map((_, i) => i + 1)];
  return decodePack({ ...encoded, project: 1, dropped: null, labels, flips: [] });
}

/** The chunk of a segment that contains all events of some chunks. */
export function sealed(chunks: readonly Chunk[]): Chunk {
  const segment = encodeSegment(
    gather(
      chunks,
      chunks.map((chunk) => chunk.present()),
    ),
  );
  const pieces = new Map(segment.pieces);
  return openSegment(
    { no: 1, version: 1, project: 1, ...segment, blocks: segment.blocks.length, flips: [] },
    {
      small: () => segment.small,
      piece: (number) => pieces.get(number) as Uint8Array,
      block: (number) => segment.blocks[number] as Uint8Array,
    },
    (_, make) => make(),
  );
}
