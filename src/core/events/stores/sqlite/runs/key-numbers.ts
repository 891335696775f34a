import { ID_WORDS } from '../columns.ts';

const TRACE = ID_WORDS.trace_id;
/** A trace, an agent and an hour. */
const WORDS = TRACE + 2;
const FIRST_SLOTS = 1 << 8;
/** A multiplier that spreads small numbers over 32 bits. */
const SPREAD = 0x9e3779b1;

/** Numbers keys of trace, agent and hour from 0 in the order of their first use. */
export type KeyNumbers = {
  /** @param at where the words of the trace begin in `ids` */
  of(ids: Int32Array, at: number, agent: number, hour: number): number;
  count(): number;
  /** The traces of the keys, in words. */
  traces(): Int32Array;
};

/** A hash table in three arrays. Traces are random ids, so open addressing needs few steps. */
export function createKeyNumbers(): KeyNumbers {
  let slots = new Int32Array(FIRST_SLOTS);
  let keys = new Int32Array((FIRST_SLOTS / 2) * WORDS);
  let count = 0;
  const firstSlot = (words: Int32Array, at: number, agent: number, hour: number): number =>
    ((words[at] as number) ^ Math.imul((words[at + 1] as number) + agent + hour * 31, SPREAD)) &
    (slots.length - 1);
  const grow = (): void => {
    const larger = new Int32Array(slots.length * WORDS);
    larger.set(keys);
    keys = larger;
    slots = new Int32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < count; number++) {
      const at = number * WORDS;
      let slot = firstSlot(keys, at, keys[at + TRACE] as number, keys[at + TRACE + 1] as number);
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  };
  return {
    of(ids, at, agent, hour) {
      const mask = slots.length - 1;
      let slot = firstSlot(ids, at, agent, hour);
      for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
        const place = (found - 1) * WORDS;
        if (
          keys[place] === ids[at] &&
          keys[place + 1] === ids[at + 1] &&
          keys[place + 2] === ids[at + 2] &&
          keys[place + 3] === ids[at + 3] &&
          keys[place + TRACE] === agent &&
          keys[place + TRACE + 1] === hour
        )
          return found - 1;
        slot = (slot + 1) & mask;
      }
      const place = count * WORDS;
      for (let word = 0; word < TRACE; word++) keys[place + word] = ids[at + word] as number;
      keys[place + TRACE] = agent;
      keys[place + TRACE + 1] = hour;
      slots[slot] = ++count;
      if (count * 2 === slots.length) grow();
      return count - 1;
    },
    count: () => count,
    traces() {
      const traces = new Int32Array(count * TRACE);
      for (let number = 0; number < count; number++)
        traces.set(keys.subarray(number * WORDS, number * WORDS + TRACE), number * TRACE);
      return traces;
    },
  };
}
