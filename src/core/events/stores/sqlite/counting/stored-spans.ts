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
  const nearest = createNearest(sealed, memory);
  const find = (project: number, { words }: Trace, days: readonly number[]): FlippedChunk[] => {
    const found: FlippedChunk[] = [];
    for (const seq of traces.find(project, words)) {
      const chunk = batches.open(seq);
      if (chunk !== null) found.push({ chunk, flips: flips.log.of(seq), segment: null, seq });
    }
    const { all, forgotten } = nearest(project, days);
    for (const segment of memory.mayHave(project, words) ? all : forgotten)
      if (sealed.mayHave(segment, 'trace_id', words, 0))
        found.push({ chunk: sealed.open(segment), flips: flips.sealed.of(segment.no), segment, seq: 0 });
    return found;
  };
  return {
    partsOf(project, trace, times) {
      const { trees, places } = trace;
      // Asked for twice: for counting, and for the graph.
      trees.parts ??= find(project, trace, daysOf(places, times));
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

/** Segments, the newest number first, and those of them whose traces are not remembered. */
type Near = { readonly all: readonly KnownSegment[]; readonly forgotten: readonly KnownSegment[] };

/**
 * The segments near some days. Keeps the last answer, because most traces of a batch are of the same days. A change of
 * the segments makes a new list of them, and traces are forgotten when others are remembered.
 */
function createNearest(
  sealed: Sealed,
  memory: TraceMemory,
): (project: number, days: readonly number[]) => Near {
  let asked: readonly unknown[] = [];
  let last: Near = { all: [], forgotten: [] };
  return (project, days) => {
    const segments = sealed.all(project);
    const asking = [segments, memory.newest(), ...days];
    if (asking.length !== asked.length || asking.some((one, i) => one !== asked[i])) {
      const all = nearTo(segments, days);
      asked = asking;
      last = { all, forgotten: all.filter(({ remembered }) => !remembered.traces?.isKept) };
    }
    return last;
  };
}

function nearTo(segments: readonly KnownSegment[], days: readonly number[]): KnownSegment[] {
  const near = new Set(days.flatMap((day) => [day - 1, day, day + 1]));
  const found: KnownSegment[] = [];
  for (let i = segments.length - 1; i >= 0 && found.length < REACH; i--) {
    const segment = segments[i] as KnownSegment;
    if (near.has(dayOf(segment))) found.push(segment);
  }
  return found;
}

/** The UTC days of some places, each once. */
function daysOf(places: readonly number[], times: Float64Array): number[] {
  const days: number[] = [];
  for (const place of places) {
    const day = Math.floor((times[place] as number) / DAY_MS);
    if (!days.includes(day)) days.push(day);
  }
  return days;
}
