import { HOUR_MS } from '../../../../../lib/time.ts';
import { HAS_PRICED, HAS_UNPRICED } from '../../shared/runs/runs.ts';
import { costStatusByte, FLAG, ID_WORDS, KIND } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';
import { createKeyNumbers } from './key-numbers.ts';
import type { LinkAgents } from './link-agents.ts';

/** What the events of a chunk say about runs: a function of its events alone. */
export type RunRows = {
  /** Names of outermost agents; `agent` refers to them by index. */
  readonly agents: readonly string[];
  /** Sums of the calls of models, by trace, outermost agent and hour since the epoch. */
  readonly calls: {
    readonly count: number;
    /** Words of the trace ids. */
    readonly trace: Int32Array;
    readonly agent: Numbers;
    readonly hour: Numbers;
    readonly costNano: Float64Array;
    /** `HAS_PRICED` and `HAS_UNPRICED`. */
    readonly state: Numbers;
  };
  /** The spans that stand for runs. */
  readonly heads: {
    readonly count: number;
    /** The index of their trace and agent in `calls`, which may have no calls. */
    readonly call: Numbers;
    readonly ts: Float64Array;
    /** Milliseconds; NaN without one. */
    readonly latency: Float64Array;
    readonly status: Numbers;
    readonly link: Numbers;
    /** Their places in the chunk. */
    readonly place: Numbers;
  };
};
type Numbers = ArrayLike<number>;

const UNPRICED = costStatusByte('unpriced');
const isModel = (kind: number): boolean => kind === KIND.llm || kind === KIND.embedding;

/** Reads all columns that runs need, some 0.3 µs per event. */
export function runRowsOf(chunk: Chunk, { agentOf, isHead, agents }: LinkAgents): RunRows {
  const links = chunk.numbers('link');
  if (links.every((link) => (agentOf[link] as number) === 0)) return NO_ROWS;
  const [present, kinds, flags] = [chunk.present(), chunk.bytes('kind'), chunk.bytes('flags')];
  const [ts, ids] = [chunk.numbers('ts'), chunk.ids('trace_id')];
  const [costs, costStatus] = [chunk.numbers('cost_nano'), chunk.bytes('cost_status')];
  const keys = createKeyNumbers();
  const places: number[] = [];
  const heads: number[] = [];
  const keyOf = new Uint32Array(chunk.events);
  for (let place = 0; place < chunk.events; place++) {
    const link = links[place] as number;
    const agent = agentOf[link] as number;
    if (agent === 0 || present[place] === 0) continue;
    const isCall = isModel(kinds[place] as number);
    // A call that another span represents stands for nothing.
    if (isCall && ((flags[place] as number) & FLAG.call) === 0) continue;
    if (!isCall && isHead[link] === 0) continue;
    const hour = Math.floor((ts[place] as number) / HOUR_MS);
    keyOf[place] = keys.of(ids, place * ID_WORDS.trace_id, agent - 1, hour);
    places.push(place);
    if (isHead[link] === 1) heads.push(place);
  }
  const count = keys.count();
  const calls = {
    count,
    trace: keys.traces(),
    agent: new Uint32Array(count),
    hour: new Int32Array(count),
    costNano: new Float64Array(count),
    state: new Uint8Array(count),
  };
  for (const place of places) {
    const key = keyOf[place] as number;
    calls.agent[key] = (agentOf[links[place] as number] as number) - 1;
    calls.hour[key] = Math.floor((ts[place] as number) / HOUR_MS);
    if (!isModel(kinds[place] as number)) continue;
    const cost = costs[place] as number;
    if (!Number.isNaN(cost)) calls.costNano[key] = (calls.costNano[key] as number) + cost;
    calls.state[key] =
      (calls.state[key] as number) | (costStatus[place] === UNPRICED ? HAS_UNPRICED : HAS_PRICED);
  }
  const [latency, status] = [chunk.numbers('latency_ms'), chunk.bytes('status')];
  return {
    agents,
    calls,
    heads: {
      count: heads.length,
      call: Uint32Array.from(heads, (place) => keyOf[place] as number),
      ts: Float64Array.from(heads, (place) => ts[place] as number),
      latency: Float64Array.from(heads, (place) => latency[place] as number),
      status: Uint8Array.from(heads, (place) => status[place] as number),
      link: Uint32Array.from(heads, (place) => links[place] as number),
      place: Uint32Array.from(heads),
    },
  };
}

const NONE = new Float64Array();
const NO_ROWS: RunRows = {
  agents: [],
  calls: { count: 0, trace: new Int32Array(), agent: NONE, hour: NONE, costNano: NONE, state: NONE },
  heads: { count: 0, call: NONE, ts: NONE, latency: NONE, status: NONE, link: NONE, place: NONE },
};
