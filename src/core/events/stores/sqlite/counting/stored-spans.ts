import { DAY_MS } from '../../../../../lib/time.ts';
import type { BatchTrace } from '../ingest/batch-traces.ts';
import type { LogBatches } from '../ingest/log-batches.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import { dayOf, type Sealed } from '../segments/sealed-part.ts';
import type { FlippedChunk } from './flipped-chunk.ts';
import type { Flips } from './flips.ts';
import type { Trace } from './load-spans.ts';
import type { TraceIndex } from './trace-index.ts';

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
};

export function createStoredSpans({ traces, batches, sealed, flips }: Parts): StoredSpans {
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
    for (const segment of nearest(project, days))
      if (sealed.mayHave(segment, 'trace_id', words, 0))
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
    note: traces.add,
  };
}

/**
 * The segments near some days, the newest number first. Keeps the last answer, because most traces of a batch are of
 * the same days. A change of the segments makes a new list of them.
 */
function createNearest(sealed: Sealed): (project: number, days: ReadonlySet<number>) => SegmentRow[] {
  let last: { all: readonly SegmentRow[]; days: string; near: SegmentRow[] } | null = null;
  return (project, days) => {
    const all = sealed.all(project);
    const key = [...days].join();
    if (last?.all !== all || last.days !== key) {
      const near = new Set([...days].flatMap((day) => [day - 1, day, day + 1]));
      const found: SegmentRow[] = [];
      for (let i = all.length - 1; i >= 0 && found.length < REACH; i--) {
        const segment = all[i] as SegmentRow;
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
