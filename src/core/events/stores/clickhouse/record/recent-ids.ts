/** The newest ids, so that an event which is sent again with another time is recognised. */
export type RecentIds = { has(id: string): boolean; add(id: string): void };

/** About 15 MB. */
const MOST_IDS = 100_000;

export function createRecentIds(): RecentIds {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size <= MOST_IDS) return;
      const [oldest] = ids;
      if (oldest !== undefined) ids.delete(oldest);
    },
  };
}
