import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { migrations } from '../migrations/index.ts';
import { type App, openApp } from './app.ts';
import type { Config } from './config.ts';
import { AUDIT_COPY } from './core/audit/index.ts';
import {
  copyBack,
  type EventsAddress,
  eventsOf,
  finishBack,
  OWN_EVENT_TABLES,
  openEventsAddress,
  openWorkFile,
  projectsIn,
  rowsOfProject,
  type WorkFile,
} from './core/events/index.ts';
import { listDeletedProjects } from './core/projects/index.ts';
import { type Connection, openReadConnection, openWriteConnection } from './db/connection.ts';
import { tableNames } from './db/copy-tables.ts';
import { noDatabase } from './db/file/file-error.ts';
import { inUse } from './db/file/hold-file.ts';
import { takeWriteLock } from './db/lock.ts';
import { applyMigrations } from './db/migrate.ts';
import { databasePath } from './db/open.ts';
import { openReadSession } from './db/reader.ts';
import { AppError, conflict } from './errors.ts';
import { tables } from './features.ts';
import type { MoveProgress, MoveResult } from './move.ts';
import { numbersOf, unfinishedOf } from './move-parts.ts';
import { writeMoveNote } from './moved-note.ts';

/** A move of events from ClickHouse into a new file. */
export type MoveBack = {
  /** The settings: `EVENTS_URL` is where the events are, `DATABASE_URL` the file with everything else. */
  readonly config: Config;
  /** The new file, which must not exist. Until all is copied and compared its name ends with `.part`. */
  readonly to: string;
  /** End after one copy although a server is running. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MoveProgress) => void;
};

/** What a move back would do. */
export type MoveBackPlan = { readonly events: number; readonly projects: number; readonly isServed: boolean };

/** Between two looks whether the server has stopped, and between two copies meanwhile. */
const LOOK_MS = 250;
const COPY_MS = 5_000;
/** As in a move to ClickHouse. */
const SHORT_MS = 10_000;

/** What a move back would do. Changes nothing. @throws AppError as `moveBack` */
export async function planMoveBack({ config, to }: Pick<MoveBack, 'config' | 'to'>): Promise<MoveBackPlan> {
  const control = controlOf(config, to);
  const address = openEventsAddress(config);
  const app = openApp({ config, mode: 'read' });
  try {
    await refuseOtherLedger(address, app);
    const projects = await numbersOf(app.ctx);
    let events = 0;
    for (const project of projects) events += await rowsOfProject(address.engine, project);
    const lock = takeWriteLock(control);
    lock?.release();
    return { events, projects: projects.length, isServed: lock === null };
  } finally {
    await Promise.all([app.close(), address.close()]);
  }
}

/**
 * Copies events from ClickHouse into a new file while a server writes to ClickHouse. When that has stopped, what changed
 * since and everything else is copied, and all sums are compared. It can be interrupted at any time: the next call goes on.
 * @throws AppError 400 if ClickHouse refuses the user, 409 if the new one exists
 * or is in use, 500 if the sums differ in the end, 503 if ClickHouse cannot be reached;
 * DatabaseFileError without the file of everything else
 */
export async function moveBack(move: MoveBack): Promise<MoveResult> {
  const { config, to, signal, once } = move;
  const control = controlOf(config, to);
  const address = openEventsAddress(config);
  let app: App = openApp({ config, mode: 'read' });
  const lock = takeWriteLock(`${to}.part`);
  let work: WorkFile | null = null;
  try {
    if (lock === null) throw inUse(`${to}.part`);
    await refuseOtherLedger(address, app);
    signal.throwIfAborted();
    work = openPart(`${to}.part`, JSON.stringify([config.EVENTS_URL, control]));
    const totals = { written: 0, events: 0, projects: 0 };
    const copy = async (): Promise<number> => {
      const since = performance.now();
      const projects = await numbersOf(app.ctx);
      const counts = await Promise.all(projects.map((project) => rowsOfProject(address.engine, project)));
      totals.events = counts.reduce((sum, count) => sum + count, 0);
      totals.projects = projects.length;
      totals.written += await copyBack({
        ...{ engine: address.engine, work: work as WorkFile, projects, signal },
        onEvents: (events) => move.onProgress({ step: 'copy', events, of: Math.max(events, totals.events) }),
      });
      return performance.now() - since;
    };
    let before = Number.POSITIVE_INFINITY;
    for (let isTold = false; ; ) {
      const ms = await copy();
      const owned = await ownControl(config, control, app);
      if (owned !== null) {
        app = owned;
        break;
      }
      if (once) return { state: 'copied', deleted: 0, ...totals };
      const isCaughtUp = ms < SHORT_MS || ms > before / 2;
      before = ms;
      if (!isTold && isCaughtUp) {
        isTold = true;
        move.onProgress({ step: 'caught up', ms, blockedBy: await unfinishedOf(app.ctx) });
      }
      await pause(signal, control);
    }
    // Nothing is written any more: what the server left in its outbox goes to ClickHouse first.
    await eventsOf(app.ctx).health();
    await copy();
    const blockedBy = await unfinishedOf(app.ctx);
    if (blockedBy !== null)
      throw conflict(`${blockedBy} is not finished. Start the server, wait until it is, and run this again`);
    const projects = await numbersOf(app.ctx);
    move.onProgress({ step: 'compare', projects: projects.length });
    const session = openReadSession(`${to}.part`, tables);
    try {
      await finishBack({ engine: address.engine, work, session, projects, signal });
    } finally {
      session.close();
    }
    copyControl(control, work.connection);
    const { connection } = work;
    work = null;
    connection.close();
    if (existsSync(`${control}.secret`)) copyFileSync(`${control}.secret`, `${to}.secret`);
    renameSync(`${to}.part`, to);
    writeMoveNote(control, {
      ...{ id: Bun.randomUUIDv7(), to: `file:${to}`, state: 'done' },
      at: new Date().toISOString(),
    });
    return { state: 'done', deleted: 0, ...totals };
  } finally {
    work?.connection.close();
    lock?.release();
    if (existsSync(to))
      for (const end of ['-wal', '-shm', '.lock']) rmSync(`${to}.part${end}`, { force: true });
    await Promise.all([app.close(), address.close()]);
  }
}

/** Opens the file of everything else for writing; null while a server has it. */
async function ownControl(config: Config, control: string, reading: App): Promise<App | null> {
  const lock = takeWriteLock(control);
  if (lock === null) return null;
  lock.release();
  try {
    const app = openApp({ config, mode: 'command' });
    await reading.close();
    return app;
  } catch (error) {
    // A server took it in between.
    if (error instanceof AppError && error.status === 409 && error.cause !== undefined) return null;
    throw error;
  }
}

/** Waits for a while, or until the server has stopped. */
async function pause(signal: AbortSignal, control: string): Promise<void> {
  for (const until = performance.now() + COPY_MS; performance.now() < until; ) {
    signal.throwIfAborted();
    await Bun.sleep(LOOK_MS);
    const lock = takeWriteLock(control);
    lock?.release();
    if (lock !== null) return;
  }
}

/** The path of the file with everything else. */
function controlOf(config: Config, to: string): string {
  const control = databasePath(config.DATABASE_URL);
  if (!existsSync(control))
    throw noDatabase(control, 'Name the file with everything but the events with --db');
  if (existsSync(to)) throw conflict(`${to} already exists; choose another name for the new file`);
  return control;
}

/** @throws AppError 409 if ClickHouse has events of projects that the file does not know */
async function refuseOtherLedger({ engine }: EventsAddress, app: App): Promise<void> {
  // The first question: afterwards a server that is away is waited for.
  await engine.read([], { parts: ['SELECT 1'] });
  const known = new Set(await numbersOf(app.ctx));
  const others = (await projectsIn(engine)).filter((project) => !known.has(project));
  const deleted = new Set((await listDeletedProjects(app.ctx)).map(({ no }) => no));
  if (others.some((project) => !deleted.has(project)))
    throw conflict(
      `ClickHouse has events of projects that ${app.ctx.db.path} does not know; name the file that belongs to them with --db`,
    );
}

/** Opens the unfinished file, or begins one. */
function openPart(path: string, source: string): WorkFile {
  if (existsSync(path) && !isUnfinished(path))
    throw conflict(
      `${path} is not an unfinished move, or was not renamed in the end; delete it to start again`,
    );
  const connection = openWriteConnection(path);
  try {
    connection.exec('PRAGMA foreign_keys = OFF');
    connection.exec('CREATE TABLE IF NOT EXISTS move_source (source TEXT NOT NULL)');
    applyMigrations(connection, migrations, Date.now());
    const [[noted] = []] = connection
      .prepare('SELECT source FROM move_source')
      .raw(true)
      .all([]) as string[][];
    if (noted === undefined) connection.prepare('INSERT INTO move_source VALUES (?)').run([source]);
    else if (noted !== source)
      throw conflict(`${path} is the unfinished move of other events; delete it to start again`);
    return openWorkFile(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Whether a file is one that a move has begun; opened for writing, another one would change. */
function isUnfinished(path: string): boolean {
  const connection = openReadConnection(path);
  try {
    const names = tableNames(connection);
    return names.length === 0 || names.includes('move_source');
  } finally {
    connection.close();
  }
}

const LEFT_OUT: readonly string[] = ['migrations', ...AUDIT_COPY.leftOut, ...OWN_EVENT_TABLES];
const ORDER: Readonly<Record<string, string>> = AUDIT_COPY.order;
const OF_THE_MOVE = ['move_days', 'move_segments', 'move_source'];

/** Copies everything but events, in one transaction: after it the new file is whole. */
function copyControl(control: string, connection: Connection): void {
  connection.prepare('ATTACH DATABASE ? AS control').run([control]);
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const table of tableNames(connection)) {
      if (LEFT_OUT.includes(table) || OF_THE_MOVE.includes(table)) continue;
      const names = (
        connection.prepare('SELECT name FROM pragma_table_info(?)').raw(true).all([table]) as [string][]
      ).map(([name]) => `"${name}"`);
      const order = ORDER[table] === undefined ? '' : ` ORDER BY ${ORDER[table]}`;
      connection.exec(
        `INSERT INTO main."${table}" (${names.join(', ')}) SELECT ${names.join(', ')} FROM control."${table}"${order}`,
      );
    }
    for (const table of OF_THE_MOVE) connection.exec(`DROP TABLE ${table}`);
    const [row] = connection.prepare('PRAGMA main.foreign_key_check').raw(true).all([]) as [string][];
    if (row !== undefined) throw new AppError(500, `A row of ${row[0]} refers to a row that does not exist`);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
  connection.exec('DETACH DATABASE control');
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
