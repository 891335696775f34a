import type { Sender } from './turns.ts';

/** A request's place among those in progress or waiting. */
export type Place = {
  /** Aborts when the place is needed for another sender; the reason is the error to answer. */
  readonly signal: AbortSignal;
  /** Counts bytes of the body that arrived. Throws if this place is the one to give up. */
  hold(bytes: number): void;
  /** From now on the request is worked on and keeps its place. */
  keep(): void;
  leave(): void;
};

/** A limited number of places, and of bytes that they hold. */
export type Places = {
  /** Throws what `refuse` makes if this place is the one to give up. */
  enter(sender: Sender): Place;
  /** Requests in their places, and the bytes that they hold. */
  load(): { readonly requests: number; readonly bytes: number };
  /** Seconds until the requests now in their places are answered, as far as recent ones show; at least 1. */
  seconds(): number;
};

type Entry = { readonly sender: Sender; readonly control: AbortController; bytes: number; isKept: boolean };

const NEWEST = 0.1;
const MOST_SECONDS = 60;

/**
 * Without free places, the newest waiting request of the owner that has most of them gives up its own, within the
 * owner that of the member with most (longest queue drop; Suter et al. 1999). One sender alone can use all places,
 * but takes none away from others.
 */
export function createPlaces(limits: {
  readonly requests: number;
  readonly bytes: number;
  readonly refuse: (seconds: number) => Error;
}): Places {
  const entries = new Set<Entry>();
  let bytes = 0;
  let averageMs = 0;
  let lastMs = 0;

  function seconds(): number {
    return Math.min(MOST_SECONDS, Math.max(1, Math.ceil((entries.size * averageMs) / 1_000)));
  }

  function remove(entry: Entry): void {
    if (!entries.delete(entry)) return;
    bytes -= entry.bytes;
  }

  /** Makes one request give up its place. Throws if it is `own`. */
  function makeRoom(own: Entry, weigh: (entry: Entry) => number): void {
    const out = newestOfHeaviest([...entries], weigh) ?? own;
    remove(out);
    const error = limits.refuse(seconds());
    if (out === own) throw error;
    out.control.abort(error);
  }

  return {
    seconds,
    load: () => ({ requests: entries.size, bytes }),
    enter(sender) {
      const entry: Entry = { sender, control: new AbortController(), bytes: 0, isKept: false };
      if (entries.size === 0) lastMs = performance.now();
      entries.add(entry);
      if (entries.size > limits.requests) makeRoom(entry, () => 1);
      return {
        signal: entry.control.signal,
        hold(count) {
          // Bytes may still arrive for a request that gave up its place.
          if (!entries.has(entry)) return;
          entry.bytes += count;
          bytes += count;
          if (bytes > limits.bytes) makeRoom(entry, (one) => one.bytes);
        },
        keep() {
          entry.isKept = true;
        },
        leave() {
          if (!entries.has(entry)) return;
          const now = performance.now();
          averageMs += NEWEST * (now - lastMs - averageMs);
          lastMs = now;
          remove(entry);
        },
      };
    },
  };
}

/** The newest request that may give up its place, of the heaviest member of the heaviest owner. */
function newestOfHeaviest(entries: readonly Entry[], weigh: (entry: Entry) => number): Entry | undefined {
  const ofOwner = heaviestGroup(entries, ({ sender }) => sender.owner, weigh);
  const ofMember = heaviestGroup(ofOwner, ({ sender }) => sender.member, weigh);
  return ofMember.findLast((entry) => !entry.isKept && weigh(entry) > 0);
}

/** Among equals, the group that began last: an early one does not pay for a late one. */
function heaviestGroup(
  entries: readonly Entry[],
  key: (entry: Entry) => string,
  weigh: (entry: Entry) => number,
): readonly Entry[] {
  let heaviest: readonly Entry[] = [];
  let most = 0;
  for (const group of Map.groupBy(entries, key).values()) {
    const weight = group.reduce((sum, entry) => sum + weigh(entry), 0);
    if (weight >= most) [heaviest, most] = [group, weight];
  }
  return heaviest;
}
