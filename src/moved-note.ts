import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { conflict } from './errors.ts';

const moveNote = z.object({
  /** Names the ledger in the target, so that no other one is moved there. */
  id: z.string(),
  /** Where the events go, without a password. */
  to: z.string(),
  state: z.enum(['copying', 'done']),
  /** When that state began: ISO 8601. */
  at: z.string(),
});

/** What a file `….move` beside a database file says of a move of its events. */
export type MoveNote = z.infer<typeof moveNote>;

const noteOf = (path: string): string => `${path}.move`;

/** The note of a database file; null without one. */
export function readMoveNote(path: string): MoveNote | null {
  if (!existsSync(noteOf(path))) return null;
  try {
    return moveNote.parse(JSON.parse(readFileSync(noteOf(path), 'utf8')));
  } catch (error) {
    throw conflict(`${noteOf(path)} is not the note of a move; delete it if no move is under way`, error);
  }
}

/**
 * Where the events of a database file are, if not in it: ClickHouse, or the file to which they were moved back. Without
 * a password.
 * @param eventsUrl the setting EVENTS_URL
 */
export function eventsElsewhere(path: string, eventsUrl: string | undefined): string | null {
  const note = readMoveNote(path);
  if (note?.state === 'done') return note.to;
  if (eventsUrl === undefined) return null;
  const url = new URL(eventsUrl);
  url.password = '';
  return url.href;
}

export function writeMoveNote(path: string, note: MoveNote): void {
  const part = `${noteOf(path)}.new`;
  writeFileSync(part, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(part, noteOf(path));
}

/**
 * Refuses a file whose events were moved away: its own are not the newest any more.
 * @param eventsUrl the setting EVENTS_URL
 * @throws AppError 409
 */
export function refuseMoved(path: string, eventsUrl: string | undefined): void {
  const note = readMoveNote(path);
  if (note?.state !== 'done') return;
  const isElsewhere = note.to.startsWith('clickhouse');
  if (isElsewhere && eventsUrl !== undefined) return;
  const mend = isElsewhere ? `set EVENTS_URL to ${note.to}` : `name that file with --db, without EVENTS_URL`;
  throw conflict(
    `The events of ${path} were moved to ${note.to} at ${note.at}; ${mend}, or delete ${noteOf(path)} to go on as it was then`,
  );
}
