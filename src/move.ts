import { existsSync } from 'node:fs';
import { openApp } from './app.ts';
import type { Config } from './config.ts';
import type { Ctx } from './context.ts';
import {
  contentsOf,
  copyChanged,
  dropEvents,
  type EventsAddress,
  type FileContents,
  finishCopy,
  openEventsAddress,
} from './core/events/index.ts';
import { listProjects } from './core/projects/index.ts';
import { noDatabase } from './db/file/file-error.ts';
import { takeWriteLock, type WriteLock } from './db/lock.ts';
import { openReadSession, type ReadSession } from './db/reader.ts';
import { conflict } from './errors.ts';
import { tables } from './features.ts';
import { numbersOf, unfinishedOf } from './move-parts.ts';
import { type MoveNote, readMoveNote, writeMoveNote } from './moved-note.ts';

/** A move of the events of a file to ClickHouse. */
export type Move = {
  /** The database file. A server may write to it until the last step. */
  readonly from: string;
  /** The settings, with `EVENTS_URL` as the target. */
  readonly config: Config;
  /** End after one copy although a server is running. */
  readonly once: boolean;
  /** Delete the events from the file in the end. */
  readonly drop: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MoveProgress) => void;
};

export type MoveProgress =
  | { readonly step: 'copy'; readonly events: number; readonly of: number }
  /** The target has all but what arrives now: the server can be stopped. `ms`: how long the last copy took. */
  | { readonly step: 'caught up'; readonly ms: number; readonly blockedBy: string | null }
  | { readonly step: 'compare'; readonly projects: number };

/** `state`: `copied` if a server still writes to the file. */
export type MoveResult = {
  readonly state: 'done' | 'copied';
  readonly events: number;
  readonly written: number;
  readonly deleted: number;
  readonly projects: number;
};

/** What a move would do. */
export type MovePlan = FileContents & {
  readonly projects: number;
  readonly target: 'empty' | 'begun' | 'done';
  /** Whether a process writes to the file. */
  readonly isServed: boolean;
};

/** Between two looks whether the server has stopped, and between two copies meanwhile. */
const LOOK_MS = 250;
const COPY_MS = 5_000;
/** A copy that takes no longer may be the last one; so may one that takes about as long as the one before. */
const SHORT_MS = 10_000;

type Opened = {
  readonly ctx: Ctx;
  readonly session: ReadSession;
  readonly address: EventsAddress;
  readonly url: string;
  close(): Promise<void>;
};

/**
 * What a move of the file would do. Changes nothing.
 * @throws AppError 400 if ClickHouse refuses the user, 409 if it cannot be moved there, 503 if
 * ClickHouse cannot be reached
 */
export async function planMove({ from, config }: Pick<Move, 'from' | 'config'>): Promise<MovePlan> {
  const opened = open(from, config);
  try {
    const projects = await listProjects(opened.ctx);
    const contents = contentsOf({ session: opened.session, projects: projects.map(({ no }) => no) });
    const note = noteFor(from, opened.url);
    const state = await opened.address.state(note?.id ?? '');
    const lock = takeWriteLock(from);
    lock?.release();
    const target = state === 'none' ? 'empty' : state === 'done' ? 'done' : 'begun';
    return { ...contents, projects: projects.length, target, isServed: lock === null };
  } finally {
    await opened.close();
  }
}

/**
 * Copies the events of a file to ClickHouse, while a server writes to the file. When that has stopped, what changed since
 * is copied, all sums are compared, and the file is noted as moved. It can be interrupted at any time: the next call goes
 * on.
 * @throws AppError as `planMove`, and 500 if the sums differ in the end
 */
export async function moveToClickhouse(move: Move): Promise<MoveResult> {
  const { from, config, signal, once } = move;
  const opened = open(from, config);
  let lock: WriteLock | null = null;
  try {
    const note = noteFor(from, opened.url) ?? begun(opened.url);
    const state = await opened.address.state(note.id);
    if (state === 'done' && note.state === 'done') return await alreadyDone(move, opened);
    const first = contentsOf({ session: opened.session, projects: await numbersOf(opened.ctx) });
    signal.throwIfAborted();
    if (readMoveNote(from) === null) writeMoveNote(from, note);
    const target = await opened.address.open(note.id);
    const copy = createCopy(move, opened, target, first.events);
    let before = Number.POSITIVE_INFINITY;
    for (let isTold = false; lock === null; ) {
      lock = takeWriteLock(from);
      const { ms } = await copy.run();
      if (lock !== null || once) break;
      const isCaughtUp = ms < SHORT_MS || ms > before / 2;
      before = ms;
      if (!isTold && isCaughtUp) {
        isTold = true;
        move.onProgress({ step: 'caught up', ms, blockedBy: await unfinishedOf(opened.ctx) });
      }
      for (const until = performance.now() + COPY_MS; lock === null && performance.now() < until; ) {
        signal.throwIfAborted();
        await Bun.sleep(LOOK_MS);
        lock = takeWriteLock(from);
        if (lock !== null) await copy.run();
      }
    }
    if (lock === null) return { state: 'copied', ...copy.totals() };
    await finish(move, opened, { target, note });
    return { state: 'done', ...copy.totals() };
  } finally {
    lock?.release();
    await opened.close();
  }
}

type Target = Awaited<ReturnType<EventsAddress['open']>>;

/** Copies what changed, again and again, and adds up what that did. */
function createCopy(move: Move, { ctx, session }: Opened, target: Target, of: number) {
  const known = new Map<number, readonly number[]>();
  const copied = new Map<string, ReadonlyMap<string, number>>();
  const totals = { events: of, written: 0, deleted: 0, projects: 0 };
  return {
    async run(): Promise<{ ms: number }> {
      const since = performance.now();
      const projects = await numbersOf(ctx);
      const { events } = contentsOf({ session, projects }, known);
      const pass = await copyChanged({
        ...{ session, projects, target, known, copied, signal: move.signal },
        onEvents: (looked) => move.onProgress({ step: 'copy', events: looked, of: Math.max(looked, events) }),
      });
      totals.events = events;
      totals.written += pass.written;
      totals.deleted += pass.deleted;
      totals.projects = projects.length;
      return { ms: performance.now() - since };
    },
    totals: () => ({ ...totals }),
  };
}

/** The last step, with the file locked. The file is noted as moved first: nothing is written to it any more. */
async function finish(
  { from, signal, onProgress, drop }: Move,
  { ctx, session, url }: Opened,
  { target, note }: { readonly target: Target; readonly note: MoveNote },
): Promise<void> {
  const blockedBy = await unfinishedOf(ctx);
  if (blockedBy !== null)
    throw conflict(`${blockedBy} is not finished. Start the server, wait until it is, and run this again`);
  const projects = await numbersOf(ctx);
  onProgress({ step: 'compare', projects: projects.length });
  await finishCopy({ session, projects, target, signal });
  signal.throwIfAborted();
  writeMoveNote(from, { ...note, to: url, state: 'done', at: new Date().toISOString() });
  await target.finish();
  if (drop) dropEvents(from);
}

/** Only the events in the file may be left to delete. */
async function alreadyDone({ from, drop }: Move, { ctx, session }: Opened): Promise<MoveResult> {
  const projects = await numbersOf(ctx);
  const { events } = contentsOf({ session, projects });
  if (drop) {
    const lock = takeWriteLock(from);
    if (lock === null) throw conflict(`${from} is in use; stop the server to delete its events`);
    try {
      dropEvents(from);
    } finally {
      lock.release();
    }
  }
  return { state: 'done', events, written: 0, deleted: 0, projects: projects.length };
}

const begun = (url: string): MoveNote => ({
  id: Bun.randomUUIDv7(),
  to: url,
  state: 'copying',
  at: new Date().toISOString(),
});

/** The note of the file, if it is of a move to this target. */
function noteFor(from: string, url: string): MoveNote | null {
  const note = readMoveNote(from);
  if (note === null || note.to === url) return note;
  if (note.state === 'done') throw conflict(`The events of ${from} were moved to ${note.to} at ${note.at}`);
  throw conflict(
    `A move of ${from} to ${note.to} has begun. Finish it, or delete ${from}.move to move the events to another place`,
  );
}

function open(from: string, config: Config): Opened {
  if (!existsSync(from)) throw noDatabase(from);
  const url = config.EVENTS_URL;
  if (url === undefined) throw new Error('EVENTS_URL is not set');
  // With EVENTS_URL a file whose events were moved can be opened, too.
  const app = openApp({ config: { ...config, DATABASE_URL: `file:${from}` }, mode: 'read' });
  const session = openReadSession(from, tables);
  const address = openEventsAddress(config);
  return {
    ctx: app.ctx,
    session,
    address,
    url,
    async close() {
      session.close();
      await Promise.all([app.close(), address.close()]);
    },
  };
}
