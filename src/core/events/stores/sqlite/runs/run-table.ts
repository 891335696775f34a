import { ID_WORDS } from '../columns.ts';

const WORDS = ID_WORDS.trace_id;
const FIRST_SLOTS = 1 << 12;
/** A multiplier that spreads small numbers over 32 bits. */
const SPREAD = 0x9e3779b1;

/** What is known of a run. Costs in nano-dollars. */
export type Run = {
  /** The number of its group; -1 while the span that stands for it was not read. */
  group: number;
  ts: number;
  isFailed: boolean;
  /** Milliseconds; NaN without one. */
  latency: number;
  costNano: number;
  priced: number;
  unpriced: number;
};

/** Runs by trace and outermost agent. Traces are random ids, so open addressing needs few steps. */
export type RunTable = {
  /** The run of a trace, whose words begin at `at` of `ids`; a new one if there is none. */
  of(ids: Int32Array, at: number, agent: number): Run;
  values(): readonly Run[];
};

export function createRunTable(): RunTable {
  let slots = new Int32Array(FIRST_SLOTS);
  const runs: Run[] = [];
  let keys = new Int32Array(FIRST_SLOTS * (WORDS + 1));
  const slotOf = (words: Int32Array, at: number, agent: number): number => {
    const mask = slots.length - 1;
    let slot = ((words[at] as number) ^ Math.imul((words[at + 1] as number) + agent, SPREAD)) & mask;
    for (let run = slots[slot] as number; run !== 0; run = slots[slot] as number) {
      if (isKey(keys, (run - 1) * (WORDS + 1), words, at) && keys[run * (WORDS + 1) - 1] === agent) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  const grow = (): void => {
    slots = new Int32Array(slots.length * 2);
    const larger = new Int32Array(slots.length * (WORDS + 1));
    larger.set(keys);
    keys = larger;
    for (let run = 0; run < runs.length; run++) {
      const at = run * (WORDS + 1);
      slots[slotOf(keys, at, keys[at + WORDS] as number)] = run + 1;
    }
  };
  return {
    of(ids, at, agent) {
      const slot = slotOf(ids, at, agent);
      const known = slots[slot] as number;
      if (known !== 0) return runs[known - 1] as Run;
      const place = runs.length * (WORDS + 1);
      for (let word = 0; word < WORDS; word++) keys[place + word] = ids[at + word] as number;
      keys[place + WORDS] = agent;
      const run: Run = {
        group: -1,
        ts: 0,
        isFailed: false,
        latency: Number.NaN,
        costNano: 0,
        priced: 0,
        unpriced: 0,
      };
      slots[slot] = runs.push(run);
      if (runs.length * 2 > slots.length) grow();
      return run;
    },
    values: () => runs,
  };
}

function isKey(keys: Int32Array, place: number, words: Int32Array, at: number): boolean {
  for (let word = 0; word < WORDS; word++) if (keys[place + word] !== words[at + word]) return false;
  return true;
}
