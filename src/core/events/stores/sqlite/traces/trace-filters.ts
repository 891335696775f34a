import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { bufferOf } from '../rows/blob.ts';
import { addToBloom, type Bloom, bloomHash, createBloom, isInBloom } from '../rows/bloom.ts';
import { idToWire, unpackId } from '../rows/ids.ts';

/**
 * Per-chunk Bloom filters that locate a trace's spans, so that a new trace needs no look-up. Only traces of OTLP
 * spans are added; there are no false negatives.
 */
export type TraceFilters = {
  add(project: number, chunk: number, traceId: string): void;
  /** Chunks that may contain spans of the trace, among a project's newest `REACH`; newest first. */
  chunksOf(project: number, traceId: string): number[];
  /** Writes the filters of full chunks. */
  flush(isFull: (project: number, chunk: number) => boolean): void;
  discard(): void;
};

/** Filters to consult: those of a project's newest four million spans. */
const REACH = 512;
/** Filters in memory (16 KB each); the least recently used project is evicted. */
const REMEMBERED = 2_048;

type Filter = { readonly chunk: number; readonly bits: Bloom; dirty: boolean };

export function createTraceFilters(connection: Connection): TraceFilters {
  const readFilters = connection
    .prepare(`SELECT chunk, bits FROM trace_filters WHERE project = ? ORDER BY chunk DESC LIMIT ${REACH}`)
    .raw(true);
  const readNewest = connection.prepare('SELECT max(chunk) FROM event_chunks WHERE project = ?').raw(true);
  const readTraces = connection
    .prepare('SELECT DISTINCT trace_id FROM events INDEXED BY events_trace WHERE project = ? AND chunk = ?')
    .raw(true);
  const upsert = connection.prepare(
    `INSERT INTO trace_filters (project, chunk, bits) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET bits = excluded.bits`,
  );
  /** Chunks oldest first; projects least recently used first. */
  let filters = new Map<number, Filter[]>();

  function filtersOf(project: number): Filter[] {
    const known = filters.get(project) ?? load(project);
    filters.delete(project);
    filters.set(project, known);
    return known;
  }

  /** The newest chunk may have been open when the process ended, so its filter is rebuilt. */
  function load(project: number): Filter[] {
    makeRoom();
    const stored = (readFilters.all([project]) as SqlValue[][]).map(
      ([chunk, bits]): Filter => ({
        chunk: Number(chunk),
        bits: new Uint8Array(bufferOf(bits)),
        dirty: false,
      }),
    );
    const loaded = stored.reverse();
    const [newest] = readNewest.all([project]) as (number | null)[][];
    if (newest === undefined || newest[0] === null || newest[0] === undefined) return loaded;
    const filter = openFilter(loaded, newest[0]);
    const traces = readTraces.all([project, newest[0]]) as SqlValue[][];
    for (const [id = null] of traces) addToBloom(filter.bits, bloomHash(idToWire(unpackId(id))));
    filter.dirty = traces.length > 0;
    return loaded;
  }

  function makeRoom(): void {
    let held = filters.values().reduce((sum, list) => sum + list.length, 0);
    for (const [project, list] of filters) {
      if (held <= REMEMBERED) return;
      for (const filter of list) write(project, filter);
      filters.delete(project);
      held -= list.length;
    }
  }

  function write(project: number, filter: Filter): void {
    if (filter.dirty) upsert.run([project, filter.chunk, filter.bits]);
    filter.dirty = false;
  }

  return {
    add(project, chunk, traceId) {
      const filter = openFilter(filtersOf(project), chunk);
      addToBloom(filter.bits, bloomHash(traceId));
      filter.dirty = true;
    },
    chunksOf(project, traceId) {
      const hash = bloomHash(traceId);
      return filtersOf(project)
        .flatMap((filter) => (isInBloom(filter.bits, hash) ? filter.chunk : []))
        .reverse();
    },
    flush(isFull) {
      for (const [project, list] of filters) {
        for (let i = list.length - 1; i >= 0; i--) {
          const filter = list[i];
          if (filter === undefined || !filter.dirty) break;
          if (isFull(project, filter.chunk)) write(project, filter);
        }
      }
    },
    discard() {
      filters = new Map();
    },
  };
}

/** The filter of an open chunk: the last of the list, or a new one. */
function openFilter(list: Filter[], chunk: number): Filter {
  const last = list.at(-1);
  if (last?.chunk === chunk) return last;
  const made: Filter = { chunk, bits: createBloom(), dirty: false };
  list.push(made);
  if (list.length > REACH) list.shift();
  return made;
}
