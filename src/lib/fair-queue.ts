/**
 * Waiting items of several owners. The next item is one of the owner who was served least, so that an owner with a
 * thousand items delays another's one by a single item.
 */
export type FairQueue<T> = {
  readonly size: number;
  /** Number of waiting items of an owner. */
  count(owner: string): number;
  add(owner: string, item: T): void;
  /**
   * Removes and returns the next item: the oldest of the owner who was served least.
   * @param may skips the owners for whom it returns false
   */
  take(may?: (owner: string) => boolean): T | undefined;
  /** Adds to what an owner was served. Each item already counts as 1. */
  charge(owner: string, cost: number): void;
};

type Lane<T> = { readonly owner: string; served: number; items: T[] };

/** With more owners, the idle ones are forgotten. */
const MAX_LANES = 1_000;

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996): a virtual clock follows what the served owners had been served. An
 * owner who comes back starts at the clock, so that nobody saves up service while idle.
 */
export function createFairQueue<T>(): FairQueue<T> {
  const lanes = new Map<string, Lane<T>>();
  /** Those with items: the next one is looked for among them, not among all that came lately. */
  const waiting = new Set<Lane<T>>();
  let clock = 0;
  let size = 0;

  function laneOf(owner: string): Lane<T> {
    const known = lanes.get(owner);
    if (known !== undefined) return known;
    if (lanes.size >= MAX_LANES) {
      for (const [name, { items }] of lanes) {
        if (items.length === 0) lanes.delete(name);
      }
    }
    const lane: Lane<T> = { owner, served: clock, items: [] };
    lanes.set(owner, lane);
    return lane;
  }

  return {
    get size() {
      return size;
    },
    count: (owner) => lanes.get(owner)?.items.length ?? 0,
    add(owner, item) {
      const lane = laneOf(owner);
      if (lane.items.length === 0) lane.served = Math.max(lane.served, clock);
      waiting.add(lane);
      lane.items.push(item);
      size++;
    },
    take(may = () => true) {
      let next: Lane<T> | undefined;
      for (const lane of waiting) {
        const isFirst = next === undefined || lane.served < next.served;
        if (isFirst && may(lane.owner)) next = lane;
      }
      if (next === undefined) return undefined;
      clock = Math.max(clock, next.served);
      next.served++;
      size--;
      const item = next.items.shift();
      if (next.items.length === 0) waiting.delete(next);
      return item;
    },
    charge(owner, cost) {
      laneOf(owner).served += cost;
    },
  };
}
