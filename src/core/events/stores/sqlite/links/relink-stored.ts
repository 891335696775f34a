import type { Connection } from '../../../../../db/connection.ts';
import { encodeNumbers } from '../codecs/numbers.ts';
import type { Flips } from '../counting/flips.ts';
import type { StoredParts } from '../counting/stored-parts.ts';
import { flipCalls } from '../scan/flip-calls.ts';
import { replacePieces } from '../segments/encode-segment.ts';
import { gatheredAt } from '../segments/gather.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import { createPieceReplacement } from '../segments/replace-pieces.ts';
import type { Sealed } from '../segments/sealed-part.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import { linkDeltasOf } from '../sums/link-deltas.ts';
import type { StoredSums } from '../sums/sums-part.ts';
import type { Relink } from './create-linker.ts';
import type { LogLinks } from './log-links.ts';

/** Gives events at places of a segment other links, and changes the sums with them. */
export type RelinkSealed = (segment: SegmentRow, links: ReadonlyMap<number, number>) => void;

type SealedParts = { readonly sealed: Sealed; readonly sums: StoredSums; readonly flips: Flips };

export function createRelinkSealed(
  connection: Connection,
  { sealed, sums, flips }: SealedParts,
): RelinkSealed {
  const readSmall = connection.prepare('SELECT small FROM event_segments WHERE no = ?').raw(true);
  const replace = createPieceReplacement(connection);
  return (segment, wanted) => {
    const { project, no } = segment;
    const work = sealed.unlessDamaged(segment, 'links', null, () => {
      const written = sealed.open(segment);
      const before = written.numbers('link');
      const places = [...wanted].flatMap(([place, link]) => (before[place] === link ? [] : [place]));
      if (places.length === 0) return null;
      const after = Float64Array.from(before);
      for (const place of places) after[place] = wanted.get(place) ?? 0;
      const flags = flipCalls(written.bytes('flags'), [...flips.of(no)]);
      const rowsWith = (links: Float64Array) =>
        gatheredAt(
          {
            ...written,
            bytes: (column) => (column === 'flags' ? flags : written.bytes(column)),
            numbers: (column) => (column === 'link' ? links : written.numbers(column)),
          },
          places,
        );
      const [[small = null] = []] = readSmall.all([no]) as Parameters<typeof toBytes>[0][][];
      return {
        deltas: [...linkDeltasOf(rowsWith(before), -1), ...linkDeltasOf(rowsWith(after))],
        replaced: replacePieces(toBytes(small), { link: encodeNumbers(after) }),
      };
    });
    // Sums and links agree: those of a damaged segment stay as they are.
    if (work === null) return;
    replace(project, no, work.replaced);
    sealed.changed(project, no);
    sums.addLinks(project, work.deltas);
  };
}

/** Gives stored events other links. Events that are gone stay away. */
export function createRelinkStored(
  connection: Connection,
  { log, batches, sealed, sums, flips }: StoredParts,
  logLinks: LogLinks,
): (project: number, relinks: readonly Relink[]) => void {
  const relinkSealed = createRelinkSealed(connection, { sealed, sums, flips: flips.sealed });
  return (project, relinks) => {
    const ofBatches = new Map<number, number[]>();
    const ofSegments = new Map<SegmentRow, Map<number, number>>();
    const linksOf = (seq: number): number[] => {
      const links = ofBatches.get(seq) ?? logLinks.of(seq);
      const known = links.length > 0 ? links : Array.from(batches.open(seq)?.present() ?? [], () => 0);
      ofBatches.set(seq, known);
      return known;
    };
    for (const { node, link } of relinks) {
      const { ts, ids, at, seq, place } = node;
      if (ofBatches.has(seq) || (seq !== 0 && log.has(project, seq))) {
        linksOf(seq)[place] = link;
        continue;
      }
      const unsealed = log.find(project, ids, at);
      // A batch may contain a duplicate of a sealed event.
      if (unsealed !== null && batches.open(unsealed.seq)?.present()[unsealed.place] === 1) {
        linksOf(unsealed.seq)[unsealed.place] = link;
        continue;
      }
      const found = sealed.find(project, ts, ids, at);
      if (found !== null)
        ofSegments.set(found.segment, (ofSegments.get(found.segment) ?? new Map()).set(found.place, link));
    }
    for (const [seq, links] of ofBatches) logLinks.write(project, seq, links);
    for (const [segment, wanted] of ofSegments) relinkSealed(segment, wanted);
  };
}
