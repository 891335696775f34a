import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { linksOf } from '../links/log-links.ts';
import { jobRead } from '../read-op.ts';
import type { Chunk } from '../scan/chunk.ts';
import { openBatch } from '../scan/open-batches.ts';
import type { Gathered } from '../segments/gather.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';
import { type SumDeltas, sumDeltasOf } from '../sums/sum-deltas.ts';
import { partsByDay } from './days.ts';
import { encodeForWire, type SealWork } from './wire.ts';

/** Which batches to seal: those up to a number, and with an event before an instant in epoch milliseconds. */
export type SealRequest = {
  readonly project: number;
  readonly upTo?: number | undefined;
  readonly before?: number | undefined;
};

/** `newest` is the number of the newest batch that matches; `isLast`: no further one does. */
export type SealReply = { readonly work: SealWork; readonly newest: number; readonly isLast: boolean } | null;

/** Bytes of decoded batches, but for the last, that are in memory at once: encoding takes twice as much beside them. */
const DECODED_BYTES = 32 * 1024 * 1024;
/**
 * Entries of the sums that the last write of a seal changes. It is one transaction, for which the batches of everybody
 * wait: with these, up to a fifth of a second. A usual seal has some hundreds; one in which each event has an error code
 * or a user of its own has as many as events. Most take entries by hour, and those by user and day a quarter of it.
 */
const ENTRIES = 4_096;
/** New segments, each of a day: encoding one takes a millisecond however few events it has. */
const SEGMENTS = 2_048;
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
  readonly flips: string | null;
  readonly links: string | null;
};

function readBatches(
  reader: Reader,
  { project, upTo = Number.POSITIVE_INFINITY, before = Number.POSITIVE_INFINITY }: SealRequest,
): SealReply {
  const lines = listBatches(reader, project).filter(({ seq, first }) => seq <= upTo && first < before);
  const newest = lines.at(-1)?.seq;
  if (newest === undefined) return null;
  const { parts, sums, count } = upToEntries(openBatches(reader, project, lines));
  return {
    work: {
      segments: parts.map(encodeForWire),
      batches: lines.slice(0, count).map(({ seq, flips, links }) => ({ seq, flips, links })),
      merged: [],
      sums,
    },
    newest,
    isLast: count === lines.length,
  };
}

/** The first batches, as many as fit in a segment and in memory: at least one. */
function openBatches(reader: Reader, project: number, lines: readonly Line[]): Chunk[] {
  const chunks: Chunk[] = [];
  let [events, bytes] = [0, 0];
  for (const { flips, links, ...line } of lines) {
    events += line.events;
    if (chunks.length > 0 && (events > SEGMENT_EVENTS || bytes > DECODED_BYTES)) break;
    const row = { project, ...line };
    const chunk = openBatch(reader, row, { flips: flips ?? undefined, links: linksOf(links) });
    chunks.push(chunk);
    bytes += chunk.byteLength;
  }
  return chunks;
}

type Part = {
  readonly parts: readonly Gathered[];
  readonly sums: SumDeltas;
  /** Of the chunks. */
  readonly count: number;
};

/** The events of the first chunks by day, and their sums: of as many chunks as one write may take, but at least one. */
function upToEntries(chunks: readonly Chunk[]): Part {
  for (let count = chunks.length; ; count = Math.ceil(count / 2)) {
    const parts = [...partsByDay(chunks.slice(0, count))];
    const sums = sumsOf(parts);
    const isFew = entriesOf(sums) <= ENTRIES && parts.length <= SEGMENTS;
    if (isFew || count === 1) return { parts, sums, count };
  }
}

const entriesOf = ({ hours, users }: SumDeltas): number => hours.length + users.length / 4;

function sumsOf(parts: readonly Gathered[]): SumDeltas {
  const sums = parts.map((rows) => sumDeltasOf(rows));
  return {
    hours: sums.flatMap(({ hours }) => hours),
    labels: sums.flatMap(({ labels }) => labels),
    users: sums.flatMap(({ users }) => users),
    links: sums.flatMap(({ links }) => links),
  };
}

function listBatches(reader: Reader, project: number): Line[] {
  const rows = reader.rows(
    `SELECT l.seq, l.events, l.first_ts, l.last_ts, f.places, k.links
     FROM event_log l LEFT JOIN event_log_flips f ON f.seq = l.seq
       LEFT JOIN event_log_links k ON k.seq = l.seq
     WHERE l.project = ? ORDER BY l.seq`,
    [project],
  );
  return rows.map(([seq, events, first, last, flips = null, links = null]) => ({
    seq: Number(seq),
    events: Number(events),
    first: Number(first),
    last: Number(last),
    flips: textOf(flips),
    links: textOf(links),
  }));
}

const textOf = (value: SqlValue): string | null => (value === null ? null : String(value));
