import { createHashSlots, NO_ROW } from '../codecs/hash-slots.ts';
import { hashWords } from '../codecs/hash-words.ts';
import type { Chunk } from '../scan/chunk.ts';
import { textAt, traceIdAt } from '../scan/to-event.ts';

/** Numbers from 0 for the traces or sessions of events. */
export type Groups = {
  /** Tells the number of the event at a place; -1 without one. `isOpen`: unknown ones get a number. */
  of(chunk: Chunk, isOpen: boolean): (place: number) => number;
  readonly size: number;
  idOf(group: number): string;
};

/** The sessions of events. */
export function sessionGroups(): Groups {
  const numbers = new Map<string, number>();
  const ids: string[] = [];
  const numberOf = (id: string, isOpen: boolean): number => {
    const known = numbers.get(id);
    if (known !== undefined || !isOpen) return known ?? -1;
    numbers.set(id, ids.length);
    return ids.push(id) - 1;
  };
  return {
    of(chunk, isOpen) {
      const { codes } = chunk.texts('session_id');
      const byCode = new Map<number, number>();
      return (place) => {
        const code = codes[place] as number;
        if (code === 0) return -1;
        const known = byCode.get(code);
        if (known !== undefined) return known;
        const number = numberOf(textAt(chunk, 'session_id', place) ?? '', isOpen);
        byCode.set(code, number);
        return number;
      };
    },
    get size() {
      return ids.length;
    },
    idOf: (group) => ids[group] ?? '',
  };
}

/** Words of a trace id. */
const WORDS = 4;

/** The traces of events, in an open hash table over the words of their ids. */
export function traceGroups(): Groups {
  let slots = createHashSlots(4_096);
  let capacity = 2_048;
  let words = new Int32Array(capacity * WORDS);
  // Where an event of each trace is: the number of its chunk, and its place there.
  let at = new Uint32Array(capacity * 2);
  const chunks: Chunk[] = [];
  let size = 0;
  const seed = crypto.getRandomValues(new Int32Array(1))[0] as number;

  const grow = (): void => {
    capacity *= 2;
    const [moreWords, moreAt] = [new Int32Array(capacity * WORDS), new Uint32Array(capacity * 2)];
    moreWords.set(words);
    moreAt.set(at);
    [words, at] = [moreWords, moreAt];
    slots = createHashSlots(2 * capacity);
    for (let row = 0; row < size; row++) {
      const hash = hashWords(seed, words, row * WORDS);
      let slot = slots.first(hash);
      while (slots.row(slot) !== NO_ROW) slot = slots.next(slot);
      slots.set(slot, row, hash);
    }
  };
  const holds = (row: number, ids: Int32Array, from: number): boolean => {
    const own = row * WORDS;
    for (let word = 0; word < WORDS; word++) if (words[own + word] !== ids[from + word]) return false;
    return true;
  };
  return {
    of(chunk, isOpen) {
      const ids = chunk.ids('trace_id');
      const number = isOpen ? chunks.push(chunk) - 1 : 0;
      return (place) => {
        const from = place * WORDS;
        const hash = hashWords(seed, ids, from);
        let slot = slots.first(hash);
        for (; slots.row(slot) !== NO_ROW; slot = slots.next(slot))
          if (slots.hash(slot) === hash && holds(slots.row(slot), ids, from)) return slots.row(slot);
        if (!isOpen) return -1;
        const row = size++;
        words.set(ids.subarray(from, from + WORDS), row * WORDS);
        at.set([number, place], 2 * row);
        slots.set(slot, row, hash);
        if (size === capacity) grow();
        return row;
      };
    },
    get size() {
      return size;
    },
    idOf: (group) => traceIdAt(chunks[at[2 * group] as number] as Chunk, at[2 * group + 1] as number),
  };
}
