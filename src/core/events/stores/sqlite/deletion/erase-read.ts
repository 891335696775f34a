import { hexAt } from '../packs/id-bytes.ts';
import { readOp } from '../read-op.ts';
import { type Chunk, plainTexts, type Texts } from '../scan/chunk.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { encodeForWire, type ReadSegment, type WireSegment } from '../seal/wire.ts';
import { gather } from '../segments/gather.ts';
import { type StoredSegment, segmentsFrom } from '../segments/stored-segments.ts';
import { type SumDeltas, sumDeltasOf } from '../sums/sum-deltas.ts';
import { renamed } from './rename-user.ts';

/** A user to erase, and the number of the first segment to look at. */
export type EraseInput = {
  readonly project: number;
  readonly userId: string;
  readonly name: string;
  readonly cursor: number;
};

/** A segment without the user's events, and without the user's id in shapes. */
export type ErasedSegment = {
  readonly segments: readonly WireSegment[];
  readonly merged: readonly ReadSegment[];
  readonly sums: SumDeltas | null;
  /** Number of the user's events, and JSON of `[time, event id in hex]` of each. */
  readonly events: number;
  readonly keys: string;
};

/** `next` is the segment to continue with, null at the end. */
export type ErasePage = { readonly erased: ErasedSegment | null; readonly next: number | null };

/** Maximum duration of a page, so that other reads get their turn. A segment is not divided. */
const PAGE_MS = 60;

/** Encodes the next segment that mentions the user. */
export const eraseRead = readOp('erase', (reader, input: EraseInput): ErasePage => {
  const since = performance.now();
  for (const stored of segmentsFrom(reader, input.project, input.cursor)) {
    if (performance.now() - since > PAGE_MS) return { erased: null, next: stored.no };
    const erased = eraseFrom(stored, openStoredSegment(reader, stored), input);
    if (erased !== null) return { erased, next: stored.no + 1 };
  }
  return { erased: null, next: null };
});

function eraseFrom(stored: StoredSegment, chunk: Chunk, { userId, name }: EraseInput): ErasedSegment | null {
  const isOfUser = eventsOf(chunk, userId);
  const shapes = renamedShapes(chunk, userId, name);
  if (isOfUser === null && shapes === null) return null;
  const removed = isOfUser ?? new Uint8Array(chunk.events);
  const kept = removed.map((bit) => 1 - bit);
  const left: Chunk =
    shapes === null
      ? chunk
      : { ...chunk, texts: (column) => (column === 'shape' ? shapes : chunk.texts(column)) };
  const rows = gather([left], [kept]);
  const ts = chunk.numbers('ts');
  const ids = chunk.ids('event_id');
  const places = [...removed.keys()].filter((place) => removed[place] === 1);
  const { no, version, flips } = stored;
  return {
    segments: rows.count === 0 ? [] : [encodeForWire(rows)],
    merged: [{ no, version, flips }],
    sums: places.length === 0 ? null : sumDeltasOf(gather([chunk], [removed]), -1),
    events: places.length,
    keys: JSON.stringify(places.map((place) => [ts[place], hexAt('event_id', ids, place)])),
  };
}

/** 1 for each event of the user; null without any. */
function eventsOf(chunk: Chunk, userId: string): Uint8Array | null {
  if (chunk.likelyTexts('user_id', [userId]).length === 0) return null;
  const { codes, strings } = chunk.texts('user_id');
  const code = strings.indexOf(userId) + 1;
  return code === 0 ? null : Uint8Array.from(codes, (own) => Number(own === code));
}

/** The shapes with the user's id replaced; null if none has it. */
function renamedShapes(chunk: Chunk, userId: string, name: string): Texts | null {
  const { codes, strings } = chunk.texts('shape');
  const quoted = JSON.stringify(userId);
  const changed = strings.map((json) =>
    json.includes(quoted) ? JSON.stringify(renamed(JSON.parse(json), userId, name)) : json,
  );
  return changed.every((json, i) => json === strings[i]) ? null : plainTexts(codes, changed);
}
