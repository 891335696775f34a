import type { Connection, SqlValue } from '../../../../db/connection.ts';

/** The columns of the first store's events, in the order of a `FirstRow`. */
const COLUMNS = [
  'ts',
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'kind',
  'is_call',
  'status',
  'stream',
  'provider',
  'model',
  'environment',
  'operation',
  'user_id',
  'session_id',
  'error_code',
  'latency_ms',
  'ttft_ms',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_nano',
  'cost_status',
  'chunk',
  'detail',
  'price',
  'label',
  'shape',
] as const;

/** An event of the first store. `F` has the index of each column. */
export type FirstRow = readonly SqlValue[];
export const F = Object.fromEntries(COLUMNS.map((name, i) => [name, i])) as Readonly<
  Record<(typeof COLUMNS)[number], number>
>;

/** The position of an event in the order of reading. */
export type FirstPosition = { readonly ts: number; readonly id: Uint8Array };

/** Reads events of the first store in order of time, then of id. */
export type FirstRows = {
  /** Numbers of the projects with events, and the number of all events. */
  projects(): number[];
  count(): number;
  /** At most `limit` events of a project after a position; null for its start. */
  after(project: number, position: FirstPosition | null, limit: number): FirstRow[];
  /** Fields that many events share, as JSON, by number. */
  shapes(project: number): ReadonlyMap<number, string>;
};

export function openFirstRows(connection: Connection): FirstRows {
  const select = `SELECT ${COLUMNS.join(', ')} FROM events WHERE project = ?`;
  const order = 'ORDER BY ts, event_id LIMIT ?';
  const first = connection.prepare(`${select} ${order}`).raw(true);
  const next = connection.prepare(`${select} AND (ts, event_id) > (?, ?) ${order}`).raw(true);
  const readShapes = connection.prepare('SELECT id, json FROM event_shapes WHERE project = ?').raw(true);
  const nextProject = connection.prepare('SELECT min(project) FROM events WHERE project > ?').raw(true);
  const count = connection.prepare('SELECT count(*) FROM events').raw(true);
  const one = (rows: unknown[]): number | null => (rows as (number | null)[][])[0]?.[0] ?? null;
  return {
    projects() {
      const found: number[] = [];
      for (let no = one(nextProject.all([-1])); no !== null; no = one(nextProject.all([no]))) found.push(no);
      return found;
    },
    count: () => one(count.all([])) ?? 0,
    after: (project, position, limit) =>
      (position === null
        ? first.all([project, limit])
        : next.all([project, position.ts, position.id, limit])) as SqlValue[][],
    shapes: (project) => new Map(readShapes.all([project]) as [number, string][]),
  };
}

/** The position after a row. */
export const positionOf = (row: FirstRow): FirstPosition => ({
  ts: Number(row[F.ts]),
  id: new Uint8Array(row[F.event_id] as ArrayBuffer),
});
