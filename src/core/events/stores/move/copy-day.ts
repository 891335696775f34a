import type { ReadSession } from '../../../../db/reader.ts';
import type { Engine } from '../clickhouse/engine/engine.ts';
import { keys, raw, sql, texts } from '../clickhouse/engine/sql.ts';
import { EVENT_COLUMNS, type StoredRow } from '../clickhouse/rows/to-event.ts';
import type { EventRow } from '../clickhouse/rows/to-row.ts';
import type { FileDay } from './file-days.ts';
import { fileRowsRead, type Referred } from './file-rows.ts';
import { countOfCells, keptCellsRead, rowsOfCells } from './kept-rows.ts';
import { dayIs, IN_PLACE, keyOfDay, type Target } from './target.ts';

/** Events that are inserted at once. */
const AT_ONCE = 8_192;
/** Batches that are read at once. */
const BATCHES = 256;
/** Events that are deleted at once. */
const DELETED = 2_000;

type Copy = {
  readonly session: ReadSession;
  readonly target: Target;
  readonly project: number;
  readonly day: FileDay;
  readonly referred: Referred;
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
  const { target, project, day, session, signal, onEvents } = copy;
  const { engine, touched } = target;
  const key = keyOfDay(project, day.day);
  const isKnown = touched.has(key);
  const seen = new Set<string>();
  let written = 0;
  for (const rows of slicesOf(copy)) {
    signal.throwIfAborted();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const slice = rows.slice(at, at + AT_ONCE);
      if (isKnown) for (const row of slice) seen.add(nameOf(row));
      const changed = isKnown ? await different(engine, project, slice) : slice;
      touched.add(key);
      if (changed.length > 0) await target.insert(changed);
      written += changed.length;
      onEvents(slice.length);
    }
  }
  const deleted = isKnown ? await deleteOthers(engine, project, day.day, seen) : 0;
  if (isKnown && day.isCut)
    await engine.run(sql`DELETE FROM events WHERE ${dayIs(project, day.day)} AND is_kept`, IN_PLACE);
  if (!day.isCut) return { written, deleted };
  const cells = session.run(keptCellsRead, [project], { project, day: day.day, segments: day.segments });
  for (const rows of sliced(rowsOfCells(project, cells), AT_ONCE)) {
    signal.throwIfAborted();
    await target.insert(rows);
  }
  return { written: written + countOfCells(cells), deleted };
}

const nameOf = ({ ts, event_id }: EventRow): string => `${ts} ${event_id}`;

/** The events of a day in the file, a segment or some batches at a time. */
function* slicesOf({ session, project, day, referred }: Copy): Generator<readonly EventRow[]> {
  const of = { project, day: day.day, referred };
  for (const no of day.segments)
    yield session.run(fileRowsRead, [project], { ...of, segments: [no], batches: [] });
  for (let at = 0; at < day.batches.length; at += BATCHES)
    yield session.run(fileRowsRead, [project], {
      ...of,
      segments: [],
      batches: day.batches.slice(at, at + BATCHES),
    });
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
async function different(engine: Engine, project: number, rows: readonly EventRow[]): Promise<EventRow[]> {
  if (rows.length === 0) return [];
  const of = rows.map(({ ts, event_id }) => ({ project, ts: Number(ts), id: String(event_id) }));
  const stored = await engine.read<StoredRow & { readonly tags: object }>(
    [project],
    sql`SELECT ${COMPARED} FROM events FINAL WHERE project = ${raw(String(project))}
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

/** Deletes the events of a day that are not among some. */
async function deleteOthers(
  engine: Engine,
  project: number,
  day: number,
  seen: ReadonlySet<string>,
): Promise<number> {
  const of = sql`${dayIs(project, day)} AND NOT is_kept`;
  const [row] = await engine.read<{ events: number }>(
    [project],
    sql`SELECT count() AS events FROM events FINAL WHERE ${of}`,
  );
  if ((row?.events ?? 0) === seen.size) return 0;
  const stored = await engine.read<{ ts: number; event_id: string }>(
    [project],
    sql`SELECT ts, event_id FROM events FINAL WHERE ${of}`,
  );
  const gone = stored.filter((one) => !seen.has(nameOf(one))).map(({ event_id }) => event_id);
  for (let at = 0; at < gone.length; at += DELETED)
    await engine.run(
      sql`DELETE FROM events WHERE ${of} AND event_id IN ${texts(gone.slice(at, at + DELETED))}`,
      IN_PLACE,
    );
  return gone.length;
}
