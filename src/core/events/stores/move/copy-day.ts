import type { ReadSession } from '../../../../db/reader.ts';
import { keys, sql, texts } from '../clickhouse/engine/sql.ts';
import { EVENT_COLUMNS, type StoredRow } from '../clickhouse/rows/to-event.ts';
import type { EventRow } from '../clickhouse/rows/to-row.ts';
import type { FileDay, FilePart } from './file-days.ts';
import { fileRowsRead, type Referred } from './file-rows.ts';
import { countOfCells, keptCellsRead, rowsOfCells } from './kept-rows.ts';
import { dayIs, IN_PLACE, keyOfDay, type Target } from './target.ts';

/** Events that are inserted at once. */
const AT_ONCE = 8_192;
/** Batches that are read at once. */
const BATCHES = 256;
/** Events that are deleted at once. */
const DELETED = 2_000;

/**
 * The parts of each day that the target has as they are in the file, by their keys, with the number of their events of the
 * day. As long as the process lives, so that a day that grows is not compared as a whole again and again.
 */
export type CopiedParts = Map<string, ReadonlyMap<string, number>>;

type Copy = {
  readonly session: ReadSession;
  readonly target: Target;
  readonly project: number;
  readonly day: FileDay;
  readonly referred: Referred;
  readonly copied: CopiedParts;
  readonly signal: AbortSignal;
  /** Told how many more events were looked at. */
  readonly onEvents: (events: number) => void;
};

/** What a copy changed in the target. */
export type DayCopied = { readonly written: number; readonly deleted: number };

/**
 * Makes a day of a project in the target what it is in the file. Where the target has the day, only events that differ
 * are written, and those that the file has no longer are deleted.
 */
export async function copyDay(copy: Copy): Promise<DayCopied> {
  const { target, project, day, session, signal, copied, onEvents } = copy;
  const { touched } = target;
  const key = keyOfDay(project, day.day);
  const isKnown = touched.has(key);
  const before = copied.get(key) ?? new Map<string, number>();
  const counts = new Map<string, number>();
  const rest = day.parts.filter((part) => {
    const count = before.get(part.key);
    if (count !== undefined) counts.set(part.key, count);
    return count === undefined;
  });
  let written = 0;
  for (const slice of slicesOf(copy, rest)) {
    signal.throwIfAborted();
    for (const [name, count] of slice.counts) counts.set(name, count);
    for (let at = 0; at < slice.rows.length; at += AT_ONCE) {
      const rows = slice.rows.slice(at, at + AT_ONCE);
      const changed = isKnown ? await different(copy, rows) : rows;
      touched.add(key);
      if (changed.length > 0) await target.insert(changed);
      written += changed.length;
      onEvents(rows.length);
    }
  }
  const deleted = isKnown ? await deleteOthers(copy, counts) : 0;
  copied.set(key, counts);
  if (!day.isCut) return { written, deleted };
  const segments = day.parts.flatMap(({ kind, no }) => (kind === 'segment' ? [no] : []));
  const cells = session.run(keptCellsRead, [project], { project, day: day.day, segments });
  for (const rows of sliced(rowsOfCells(project, cells), AT_ONCE)) {
    signal.throwIfAborted();
    await target.insert(rows);
  }
  return { written: written + countOfCells(cells), deleted };
}

const nameOf = ({ ts, event_id }: EventRow): string => `${ts} ${event_id}`;

type Slice = { readonly rows: readonly EventRow[]; readonly counts: ReadonlyMap<string, number> };

/** The events of some parts of a day, a segment or some batches at a time. */
function* slicesOf({ session, project, day, referred }: Copy, parts: readonly FilePart[]): Generator<Slice> {
  const of = { project, day: day.day, referred };
  const { segment = [], batch = [] } = Object.groupBy(parts, ({ kind }) => kind);
  for (const part of segment) yield session.run(fileRowsRead, [project], { ...of, parts: [part] });
  for (let at = 0; at < batch.length; at += BATCHES)
    yield session.run(fileRowsRead, [project], { ...of, parts: batch.slice(at, at + BATCHES) });
}

function* sliced<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let slice: T[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Columns that events have in both places. */
const COMPARED = sql`${EVENT_COLUMNS}, tags`;

/** Those of some rows that the target does not have as they are. */
async function different({ target, project, day }: Copy, rows: readonly EventRow[]): Promise<EventRow[]> {
  if (rows.length === 0) return [];
  const of = rows.map(({ ts, event_id }) => ({ project, ts: Number(ts), id: String(event_id) }));
  const stored = await target.engine.read<StoredRow & { readonly tags: object }>(
    [project],
    sql`SELECT ${COMPARED} FROM events FINAL WHERE ${dayIs(project, day.day)}
      AND (project, ts, event_id) IN ${keys(of)} AND NOT is_kept`,
  );
  const known = new Map(stored.map((row) => [nameOf(row), row as EventRow]));
  return rows.filter((row) => {
    const there = known.get(nameOf(row));
    return there === undefined || !isSame(row, there);
  });
}

const isSame = (row: EventRow, there: EventRow): boolean =>
  Object.keys(there).every((name) =>
    name === 'tags'
      ? sortedTags(row[name]) === sortedTags(there[name])
      : (row[name] ?? null) === (there[name] ?? null),
  );

const sortedTags = (tags: unknown): string =>
  JSON.stringify(Object.entries(tags as object).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Deletes the events of a day that are in the target only, and its rows of figures, which are made anew. All of the file's are there, so the same number means that
 * there are no others.
 */
async function deleteOthers(copy: Copy, counts: ReadonlyMap<string, number>): Promise<number> {
  const { target, project, day } = copy;
  const { engine } = target;
  const ofDay = dayIs(project, day.day);
  const of = sql`${ofDay} AND NOT is_kept`;
  const [row] = await engine.read<{ events: number; kept: number }>(
    [project],
    sql`SELECT countIf(NOT is_kept) AS events, countIf(is_kept) AS kept FROM events FINAL WHERE ${ofDay}`,
  );
  if ((row?.kept ?? 0) > 0) await engine.run(sql`DELETE FROM events WHERE ${ofDay} AND is_kept`, IN_PLACE);
  if ((row?.events ?? 0) === counts.values().reduce((sum, count) => sum + count, 0)) return 0;
  const stored = await engine.read<{ ts: number; event_id: string }>(
    [project],
    sql`SELECT ts, event_id FROM events FINAL WHERE ${of}`,
  );
  const own = new Set<string>();
  for (const { rows } of slicesOf(copy, day.parts)) for (const one of rows) own.add(nameOf(one));
  const gone = stored.filter((one) => !own.has(nameOf(one))).map(({ event_id }) => event_id);
  for (let at = 0; at < gone.length; at += DELETED)
    await engine.run(
      sql`DELETE FROM events WHERE ${of} AND event_id IN ${texts(gone.slice(at, at + DELETED))}`,
      IN_PLACE,
    );
  return gone.length;
}
