import type { SqlValue } from '../../db/connection.ts';

/**
 * When the newest events happened, by `project id` in any form that is always the same. The key of `events`
 * tells an event by its time and id; one whose sender stamps it anew at each try is told by this.
 */
export type RecentIds = {
  timeOf(key: string): SqlValue | undefined;
  note(key: string, ts: SqlValue): void;
};

/** Ids are held in two generations of this many; the older one is dropped whole. */
const GENERATION = 50_000;

export function createRecentIds(): RecentIds {
  let young = new Map<string, SqlValue>();
  let old = new Map<string, SqlValue>();
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
