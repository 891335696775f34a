import { HOUR_MS } from '../../../../../lib/time.ts';

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
  /** Differs for what differs of the span, mostly. */
  readonly mark: number;
  readonly ts: number;
  readonly latency: number;
  readonly isFailed: boolean;
};

/** Runs in columns, by number. */
export type Runs = {
  count(): number;
  /**
   * Adds calls of an hour since the epoch to a run; numbers are given without gaps. `has`: `HAS_PRICED` and
   * `HAS_UNPRICED`.
   */
  addCalls(run: number, costNano: number, has: number, hour: number): void;
  /** Runs from a number on with calls outside of some hours around the hour in which they began. */
  beyond(from: number, hours: { readonly before: number; readonly after: number }): number[];
  /** Takes back all calls of a run. */
  forgetCalls(run: number): void;
  setHead(run: number, head: Head): void;
  /** Drops runs from a number on whose head was not set. */
  keepHeads(from: number): void;
  group(run: number): number;
  ts(run: number): number;
  latency(run: number): number;
  mark(run: number): number;
  isFailed(run: number): boolean;
  costNano(run: number): number;
  /** Whether the cost is known: not all calls of the run are unpriced. */
  isKnown(run: number): boolean;
  /** Whether a call of the run has no price. */
  hasUnpriced(run: number): boolean;
};

export function createRuns(): Runs {
  let room = FIRST_ROOM;
  let count = 0;
  let state = new Uint8Array(room);
  let [groups, marks] = [new Uint32Array(room), new Uint32Array(room)];
  let [firsts, lasts] = [new Int32Array(room), new Int32Array(room)];
  let [times, latencies, costs] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  const grow = (): void => {
    room *= 2;
    const oldState = state;
    state = new Uint8Array(room);
    state.set(oldState);
    [groups, marks] = [groups, marks].map((old) => {
      const larger = new Uint32Array(room);
      larger.set(old);
      return larger;
    }) as [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];
    [firsts, lasts] = [firsts, lasts].map((old) => {
      const larger = new Int32Array(room);
      larger.set(old);
      return larger;
    }) as [Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>];
    [times, latencies, costs] = [times, latencies, costs].map((old) => {
      const larger = new Float64Array(room);
      larger.set(old);
      return larger;
    }) as [Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>];
  };
  const move = (from: number, to: number): void => {
    state[to] = state[from] as number;
    groups[to] = groups[from] as number;
    marks[to] = marks[from] as number;
    times[to] = times[from] as number;
    latencies[to] = latencies[from] as number;
    costs[to] = costs[from] as number;
  };
  return {
    count: () => count,
    addCalls(run, costNano, has, hour) {
      if (run >= count) {
        if (run >= room) grow();
        count = run + 1;
        state[run] = 0;
        costs[run] = 0;
        firsts[run] = hour;
        lasts[run] = hour;
      }
      costs[run] = (costs[run] as number) + costNano;
      state[run] = (state[run] as number) | has;
      if (hour < (firsts[run] as number)) firsts[run] = hour;
      if (hour > (lasts[run] as number)) lasts[run] = hour;
    },
    beyond(from, { before, after }) {
      const found: number[] = [];
      for (let run = from; run < count; run++) {
        if (((state[run] as number) & HEAD) === 0) continue;
        const hour = Math.floor((times[run] as number) / HOUR_MS);
        if ((firsts[run] as number) < hour - before || (lasts[run] as number) > hour + after) found.push(run);
      }
      return found;
    },
    forgetCalls(run) {
      costs[run] = 0;
      state[run] = (state[run] as number) & (HEAD | FAILED);
    },
    setHead(run, { group, mark, ts, latency, isFailed }) {
      state[run] = (state[run] as number) | HEAD | (isFailed ? FAILED : 0);
      groups[run] = group;
      marks[run] = mark;
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
    mark: (run) => marks[run] as number,
    isFailed: (run) => ((state[run] as number) & FAILED) !== 0,
    costNano: (run) => costs[run] as number,
    isKnown: (run) => ((state[run] as number) & (HAS_PRICED | HAS_UNPRICED)) !== HAS_UNPRICED,
    hasUnpriced: (run) => ((state[run] as number) & HAS_UNPRICED) !== 0,
  };
}

/** Runs with the places of their groups in `keys`, the values of the query's dimensions. */
export type FoundRuns = {
  readonly runs: Runs;
  readonly keys: readonly (readonly (string | null)[])[];
};
