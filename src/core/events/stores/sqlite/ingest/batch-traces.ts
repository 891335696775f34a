import { ID_WORDS } from '../columns.ts';
import type { Trace } from '../counting/load-spans.ts';
import type { RecentTrees } from '../counting/recent-trees.ts';
import { TraceTrees } from '../counting/trace-trees.ts';
import { manyIdWords } from '../packs/id-bytes.ts';
import type { SpanColumns } from './span-columns.ts';

/** A trace with events in a batch. */
export type BatchTrace = Trace & {
  readonly trees: TraceTrees;
  /** Places of its events in the batch. */
  readonly places: readonly number[];
};

/** A batch with spans, and the number that it will have in the log. */
export type TracedBatch = {
  readonly project: number;
  readonly seq: number;
  readonly times: Float64Array;
  /** Words of the event ids. */
  readonly ids: Int32Array;
  readonly columns: SpanColumns;
  readonly traces: readonly BatchTrace[];
  /** Places of duplicates. */
  readonly dropped: ReadonlySet<number>;
};

/** What is in a batch, before its traces are known. */
type Sent = Pick<TracedBatch, 'project' | 'columns' | 'dropped'>;

/**
 * The traces of the events that are compared or have a place in the graph. Traces of which the batch has only
 * duplicates are left out: nothing changes in them when a client repeats a request.
 */
export function batchTraces(
  trees: RecentTrees<TraceTrees>,
  { project, columns: { traces, marks, links }, dropped }: Sent,
): BatchTrace[] {
  const places = new Map<string, number[]>();
  for (let place = 0; place < traces.length; place++) {
    if (marks[place] === 0 && (links === null || links.own[place] === 0)) continue;
    const trace = traces[place] as string;
    const known = places.get(trace);
    if (known === undefined) places.set(trace, [place]);
    else known.push(place);
  }
  if (dropped.size > 0)
    for (const [trace, own] of places) if (own.every((place) => dropped.has(place))) places.delete(trace);
  const ids = [...places.keys()];
  const words = manyIdWords('trace_id', ids);
  return ids.map((id, i) => ({
    id,
    trees: treesOf(trees, `${project} ${id}`),
    words: words.subarray(i * ID_WORDS.trace_id, (i + 1) * ID_WORDS.trace_id),
    places: places.get(id) ?? [],
  }));
}

function treesOf(trees: RecentTrees<TraceTrees>, key: string): TraceTrees {
  const known = trees.get(key);
  if (known !== undefined) return known;
  const made = new TraceTrees();
  trees.set(key, made);
  return made;
}
