import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { ID_WORDS } from '../columns.ts';
import { createFlips } from '../counting/flips.ts';
import { createLogLinks, linksOf } from '../links/log-links.ts';
import { createRelinkSealed } from '../links/relink-stored.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import { storedSumsPart } from '../sums/sums-part.ts';
import type { ReadBatch } from './wire.ts';

/** The id of an event in the words of its column, and the number of its new link. */
type LateLink = { readonly words: Int32Array; readonly link: number };

/** Links of batches that changed since they were read for sealing, as `LateFlips`. */
export type LateLinks = {
  /** To be called before the batches go. */
  collect(batches: readonly ReadBatch[]): LateLink[];
  /** Gives these events their links in new segments, which are visible and in the sums. */
  apply(segments: readonly SegmentRow[], links: readonly LateLink[]): void;
};

export function createLateLinks(connection: Connection, { share }: WriterEnv): LateLinks {
  const sealed = share(sealedPart);
  const logLinks = createLogLinks(connection, false);
  const relinkSealed = createRelinkSealed(connection, {
    sealed,
    sums: share(storedSumsPart),
    flips: createFlips(connection, 'event_segment_flips', 'no'),
  });
  const readIds = connection.prepare('SELECT ids FROM event_log WHERE seq = ?').raw(true);

  return {
    collect: (batches) =>
      batches.flatMap(({ seq, links }) => {
        const before = linksOf(links);
        const changed = [...logLinks.of(seq).entries()].filter(
          ([place, link]) => link !== (before[place] ?? 0),
        );
        if (changed.length === 0) return [];
        const [row] = readIds.all([seq]) as SqlValue[][];
        const ids = new Int32Array(new Uint8Array(row?.[0] as ArrayBuffer).buffer);
        return changed.map(([place, link]) => ({
          words: ids.slice(place * ID_WORDS.event_id, (place + 1) * ID_WORDS.event_id),
          link,
        }));
      }),
    apply(segments, links) {
      for (const segment of links.length === 0 ? [] : segments) {
        const wanted = links.flatMap(({ words, link }): [number, number][] => {
          const place = sealed.placeIn(segment, words, 0);
          return place === null ? [] : [[place, link]];
        });
        relinkSealed(segment, new Map(wanted));
      }
    },
  };
}
