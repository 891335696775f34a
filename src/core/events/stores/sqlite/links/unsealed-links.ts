import { LRUCache } from 'lru-cache';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import type { Chunk } from '../scan/chunk.ts';
import { openBatch } from '../scan/open-batches.ts';
import { gather } from '../segments/gather.ts';
import { type LinkDelta, linkDeltasOf } from '../sums/link-deltas.ts';
import { linksOf } from './log-links.ts';

/** An unsealed batch with the links of its events. */
export type LinkedLine = Readonly<Record<'seq' | 'events' | 'first' | 'last', number>> & {
  readonly flips: string | undefined;
  readonly links: string;
};

/** Sums of the batches that were read lately. A batch with other flips or links is another key. */
const sumsPart: ReaderPart<LRUCache<string, readonly LinkDelta[]>> = {
  open: () => new LRUCache({ max: 20_000 }),
};

/** The sums by link of unsealed events, of the hours of a window of whole hours. */
export function unsealedLinks(reader: Reader, project: number, { from, to }: Window): LinkDelta[] {
  const kept = reader.share(sumsPart);
  return unsealedLines(reader, project, { from, to }).flatMap((line) => {
    const key = `${line.seq} ${line.flips ?? ''} ${line.links}`;
    const known = kept.get(key) ?? sumsOf(openLine(reader, project, line));
    kept.set(key, known);
    return known.filter(({ hour }) => hour * HOUR_MS >= from && hour * HOUR_MS < to);
  });
}

function sumsOf(chunk: Chunk): LinkDelta[] {
  return linkDeltasOf(gather([chunk], [chunk.present()]));
}

/** Opens a batch, with the numbers of its links. */
export const openLine = (reader: Reader, project: number, { flips, links, ...row }: LinkedLine): Chunk =>
  openBatch(reader, { project, ...row }, { flips, links: linksOf(links) });

/** The unsealed batches of a project that have links, with events in a window. */
export function unsealedLines(reader: Reader, project: number, { from, to }: Window): LinkedLine[] {
  const rows = reader.rows(
    `SELECT l.seq, l.events, l.first_ts, l.last_ts, k.links, f.places
     FROM event_log l JOIN event_log_links k ON k.seq = l.seq LEFT JOIN event_log_flips f ON f.seq = l.seq
     WHERE l.project = ? AND l.first_ts < ? AND l.last_ts >= ? ORDER BY l.seq`,
    [project, to, from],
  );
  return rows.map(([seq, events, first, last, links, flips = null]) => ({
    seq: Number(seq),
    events: Number(events),
    first: Number(first),
    last: Number(last),
    links: String(links),
    flips: flips === null ? undefined : String(flips),
  }));
}
