/** The row of a free slot. */
export const NO_ROW = -1;

/** The slots of a hash table with linear probing, each with a row and its hash. */
export interface HashSlots {
  /** Where the search for a hash starts. */
  first(hash: number): number;
  next(slot: number): number;
  row(slot: number): number;
  hash(slot: number): number;
  set(slot: number, row: number, hash: number): void;
  /** The slot of a row that is in the table. */
  find(hash: number, row: number): number;
  /** Frees a slot and moves later ones back, so that no search ends too early. */
  clear(slot: number): void;
}

/**
 * Makes `least` slots or more, of which one has to stay free. A slot has the hash beside the row, so that probing
 * and clearing seldom read the rows themselves.
 */
export function createHashSlots(least: number): HashSlots {
  const count = 2 ** Math.ceil(Math.log2(least));
  const last = count - 1;
  /** Row + 1 and hash of each slot. */
  const entries = new Int32Array(2 * count);

  return {
    first: (hash) => hash & last,
    next: (slot) => (slot + 1) & last,
    row: (slot) => (entries[2 * slot] as number) - 1,
    hash: (slot) => entries[2 * slot + 1] as number,
    set(slot, row, hash) {
      entries[2 * slot] = row + 1;
      entries[2 * slot + 1] = hash;
    },
    find(hash, row) {
      let slot = hash & last;
      while (entries[2 * slot] !== row + 1) slot = (slot + 1) & last;
      return slot;
    },
    clear(slot) {
      let free = slot;
      for (let next = (slot + 1) & last; entries[2 * next] !== 0; next = (next + 1) & last) {
        const home = (entries[2 * next + 1] as number) & last;
        if (((next - home) & last) < ((next - free) & last)) continue;
        entries[2 * free] = entries[2 * next] as number;
        entries[2 * free + 1] = entries[2 * next + 1] as number;
        free = next;
      }
      entries[2 * free] = 0;
    },
  };
}
