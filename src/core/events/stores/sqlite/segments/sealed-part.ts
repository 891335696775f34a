import { LRUCache } from 'lru-cache';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { isInBloom } from '../codecs/bloom.ts';
import type { Generation } from '../codecs/hash-memory.ts';
import { ID_WORDS } from '../columns.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import type { Chunk } from '../scan/chunk.ts';
import { filterPartOf, hasFilterParts } from './filter-parts.ts';
import {
  openSegment,
  readFilterPart,
  readPiece,
  type SegmentBlobs,
  type SegmentRow,
} from './open-segment.ts';
import { PIECE, PIECE_SPACE } from './pieces.ts';
import { segmentBlobs } from './segment-blobs.ts';

/** While these are kept, the log remembers all event ids of a segment, and `TraceMemory` the traces of its spans. */
export type Remembered = { readonly ids: Generation | null; readonly traces: Generation | null };

/** Nothing is remembered of segments of before the start, and of those that replace others. */
export const NOTHING: Remembered = { ids: null, traces: null };

export type KnownSegment = SegmentRow & { readonly remembered: Remembered };

/** A segment and a place in it. */
export type SealedPlace = { readonly segment: SegmentRow; readonly place: number };

/** The segments of all projects on the writing connection. They are read once per project. */
export type Sealed = {
  /** All segments of a project, the newest number last. Damaged ones are among them, as far as they can be read. */
  all(project: number): readonly KnownSegment[];
  /** The segments of a UTC day (days since the epoch). */
  ofDay(project: number, day: number): readonly SegmentRow[];
  /** Whether the segment may have an event or trace with the id in the four words from `at` on. False is certain. */
  mayHave(segment: SegmentRow, column: 'event_id' | 'trace_id', words: Int32Array, at: number): boolean;
  /** The place of the event with an id in a segment; null if it is not there. */
  placeIn(segment: SegmentRow, words: Int32Array, at: number): number | null;
  /**
   * Where the event with an id and a time is; null if it is in no segment.
   * @param isNew whether the log has neither the id nor remembers it; then segments of remembered ids are not asked
   */
  find(project: number, ts: number, words: Int32Array, at: number, isNew?: boolean): SealedPlace | null;
  /** The segment as it was written: without the flips of `event_segment_flips`. */
  open(segment: SegmentRow): Chunk;
  /**
   * Runs `use`, or returns the fallback if a blob that it needs is damaged: that must not keep new events from being
   * stored. Notes the damage.
   * @param part names what `use` needs of the segment
   */
  unlessDamaged<T, F>(segment: SegmentRow, part: string, fallback: F, use: () => T): T | F;
  /** Notes segments of a project that became visible. */
  add(project: number, segments: readonly SegmentRow[], remembered: Remembered): void;
  /** Notes that pieces of a segment were replaced, with the next version. */
  changed(project: number, no: number): void;
  /** Notes that segments were deleted. */
  remove(project: number, numbers: readonly number[]): void;
  /** Clears everything: to be called after a rollback. */
  forget(): void;
};

/** Bytes of filters (up to 32 kB each), and of other decoded parts of segments, in memory. */
const FILTER_BYTES = 24 * 1024 * 1024;
const PART_BYTES = 8 * 1024 * 1024;
/** What a part without a known size counts. */
const UNKNOWN_BYTES = 32_768;

/** Stands for a part of a filter that a segment of the former format does not have. */
const NO_PART = new Uint8Array();

export const sealedPart: WriterPart<Sealed> = { open: openSealed };

function openSealed(connection: Connection): Sealed {
  const list = connection
    .prepare(
      `SELECT no, version, events, first_ts, last_ts, blocks FROM event_segments
       WHERE ready IN (1, 2) AND project = ? ORDER BY no`,
    )
    .raw(true);
  const first = firstValues(connection);
  const projects = new Map<number, Segments>();
  const filters = new LRUCache<number, Uint8Array>({ maxSize: FILTER_BYTES, sizeCalculation: sizeOf });
  const parts = new LRUCache<string, object>({ maxSize: PART_BYTES, sizeCalculation: sizeOf });
  /** Parts that can't be read, so that they are tried once. */
  const damaged = new Set<string>();
  const noteDamage = connection.prepare('UPDATE event_segments SET ready = 2 WHERE no = ? AND ready = 1');
  const blobsOf = ({ no }: SegmentRow): SegmentBlobs => segmentBlobs(first, no);

  const ofProject = (project: number): Segments => {
    const known = projects.get(project);
    if (known !== undefined) return known;
    return setAll(
      project,
      (list.all([project]) as SqlValue[][]).map((row) => toSegment(project, row)),
    );
  };
  const setAll = (project: number, all: readonly KnownSegment[]): Segments => {
    const segments = { all, days: Map.groupBy(all, dayOf) };
    projects.set(project, segments);
    return segments;
  };
  /** A project that was not asked for is read when it is. */
  const change = (project: number, edit: (all: readonly KnownSegment[]) => readonly KnownSegment[]): void => {
    const known = projects.get(project);
    if (known !== undefined) setAll(project, edit(known.all));
  };
  const ofDay = (project: number, day: number): readonly KnownSegment[] =>
    ofProject(project).days.get(day) ?? [];

  const open = (segment: SegmentRow): Chunk =>
    openSegment(
      segment,
      blobsOf(segment),
      (key, make) => cached(parts, key, make) as ReturnType<typeof make>,
    );

  const unlessDamaged: Sealed['unlessDamaged'] = ({ no }, part, fallback, use) => {
    const key = `${no} ${part}`;
    if (damaged.has(key)) return fallback;
    try {
      return use();
    } catch (error) {
      if (!(error instanceof DamagedEvents)) throw error;
      damaged.add(key);
      noteDamage.run([error.damage.no]);
      return fallback;
    }
  };

  const mayHave: Sealed['mayHave'] = (segment, column, words, at) => {
    const number = hasFilterParts(segment.events)
      ? filterPartOf(column, words, at)
      : PIECE[`${column} filter`];
    // Many segments are asked for each event. A filter in memory answers without what reading one needs.
    const known = filters.get(segment.no * PIECE_SPACE + number);
    if (known !== undefined && known !== NO_PART) return isInBloom(known, words, at);
    const blobs = blobsOf(segment);
    const kept = (piece: number, read: () => Uint8Array): Uint8Array =>
      cached(filters, segment.no * PIECE_SPACE + piece, read);
    return unlessDamaged(segment, `filter ${number}`, false, () => {
      if (hasFilterParts(segment.events)) {
        const part = kept(number, () => readFilterPart(segment, blobs, number) ?? NO_PART);
        if (part !== NO_PART) return isInBloom(part, words, at);
      }
      const name = `${column} filter` as const;
      return isInBloom(
        kept(PIECE[name], () => readPiece(segment, blobs, name)),
        words,
        at,
      );
    });
  };

  const placeIn: Sealed['placeIn'] = (segment, words, at) =>
    mayHave(segment, 'event_id', words, at)
      ? unlessDamaged(segment, 'event_id', null, () => placeOf(open(segment).ids('event_id'), words, at))
      : null;

  return {
    all: (project) => ofProject(project).all,
    ofDay,
    mayHave,
    open,
    unlessDamaged,
    placeIn,
    find(project, ts, words, at, isNew = false) {
      for (const segment of ofDay(project, Math.floor(ts / DAY_MS))) {
        if (segment.first > ts || segment.last < ts || (isNew && segment.remembered.ids?.isKept)) continue;
        const place = placeIn(segment, words, at);
        if (place !== null) return { segment, place };
      }
      return null;
    },
    add: (project, segments, remembered) =>
      change(project, (all) => [...all, ...segments.map((segment) => ({ ...segment, remembered }))]),
    changed: (project, number) =>
      change(project, (all) =>
        all.map((one) => (one.no === number ? { ...one, version: one.version + 1 } : one)),
      ),
    remove(project, numbers) {
      const gone = new Set(numbers);
      change(project, (all) => all.filter(({ no }) => !gone.has(no)));
    },
    forget() {
      projects.clear();
      filters.clear();
      parts.clear();
      damaged.clear();
    },
  };
}

/** The segments of a project, the newest number last, and those of each UTC day. */
type Segments = {
  readonly all: readonly KnownSegment[];
  readonly days: ReadonlyMap<number, readonly KnownSegment[]>;
};

/** A segment has events of one UTC day. */
export const dayOf = ({ first }: SegmentRow): number => Math.floor(first / DAY_MS);

function toSegment(project: number, row: readonly SqlValue[]): KnownSegment {
  const [no = 0, version = 0, events = 0, first = 0, last = 0, blocks = 0] = row.map(Number);
  return { no, version, project, events, first, last, blocks, flips: [], remembered: NOTHING };
}

/** The first value of the first row of queries for a key. */
function firstValues(connection: Connection): (sql: string, key: number) => SqlValue {
  const statements = new Map<string, ReturnType<Connection['prepare']>>();
  return (sql, key) => {
    const statement = statements.get(sql) ?? connection.prepare(sql).raw(true);
    statements.set(sql, statement);
    return (statement.all([key]) as SqlValue[][])[0]?.[0] ?? null;
  };
}

function placeOf(ids: Int32Array, words: Int32Array, at: number): number | null {
  const [a, b, c, d] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
  for (let i = 0; i < ids.length; i += ID_WORDS.event_id)
    if (ids[i] === a && ids[i + 1] === b && ids[i + 2] === c && ids[i + 3] === d)
      return i / ID_WORDS.event_id;
  return null;
}

function cached<K extends string | number, V extends object>(
  cache: LRUCache<K, V>,
  key: K,
  make: () => V,
): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

const sizeOf = (part: object): number =>
  'byteLength' in part && typeof part.byteLength === 'number' ? part.byteLength + 1 : UNKNOWN_BYTES;
