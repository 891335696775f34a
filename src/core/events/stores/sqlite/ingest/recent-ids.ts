/**
 * When the newest events happened, by a number made of their id. The key of `events` tells an event by its
 * time and id; one whose sender stamps it anew at each try is found by this. Two ids may have the same
 * number, so a hit is to be checked.
 */
export type RecentIds = {
  /** Epoch milliseconds, or undefined. */
  timeOf(key: number): number | undefined;
  note(key: number, ts: number): void;
};

/** Ids are held in two generations of this many; the older one is dropped whole. */
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

/** The number of an event id, from 12 of its hex digits (random ones in UUIDs of version 4 and 7), and a project. */
export function recentKey(project: number, hexId: string): number {
  return Number.parseInt(hexId.slice(-12), 16) + (project % 31) * 2 ** 48;
}
