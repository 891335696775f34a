import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { jobRead } from '../read-op.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';
import { partsByDay } from './days.ts';
import { encodeForWire, type SealWork } from './wire.ts';

/** A segment with fewer events and blocks is small. A day's small segments are merged when there are this many. */
export const SMALL_EVENTS = SEGMENT_EVENTS / 4;
const SMALL_BLOCKS = 32;
const MANY = 8;
/** Blocks that are read at once; a block has up to about 256 kB. */
const MOST_BLOCKS = 256;

const IS_SMALL = `ready = 1 AND project = ? AND events < ${SMALL_EVENTS} AND blocks < ${SMALL_BLOCKS}`;

/** Encodes the small segments of one day of a project as one; null if no day has many. */
export const mergeRead = jobRead('merge', readSmall);

function readSmall(reader: Reader, { project }: { readonly project: number }): SealWork | null {
  const [found] = reader.rows(
    `SELECT last_ts / ${DAY_MS} AS day FROM event_segments WHERE ${IS_SMALL}
     GROUP BY day HAVING count(*) >= ${MANY} LIMIT 1`,
    [project],
  );
  if (found === undefined) return null;
  const from = Number(found[0]) * DAY_MS;
  const rows = reader.rows(
    `SELECT s.no, s.version, s.events, s.first_ts, s.last_ts, s.blocks, f.places
     FROM event_segments s LEFT JOIN event_segment_flips f ON f.no = s.no
     WHERE s.no IN (SELECT no FROM event_segments WHERE ${IS_SMALL} AND last_ts >= ? AND last_ts < ?)
     ORDER BY s.no`,
    [project, from, from + DAY_MS],
  );
  const segments = upToFull(
    rows.map(([no, version, events, first, last, blocks, flips = null]) => ({
      no: Number(no),
      version: Number(version),
      project,
      events: Number(events),
      first: Number(first),
      last: Number(last),
      blocks: Number(blocks),
      flips: flips === null ? null : String(flips),
    })),
  );
  const chunks = segments.map((segment) => openStoredSegment(reader, segment));
  return {
    segments: [...partsByDay(chunks)].map(encodeForWire),
    batches: [],
    merged: segments.map(({ no, version, flips }) => ({ no, version, flips })),
    sums: null,
  };
}

/** The first segments whose events fit in one. */
function upToFull<T extends { readonly events: number; readonly blocks: number }>(
  segments: readonly T[],
): T[] {
  let [events, blocks] = [0, 0];
  return segments.filter((segment) => {
    events += segment.events;
    blocks += segment.blocks;
    return events <= SEGMENT_EVENTS && blocks <= MOST_BLOCKS;
  });
}
