import { conflict } from '../../../../errors.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import type { Engine } from '../clickhouse/engine/engine.ts';
import { int, ints, raw, sql } from '../clickhouse/engine/sql.ts';
import type { EventRow } from '../clickhouse/rows/to-row.ts';
import { migrateEvents } from '../clickhouse/schema/migrate.ts';
import { notesOfMove } from '../clickhouse/schema/moves.ts';

/** Where a move into a database stands. */
export type MoveState = 'none' | 'copying' | 'done';

/** The database that a move writes to. What is inserted again replaces what was there; no block is taken for a repetition. */
export type Target = {
  readonly engine: Engine;
  /** What each copied day was made of when it was copied, by `PROJECT DAY`. */
  readonly stamps: Map<string, string>;
  /** Days of projects with rows. */
  readonly touched: Set<string>;
  /** Numbers of projects with rows. */
  readonly projects: readonly number[];
  /** Inserts events, as the latest version of each. */
  insert(rows: readonly EventRow[]): Promise<void>;
  /** Notes what a day was made of. */
  note(project: number, day: number, stamp: string): Promise<void>;
  /** Rows that this run inserts replace those of all earlier ones. */
  nextPass(): void;
  finish(): Promise<void>;
};

const FRESH = { deduplicate_insert: 'disable' } as const;
/** Between the versions of receipts and those of changes, so that changes to come replace what was moved. */
const FIRST_VERSION = 1n << 62n;
const LAST_VERSION = 1n << 63n;

export const keyOfDay = (project: number, day: number): string => `${project} ${day}`;

/**
 * Where a move stands in a database, without changing anything.
 * @throws AppError 409 if the database has events of another origin
 */
export async function stateOfTarget(engine: Engine, ledger: string): Promise<MoveState> {
  const tables = await engine.read<{ name: string }>(
    [],
    raw('SELECT name FROM system.tables WHERE database = currentDatabase()'),
  );
  const names = new Set(tables.map(({ name }) => name));
  if (!names.has('events')) return 'none';
  const noted = names.has('moves')
    ? await notesOfMove(engine, ['ledger', 'state'])
    : new Map<string, string>();
  const of = noted.get('ledger');
  if (of === ledger) return noted.get('state') === 'done' ? 'done' : 'copying';
  if (of !== undefined)
    throw conflict(
      'The events of another ledger were moved into this ClickHouse database; name an empty one',
    );
  const [row] = await engine.read<{ events: number }>([], raw('SELECT count() AS events FROM events'));
  if ((row?.events ?? 0) > 0)
    throw conflict('The ClickHouse database already has events that no move brought; name an empty one');
  return 'none';
}

/** Opens the database for a move: makes its tables, and notes whose events come. */
export async function openTarget(engine: Engine, ledger: string): Promise<Target> {
  await migrateEvents(engine);
  let at = Date.now();
  const write = (name: string, value: string): Promise<void> =>
    engine.insert('moves', [{ name, value, at: ++at }], FRESH);
  const noted = await notesOfMove(engine, ['ledger']);
  if (!noted.has('ledger')) {
    await write('state', 'copying');
    await write('ledger', ledger);
  }
  const [stamps, touched, [newest]] = await Promise.all([
    engine.read<{ name: string; stamp: string; last: number }>(
      [],
      raw(
        "SELECT name, argMax(value, at) AS stamp, max(at) AS last FROM moves WHERE startsWith(name, 'day ') GROUP BY name",
      ),
    ),
    engine.read<{ project: number; day: number }>(
      [],
      sql`SELECT DISTINCT project, intDiv(ts, ${int(DAY_MS)}) AS day FROM events`,
    ),
    engine.read<{ newest: string }>(
      [],
      raw(
        `SELECT toString(max(version)) AS newest FROM events WHERE version >= ${FIRST_VERSION} AND version < ${LAST_VERSION}`,
      ),
    ),
  ]);
  // A clock that went back must not hide a later note.
  at = stamps.reduce((most, one) => Math.max(most, one.last), at);
  const before = BigInt(newest?.newest ?? 0);
  let version = (before < FIRST_VERSION ? FIRST_VERSION : before) + 1n;
  return {
    engine,
    stamps: new Map(stamps.map(({ name, stamp }) => [name.slice('day '.length), stamp])),
    touched: new Set(touched.map(({ project, day }) => keyOfDay(project, day))),
    projects: [...new Set(touched.map(({ project }) => project))],
    insert: (rows) =>
      engine.insert(
        'events',
        rows.map((row) => ({ ...row, version: String(version) })),
        FRESH,
      ),
    note: (project, day, stamp) => write(`day ${keyOfDay(project, day)}`, stamp),
    nextPass: () => {
      version++;
    },
    finish: () => write('state', 'done'),
  };
}

/** Days are written one partition at a time; this deletes rows of a day in place. */
export const IN_PLACE = {
  lightweight_delete_mode: 'lightweight_update_force',
  enable_lightweight_update: 1,
} as const;

/** Deletes what a project has in a table. */
export const clearProject = (
  engine: Engine,
  table: 'tag_values' | 'repriced_events',
  project: number,
): Promise<void> =>
  engine.run(
    sql`DELETE FROM ${raw(table)} WHERE project IN ${ints([project])}`,
    table === 'repriced_events' ? IN_PLACE : {},
  );

export const projectIs = (project: number) => sql`project IN ${ints([project])}`;
export const dayIs = (project: number, day: number) =>
  sql`${projectIs(project)} AND ts >= ${int(day * DAY_MS)} AND ts < ${int((day + 1) * DAY_MS)}`;
