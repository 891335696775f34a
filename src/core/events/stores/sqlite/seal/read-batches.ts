import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { linksOf } from '../links/log-links.ts';
import { jobRead } from '../read-op.ts';
import { openBatch } from '../scan/open-batches.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';
import { type SumDeltas, sumDeltasOf } from '../sums/sum-deltas.ts';
import { partsByDay } from './days.ts';
import { encodeForWire, type SealWork, type WireSegment } from './wire.ts';

/** Which batches to seal: those up to a number, and with an event before an instant in epoch milliseconds. */
export type SealRequest = {
  readonly project: number;
  readonly upTo?: number | undefined;
  readonly before?: number | undefined;
};

/** `newest` is the number of the newest batch that matches; `isLast`: no further one does. */
export type SealReply = { readonly work: SealWork; readonly newest: number; readonly isLast: boolean } | null;

/** Bytes of packs that are read at once. */
const PACK_BYTES = 8 * 1024 * 1024;

/**
 * Encodes the oldest batches of a project as segments, one or more for each UTC day; null without batches. It goes before
 * queries: each of them decodes what is not sealed, so behind those that keep the readers busy it would fall further and
 * further behind what arrives.
 */
export const sealRead = jobRead('seal', readBatches, 'first');

type Line = {
  readonly seq: number;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly flips: string | null;
  readonly links: string | null;
};

function readBatches(
  reader: Reader,
  { project, upTo = Number.POSITIVE_INFINITY, before = Number.POSITIVE_INFINITY }: SealRequest,
): SealReply {
  const lines = listBatches(reader, project).filter(({ seq, first }) => seq <= upTo && first < before);
  const taken = lines.slice(0, countToTake(lines));
  const chunks = taken.map(({ seq, events, first, last, flips, links }) =>
    openBatch(
      reader,
      { project, seq, events, first, last },
      {
        flips: flips ?? undefined,
        links: linksOf(links),
      },
    ),
  );
  const newest = lines.at(-1)?.seq;
  if (newest === undefined) return null;
  const segments: WireSegment[] = [];
  const sums: SumDeltas[] = [];
  for (const rows of partsByDay(chunks)) {
    segments.push(encodeForWire(rows));
    sums.push(sumDeltasOf(rows));
  }
  return {
    work: {
      segments,
      batches: taken.map(({ seq, flips, links }) => ({ seq, flips, links })),
      merged: [],
      sums: {
        hours: sums.flatMap(({ hours }) => hours),
        labels: sums.flatMap(({ labels }) => labels),
        users: sums.flatMap(({ users }) => users),
        links: sums.flatMap(({ links }) => links),
      },
    },
    newest,
    isLast: taken.length === lines.length,
  };
}

function listBatches(reader: Reader, project: number): Line[] {
  const rows = reader.rows(
    `SELECT l.seq, l.events, l.first_ts, l.last_ts, length(l.pack), f.places, k.links
     FROM event_log l LEFT JOIN event_log_flips f ON f.seq = l.seq
       LEFT JOIN event_log_links k ON k.seq = l.seq
     WHERE l.project = ? ORDER BY l.seq`,
    [project],
  );
  return rows.map(([seq, events, first, last, bytes, flips = null, links = null]) => ({
    seq: Number(seq),
    events: Number(events),
    first: Number(first),
    last: Number(last),
    bytes: Number(bytes),
    flips: textOf(flips),
    links: textOf(links),
  }));
}

const textOf = (value: SqlValue): string | null => (value === null ? null : String(value));

/** How many batches fit in a seal: at least one. */
function countToTake(lines: readonly Line[]): number {
  let [events, bytes, count] = [0, 0, 0];
  for (const line of lines) {
    events += line.events;
    bytes += line.bytes;
    if (count > 0 && (events > SEGMENT_EVENTS || bytes > PACK_BYTES)) break;
    count++;
  }
  return count;
}
