import type { Connection } from '../../../../../db/connection.ts';
import { hashWords } from '../codecs/hash-words.ts';
import { ID_WORDS } from '../columns.ts';
import type { LogState } from '../ingest/log-part.ts';

/**
 * The unsealed batches that may contain a trace. Those of a project's stored batches are read when it is first asked
 * for: about 0.1 ms per batch.
 */
export type TraceIndex = {
  /** Numbers of unsealed batches. The trace is given in the four words of its column. */
  find(project: number, trace: Int32Array): readonly number[];
  /** Notes that a batch has events of the trace. A batch that is not stored in the end does no harm. */
  add(project: number, trace: Int32Array, seq: number): void;
};

/** Batches by a hash of the trace; most traces are in one. */
type Batches = Map<number, number | number[]>;

/** When the index has this many entries, or twice those that were left last, entries of sealed batches are dropped. */
const LEAST_LIMIT = 65_536;

/** @param tracesOf the words of the trace ids of an unsealed batch; null if it is damaged */
export function createTraceIndex(
  connection: Connection,
  log: LogState,
  tracesOf: (seq: number) => Int32Array | null,
): TraceIndex {
  const list = connection.prepare('SELECT seq FROM event_log WHERE project = ? ORDER BY seq').raw(true);
  const projects = new Map<number, Batches>();
  let entries = 0;
  let limit = LEAST_LIMIT;

  const batchesOf = (project: number): Batches => {
    const known = projects.get(project);
    if (known !== undefined) return known;
    const batches: Batches = new Map();
    projects.set(project, batches);
    for (const [seq = 0] of list.all([project]) as number[][]) {
      const traces = tracesOf(seq) ?? new Int32Array();
      for (let at = 0; at < traces.length; at += ID_WORDS.trace_id)
        note(batches, hashWords(0, traces, at), seq);
    }
    return batches;
  };

  const note = (batches: Batches, key: number, seq: number): void => {
    const known = batches.get(key);
    const last = typeof known === 'object' ? known.at(-1) : known;
    if (last === seq) return;
    entries++;
    if (known === undefined) batches.set(key, seq);
    else if (typeof known === 'number') batches.set(key, [known, seq]);
    else known.push(seq);
  };

  const dropSealed = (): void => {
    entries = 0;
    for (const [project, batches] of projects)
      for (const [key, known] of batches) {
        const left = listOf(known).filter((seq) => log.has(project, seq));
        entries += left.length;
        if (left.length === 0) batches.delete(key);
        else batches.set(key, left.length === 1 ? (left[0] ?? 0) : left);
      }
    limit = Math.max(LEAST_LIMIT, 2 * entries);
  };

  return {
    find(project, trace) {
      const known = batchesOf(project).get(hashWords(0, trace, 0));
      return known === undefined ? NONE : listOf(known).filter((seq) => log.has(project, seq));
    },
    add(project, trace, seq) {
      note(batchesOf(project), hashWords(0, trace, 0), seq);
      if (entries > limit) dropSealed();
    },
  };
}

const NONE: readonly number[] = [];

const listOf = (known: number | number[]): number[] => (typeof known === 'number' ? [known] : known);
