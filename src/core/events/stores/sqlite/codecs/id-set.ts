import type { HashMemory } from './hash-memory.ts';
import { createHashSlots, NO_ROW } from './hash-slots.ts';
import { hashWords } from './hash-words.ts';
import { createRowAges } from './row-ages.ts';

/** What the set keeps for an id. */
export interface IdPlace {
  /** A whole number up to 2^53. */
  readonly seq: number;
  /** A whole number below 65,536. */
  readonly place: number;
}

/**
 * An exact set of the newest ids. An id is a project's number (32 bits) and the four words of `words` from `at`
 * on.
 */
export interface IdSet {
  /** Adds an id as the newest; a full set drops its oldest. False, and no change, if the set has it already. */
  add(project: number, words: Int32Array, at: number, seq: number, place: number): boolean;
  has(project: number, words: Int32Array, at: number): boolean;
  /** What was added with an id; null if the set does not have it. */
  find(project: number, words: Int32Array, at: number): IdPlace | null;
  /** Whether an id may be among those that were dropped and are remembered. False is certain. */
  mayHaveDropped(project: number, words: Int32Array, at: number): boolean;
  /** Removes an id, if the set has it. The ids that were dropped since it was added do not come back. */
  remove(project: number, words: Int32Array, at: number): void;
}

/** The four words of an id, and its project. */
const WORDS = 5;

/**
 * Creates a set of at most `capacity` ids (1 or more). Its memory is allocated at once: 58 to 74 bytes per id.
 * @param dropped remembers the ids that the set drops because it is full
 */
export function createIdSet(capacity: number, dropped: HashMemory): IdSet {
  // One row more, so that an id is added before the oldest is dropped.
  const rows = capacity + 1;
  const ids = new Int32Array(rows * WORDS);
  const hashes = new Int32Array(rows);
  const seqs = new Float64Array(rows);
  const places = new Uint16Array(rows);
  // Free rows are the oldest.
  const ages = createRowAges(rows);
  const slots = createHashSlots(Math.max(4, 2 * capacity));
  // Senders choose their ids. With a seed they don't know, they can't choose many of one hash.
  const seed = crypto.getRandomValues(new Int32Array(1))[0] as number;
  let size = 0;

  const holds = (row: number, project: number, words: Int32Array, at: number): boolean => {
    const id = row * WORDS;
    return (
      ids[id] === words[at] &&
      ids[id + 1] === words[at + 1] &&
      ids[id + 2] === words[at + 2] &&
      ids[id + 3] === words[at + 3] &&
      ids[id + 4] === (project | 0)
    );
  };

  /** The slot that has the id, or the free slot where it belongs. */
  const slotOf = (hash: number, project: number, words: Int32Array, at: number): number => {
    let slot = slots.first(hash);
    for (; slots.row(slot) !== NO_ROW; slot = slots.next(slot))
      if (slots.hash(slot) === hash && holds(slots.row(slot), project, words, at)) break;
    return slot;
  };

  const rowOf = (project: number, words: Int32Array, at: number): number =>
    slots.row(slotOf(hashWords(project ^ seed, words, at), project, words, at));

  const free = (slot: number, row: number): void => {
    slots.clear(slot);
    ages.makeOldest(row);
    size--;
  };

  return {
    add(project, words, at, seq, place) {
      const hash = hashWords(project ^ seed, words, at);
      const slot = slotOf(hash, project, words, at);
      if (slots.row(slot) !== NO_ROW) return false;
      const row = ages.oldest();
      ages.makeNewest(row);
      const id = row * WORDS;
      ids[id] = words[at] as number;
      ids[id + 1] = words[at + 1] as number;
      ids[id + 2] = words[at + 2] as number;
      ids[id + 3] = words[at + 3] as number;
      ids[id + 4] = project;
      hashes[row] = hash;
      seqs[row] = seq;
      places[row] = place;
      slots.set(slot, row, hash);
      size++;
      if (size > capacity) {
        const oldest = ages.oldest();
        const droppedHash = hashes[oldest] as number;
        dropped.add(droppedHash);
        free(slots.find(droppedHash, oldest), oldest);
      }
      return true;
    },
    mayHaveDropped: (project, words, at) => dropped.mayHave(hashWords(project ^ seed, words, at)),
    has: (project, words, at) => rowOf(project, words, at) !== NO_ROW,
    find(project, words, at) {
      const row = rowOf(project, words, at);
      return row === NO_ROW ? null : { seq: seqs[row] as number, place: places[row] as number };
    },
    remove(project, words, at) {
      const slot = slotOf(hashWords(project ^ seed, words, at), project, words, at);
      const row = slots.row(slot);
      if (row !== NO_ROW) free(slot, row);
    },
  };
}
