import { LRUCache } from 'lru-cache';
import type { Connection } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { isInBloom } from '../codecs/bloom.ts';
import { unframe } from '../codecs/frame.ts';
import { splitSections } from '../codecs/sections.ts';
import { ID_WORDS } from '../columns.ts';
import { unprefixed } from '../segments/encode-segment.ts';
import { PIECE, PIECE_SPACE, type Piece } from '../segments/pieces.ts';

/** Whether an event is in a segment that spans its time. */
export type SealedIds = {
  has(project: number, words: Int32Array, at: number, ts: number): boolean;
  /** Notes a segment that became visible. */
  add(project: number, segment: SealedSegment): void;
  /** Notes that segments were deleted. */
  remove(project: number, numbers: readonly number[]): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

export type SealedSegment = {
  readonly no: number;
  readonly first: number;
  readonly last: number;
  readonly events: number;
};

/** Filters (up to 32 kB each) and lists of ids (256 kB each) in memory. */
const FILTERS = 512;
const LISTS = 8;

export const sealedIdsPart: WriterPart<SealedIds> = { open: createSealedIds };

function createSealedIds(connection: Connection): SealedIds {
  const list = connection
    .prepare(
      'SELECT no, first_ts, last_ts, events FROM event_segments WHERE ready = 1 AND project = ? ORDER BY last_ts DESC',
    )
    .raw(true);
  const readSmall = connection.prepare('SELECT small FROM event_segments WHERE no = ?').raw(true);
  const readPiece = connection.prepare('SELECT data FROM event_pieces WHERE id = ?').raw(true);
  const segments = new Map<number, readonly SealedSegment[]>();
  const filters = new LRUCache<number, Uint8Array>({ max: FILTERS });
  const ids = new LRUCache<number, Int32Array>({ max: LISTS });

  const segmentsOf = (project: number): readonly SealedSegment[] => {
    const known = segments.get(project);
    if (known !== undefined) return known;
    const rows = list.all([project]) as [number, number, number, number][];
    const found = rows.map(([no, first, last, events]) => ({ no, first, last, events }));
    segments.set(project, found);
    return found;
  };

  function piece(no: number, name: Piece): Uint8Array {
    const small = splitSections(unframe(blob(readSmall.all([no]))));
    return unprefixed(small[PIECE[name]]) ?? unframe(blob(readPiece.all([no * PIECE_SPACE + PIECE[name]])));
  }

  const filterOf = (no: number): Uint8Array => cached(filters, no, () => piece(no, 'event_id filter'));
  const idsOf = ({ no, events }: SealedSegment): Int32Array =>
    cached(ids, no, () => {
      const bytes = piece(no, 'event_id');
      return new Int32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, events * ID_WORDS.event_id);
    });

  return {
    has: (project, words, at, ts) =>
      segmentsOf(project).some(
        (segment) =>
          segment.first <= ts &&
          ts <= segment.last &&
          isInBloom(filterOf(segment.no), words, at) &&
          contains(idsOf(segment), words, at),
      ),
    add(project, segment) {
      const known = segments.get(project);
      if (known !== undefined) segments.set(project, [segment, ...known]);
    },
    remove(project, numbers) {
      const gone = new Set(numbers);
      const known = segments.get(project);
      if (known !== undefined)
        segments.set(
          project,
          known.filter(({ no }) => !gone.has(no)),
        );
    },
    forget() {
      segments.clear();
    },
  };
}

function contains(ids: Int32Array, words: Int32Array, at: number): boolean {
  const [a, b, c, d] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
  for (let i = 0; i < ids.length; i += ID_WORDS.event_id)
    if (ids[i] === a && ids[i + 1] === b && ids[i + 2] === c && ids[i + 3] === d) return true;
  return false;
}

function cached<V extends object>(cache: LRUCache<number, V>, key: number, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

const blob = (rows: unknown[]): Uint8Array =>
  new Uint8Array((rows as ArrayBuffer[][])[0]?.[0] ?? new ArrayBuffer());
