/** What is known of the calls of a run. */
export const HAS_PRICED = 1;
export const HAS_UNPRICED = 2;
const FIRST_ROOM = 1 << 12;
/** Beside `HAS_PRICED` and `HAS_UNPRICED`. */
const HEAD = 4;
const FAILED = 8;

/** What is known of the span that stands for a run. Milliseconds; `latency` is NaN without one. */
type Head = {
  readonly group: number;
  readonly ts: number;
  readonly latency: number;
  readonly isFailed: boolean;
};

/** Runs in columns, by number. */
export type Runs = {
  count(): number;
  /** Adds calls to a run; numbers are given without gaps. `has`: `HAS_PRICED` and `HAS_UNPRICED`. */
  addCalls(run: number, costNano: number, has: number): void;
  setHead(run: number, head: Head): void;
  /** Drops runs from a number on whose head was not set. */
  keepHeads(from: number): void;
  group(run: number): number;
  ts(run: number): number;
  latency(run: number): number;
  isFailed(run: number): boolean;
  costNano(run: number): number;
  /** Whether the cost is known: not all calls of the run are unpriced. */
  isKnown(run: number): boolean;
};

export function createRuns(): Runs {
  let room = FIRST_ROOM;
  let count = 0;
  let state = new Uint8Array(room);
  let groups = new Uint32Array(room);
  let [times, latencies, costs] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  const grow = (): void => {
    room *= 2;
    const [oldState, oldGroups] = [state, groups];
    state = new Uint8Array(room);
    groups = new Uint32Array(room);
    state.set(oldState);
    groups.set(oldGroups);
    [times, latencies, costs] = [times, latencies, costs].map((old) => {
      const larger = new Float64Array(room);
      larger.set(old);
      return larger;
    }) as [Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>];
  };
  const move = (from: number, to: number): void => {
    state[to] = state[from] as number;
    groups[to] = groups[from] as number;
    times[to] = times[from] as number;
    latencies[to] = latencies[from] as number;
    costs[to] = costs[from] as number;
  };
  return {
    count: () => count,
    addCalls(run, costNano, has) {
      if (run >= count) {
        if (run >= room) grow();
        count = run + 1;
        state[run] = 0;
        costs[run] = 0;
      }
      costs[run] = (costs[run] as number) + costNano;
      state[run] = (state[run] as number) | has;
    },
    setHead(run, { group, ts, latency, isFailed }) {
      state[run] = (state[run] as number) | HEAD | (isFailed ? FAILED : 0);
      groups[run] = group;
      times[run] = ts;
      latencies[run] = latency;
    },
    keepHeads(from) {
      let kept = from;
      for (let run = from; run < count; run++) if (((state[run] as number) & HEAD) !== 0) move(run, kept++);
      count = kept;
    },
    group: (run) => groups[run] as number,
    ts: (run) => times[run] as number,
    latency: (run) => latencies[run] as number,
    isFailed: (run) => ((state[run] as number) & FAILED) !== 0,
    costNano: (run) => costs[run] as number,
    isKnown: (run) => ((state[run] as number) & (HAS_PRICED | HAS_UNPRICED)) !== HAS_UNPRICED,
  };
}

/** Runs with the places of their groups in `keys`, the values of the query's dimensions. */
export type FoundRuns = {
  readonly runs: Runs;
  readonly keys: readonly (readonly (string | null)[])[];
};
