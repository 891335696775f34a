import { DAY_MS } from '../../../../../lib/time.ts';
import type { BatchTrace } from '../ingest/batch-traces.ts';
import type { LogBatches } from '../ingest/log-batches.ts';
import { dayOf, type KnownSegment, type Sealed } from '../segments/sealed-part.ts';
import type { FlippedChunk } from './flipped-chunk.ts';
import type { Flips } from './flips.ts';
import type { Trace } from './load-spans.ts';
import type { TraceIndex } from './trace-index.ts';
import type { TraceMemory } from './trace-memory.ts';

/** Finds the stored spans of traces. */
export type StoredSpans = {
  /**
   * The chunks that may have spans of a trace: unsealed batches of any time, and of the segments of the UTC days of its
   * spans in a batch, the days before and the days after those that were sealed last, with about eight million events.
   * Parts of a trace that lie further apart are counted separately.
   */
  partsOf(project: number, trace: BatchTrace, times: Float64Array): readonly FlippedChunk[];
  /** Reads a chunk, as far as it can be read. */
  unlessDamaged(part: FlippedChunk, read: () => void): void;
  /** Notes that a batch has spans of a trace. */
  note: TraceIndex['add'];
};

/** Segments whose filter is asked for a new trace. All of their filters fit in memory. */
const REACH = 512;

type Parts = {
  readonly traces: TraceIndex;
  readonly batches: LogBatches;
  readonly sealed: Sealed;
  readonly flips: { readonly log: Flips; readonly sealed: Flips };
  readonly memory: TraceMemory;
};

export function createStoredSpans({ traces, batches, sealed, flips, memory }: Parts): StoredSpans {
  const nearest = createNearest(sealed);
  const find = function* (
    project: number,
    { words }: Trace,
    days: ReadonlySet<number>,
  ): Iterable<FlippedChunk> {
    for (const seq of traces.find(project, words)) {
      const chunk = batches.open(seq);
      if (chunk !== null) yield { chunk, flips: flips.log.of(seq), segment: null, seq };
    }
    const isNew = !memory.mayHave(project, words);
    for (const segment of nearest(project, days))
      if (!(isNew && segment.remembered.traces?.isKept) && sealed.mayHave(segment, 'trace_id', words, 0))
        yield { chunk: sealed.open(segment), flips: flips.sealed.of(segment.no), segment, seq: 0 };
  };
  return {
    partsOf(project, trace, times) {
      const { trees, places } = trace;
      // Asked for twice: for counting, and for the graph.
      trees.parts ??= [...find(project, trace, daysOf(places, times))];
      return trees.parts;
    },
    unlessDamaged({ segment }, read) {
      if (segment === null) read();
      else sealed.unlessDamaged(segment, 'spans', undefined, read);
    },
    note(project, trace, seq) {
      traces.add(project, trace, seq);
      memory.note(project, trace, seq);
    },
  };
}

/**
 * The segments near some days, the newest number first. Keeps the last answer, because most traces of a batch are of
 * the same days. A change of the segments makes a new list of them.
 */
function createNearest(sealed: Sealed): (project: number, days: ReadonlySet<number>) => KnownSegment[] {
  let last: { all: readonly KnownSegment[]; days: string; near: KnownSegment[] } | null = null;
  return (project, days) => {
    const all = sealed.all(project);
    const key = [...days].join();
    if (last?.all !== all || last.days !== key) {
      const near = new Set([...days].flatMap((day) => [day - 1, day, day + 1]));
      const found: KnownSegment[] = [];
      for (let i = all.length - 1; i >= 0 && found.length < REACH; i--) {
        const segment = all[i] as KnownSegment;
        if (near.has(dayOf(segment))) found.push(segment);
      }
      last = { all, days: key, near: found };
    }
    return last.near;
  };
}

/** The UTC days of some places. */
const daysOf = (places: readonly number[], times: Float64Array): Set<number> =>
  new Set(places.map((place) => Math.floor((times[place] as number) / DAY_MS)));
