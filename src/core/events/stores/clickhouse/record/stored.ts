import { isLinked } from '../../../../../lib/linked-event-id.ts';
import { recountCalls } from '../../../count-once.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, createSpanTree, NO_CHILDREN, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import type { Engine } from '../engine/engine.ts';
import { type EventKey, ints, keys, sql, texts } from '../engine/sql.ts';
import { inWindow, nearDays } from '../reads/conditions.ts';
import { latestRows } from '../reads/events.ts';
import { bucketsOf, type StoredRow } from '../rows/to-event.ts';
import type { Flip } from './entry.ts';
import type { SpanInfo } from './span-info.ts';

/** Of some events those that are stored, as `PROJECT ID`. */
export async function findStored(engine: Engine, of: readonly EventKey[]): Promise<Set<string>> {
  if (of.length === 0) return new Set();
  const projects = [...new Set(of.map(({ project }) => project))];
  const rows = await engine.read<{ project: number; id: string }>(
    projects,
    sql`SELECT project, toString(event_id) AS id FROM events
      WHERE project IN ${ints(projects)} AND (project, ts, event_id) IN ${keys(of)} GROUP BY project, id`,
  );
  return new Set(rows.map(({ project, id }) => `${project} ${id}`));
}

/** The spans of some traces that are stored. */
export type StoredTrace = { readonly tree: SpanTree; readonly places: Map<TreeSpan, Omit<Flip, 'counted'>> };

/** The trees of the traces of a batch: OTLP spans and linked events, which are known by their ids. */
export async function loadTraces(
  engine: Engine,
  project: number,
  spans: readonly SpanInfo[],
): Promise<Map<string, StoredTrace>> {
  const traces = [...new Set(spans.map(({ trace }) => trace))];
  const found = new Map(
    traces.map((id): [string, StoredTrace] => [id, { tree: createSpanTree(), places: new Map() }]),
  );
  if (traces.length === 0) return found;
  const times = spans.map(({ ts }) => ts);
  const near = nearDays({ from: Math.min(...times), to: Math.max(...times) + 1 });
  const condition = sql`${inWindow([project], near)} AND trace_id IN ${texts(traces)}`;
  const rows = await engine.read<StoredRow>([project], latestRows(SPAN_COLUMNS, condition));
  for (const row of rows) {
    const trace = found.get(row.trace_id);
    const linked = isLinked(row.event_id, row.trace_id, row.span_id);
    if (trace === undefined || (!linked && row.event_id !== spanEventId(row.trace_id, row.span_id))) continue;
    const node = addSpan<TreeSpan>(trace.tree, toSpan(row, linked), row.parent_span_id);
    if (node !== null) trace.places.set(node, { ts: row.ts, id: row.event_id });
  }
  return found;
}

const SPAN_COLUMNS = sql`ts, event_id, trace_id, span_id, parent_span_id, kind, status, is_call, bucket_fresh,
  bucket_cache_read, bucket_cache_write_5m, bucket_cache_write_1h, bucket_output, bucket_reasoning`;

const toSpan = (row: StoredRow, linked: boolean): TreeSpan => ({
  span: row.span_id,
  ts: row.ts,
  kind: row.kind === 'llm' || row.kind === 'embedding' ? row.kind : null,
  tells: row.status !== 'success' || Object.values(bucketsOf(row)).some((tokens) => tokens !== 0),
  linked,
  counted: row.is_call === 1,
  parent: null,
  children: NO_CHILDREN,
});

/** What the spans of a batch change: places of its own that do not count as they were sent, and stored events. */
export type Recount = { readonly own: ReadonlySet<number>; readonly flips: readonly Flip[] };

/**
 * Counts each call of a batch once, together with the stored spans of its traces.
 * @param spans by place; null for events that are not compared
 * @param dropped places of duplicates
 */
export function recount(
  stored: ReadonlyMap<string, StoredTrace>,
  spans: readonly (SpanInfo | null)[],
  dropped: ReadonlySet<number>,
): Recount {
  const own = new Set<number>();
  const flips: Flip[] = [];
  const places = [...spans.keys()].filter((place) => spans[place] !== null);
  for (const [id, mine] of Map.groupBy(places, (place) => spans[place]?.trace ?? '')) {
    const trace = stored.get(id);
    if (trace === undefined) continue;
    const added = new Map<TreeSpan, number>();
    for (const place of mine) {
      const info = spans[place] as SpanInfo;
      const node = addSpan<TreeSpan>(
        trace.tree,
        { ...info, parent: null, children: NO_CHILDREN },
        info.parent,
      );
      if (node !== null) added.set(node, place);
      // A repetition of a span with the same id never counts.
      else if (info.counted) own.add(place);
    }
    for (const node of recountCalls([...added.keys()], trace.tree.cut.splice(0))) {
      const place = added.get(node);
      const known = trace.places.get(node);
      if (place !== undefined) own.add(place);
      else if (known !== undefined) flips.push({ ...known, counted: node.counted });
    }
  }
  for (const place of dropped) own.delete(place);
  return { own, flips };
}
