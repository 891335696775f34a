import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { ID_WORDS } from '../columns.ts';
import { createFlips } from '../counting/flips.ts';
import { createToggleSealed } from '../counting/toggle-sealed.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import { storedSumsPart } from '../sums/sums-part.ts';
import type { ReadBatch } from './wire.ts';

/**
 * Flips of batches since they were read for sealing. Spans of one trace come in many batches, so that batches under
 * load change all the time: the changes are applied to the new segments.
 */
export type LateFlips = {
  /** The ids, in the words of their column, of events whose flag changed. To be called before the batches go. */
  collect(batches: readonly ReadBatch[]): Int32Array[];
  /** Changes the flags of these events in new segments, which are visible and in the sums. */
  apply(segments: readonly SegmentRow[], ids: readonly Int32Array[]): void;
};

export function createLateFlips(connection: Connection, { share }: WriterEnv): LateFlips {
  const sealed = share(sealedPart);
  const logFlips = createFlips(connection, 'event_log_flips', 'seq');
  const toggleSealed = createToggleSealed({
    sealed,
    sums: share(storedSumsPart),
    flips: createFlips(connection, 'event_segment_flips', 'no'),
  });
  const readIds = connection.prepare('SELECT ids FROM event_log WHERE seq = ?').raw(true);

  return {
    collect: (batches) =>
      batches.flatMap(({ seq, flips }) => {
        const now = logFlips.of(seq);
        const read = new Set<number>(flips === null ? [] : (JSON.parse(flips) as number[]));
        const changed = [...now.symmetricDifference(read)];
        if (changed.length === 0) return [];
        const [row] = readIds.all([seq]) as SqlValue[][];
        const ids = new Int32Array(new Uint8Array(row?.[0] as ArrayBuffer).buffer);
        return changed.map((place) => ids.slice(place * ID_WORDS.event_id, (place + 1) * ID_WORDS.event_id));
      }),
    apply(segments, ids) {
      for (const segment of ids.length === 0 ? [] : segments)
        toggleSealed(
          segment,
          ids.flatMap((words) => sealed.placeIn(segment, words, 0) ?? []),
        );
    },
  };
}
