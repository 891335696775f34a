/**
 * Times of the newest events by a hash of their id. `events` is keyed by time and id, so this recognises an event
 * that the sender re-timestamps on each retry. Hashes can collide; verify each hit.
 */
export type RecentIds = {
  /** Epoch milliseconds, or undefined. */
  timeOf(key: number): number | undefined;
  note(key: number, ts: number): void;
};

/** Size of each of two generations of ids; the older one is dropped as a whole. */
const GENERATION = 50_000;

export function createRecentIds(): RecentIds {
  let young = new Map<number, number>();
  let old = new Map<number, number>();
  return {
    timeOf: (key) => young.get(key) ?? old.get(key),
    note(key, ts) {
      if (young.size >= GENERATION) {
        old = young;
        young = new Map();
      }
      young.set(key, ts);
    },
  };
}

/** Hash of an event id, from 12 of its hex digits (random in UUIDs of version 4 and 7) and the project. */
export function recentKey(project: number, hexId: string): number {
  return Number.parseInt(hexId.slice(-12), 16) + (project % 31) * 2 ** 48;
}
