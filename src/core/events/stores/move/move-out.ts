import type { ReadSession } from '../../../../db/reader.ts';
import { AppError, conflict } from '../../../../errors.ts';
import { sql } from '../clickhouse/engine/sql.ts';
import { ADVICE } from '../sqlite/damage/damaged.ts';
import { carryOver } from './carry-over.ts';
import { compareMoved } from './compare-moved.ts';
import { type CopiedParts, copyDay } from './copy-day.ts';
import { type BatchDays, type FileDay, fileDaysRead } from './file-days.ts';
import { nothingReferred } from './file-rows.ts';
import { IN_PLACE, keyOfDay, projectIs, type Target } from './target.ts';

type Source = {
  readonly session: ReadSession;
  /** Numbers of the projects. */
  readonly projects: readonly number[];
  readonly signal: AbortSignal;
};

/** What a file has to move. */
export type FileContents = { readonly events: number; readonly days: number; readonly cutDays: number };

/** @throws AppError 409 if some of it can't be read */
export function contentsOf(
  { session, projects }: Omit<Source, 'signal'>,
  known: BatchDays = new Map(),
): FileContents {
  const all = projects.map((project) => session.run(fileDaysRead, [project], { project, known }));
  const damaged = all.reduce((sum, one) => sum + one.damaged, 0);
  if (damaged > 0)
    throw conflict(`${damaged.toLocaleString('en-US')} events of the file are damaged. ${ADVICE}`);
  if (all.some(({ waiting }) => waiting > 0))
    throw conflict(
      'The file has batches that wait for events on another server; start the server with that EVENTS_URL first',
    );
  return {
    events: all.reduce((sum, { events }) => sum + events, 0),
    days: all.reduce((sum, { days }) => sum + days.length, 0),
    cutDays: all.reduce((sum, { days }) => sum + days.filter(({ isCut }) => isCut).length, 0),
  };
}

/** What a pass did. `looked`: events of days that had changed since they were copied. */
export type Pass = { readonly looked: number; readonly written: number; readonly deleted: number };

type PassOptions = Source & {
  readonly target: Target;
  readonly known: BatchDays;
  /** What was copied of each day. */
  readonly copied: CopiedParts;
  /** Told how many events were looked at since the start of the pass. */
  readonly onEvents: (looked: number) => void;
};

/** Makes all days that changed since they were copied what they are in the file. */
export async function copyChanged(options: PassOptions): Promise<Pass> {
  const { session, projects, target, signal, known, copied, onEvents } = options;
  const referred = nothingReferred();
  let [looked, written, deleted] = [0, 0, 0];
  target.nextPass();
  for (const project of projects) {
    const { days } = session.run(fileDaysRead, [project], { project, known });
    for (const day of [...days, ...goneDays(target, project, days)]) {
      if (target.stamps.get(keyOfDay(project, day.day)) === day.stamp) continue;
      signal.throwIfAborted();
      const done = await copyDay({
        ...{ session, target, project, day, referred, copied, signal },
        onEvents(events) {
          looked += events;
          onEvents(looked);
        },
      });
      written += done.written;
      deleted += done.deleted;
      await target.note(project, day.day, day.stamp);
      target.stamps.set(keyOfDay(project, day.day), day.stamp);
    }
  }
  const kept = new Set(projects);
  for (const project of target.projects) {
    if (kept.has(project)) continue;
    await target.engine.run(sql`DELETE FROM events WHERE ${projectIs(project)}`, IN_PLACE);
  }
  return { looked, written, deleted };
}

/** Days that the target has of a project and the file has no longer. */
function goneDays({ touched }: Target, project: number, days: readonly FileDay[]): FileDay[] {
  const known = new Set(days.map(({ day }) => day));
  return [...touched].flatMap((key) => {
    const [own, day] = key.split(' ').map(Number);
    return own !== project || day === undefined || known.has(day)
      ? []
      : [{ day, stamp: '', parts: [], isCut: false }];
  });
}

/** What was moved in the end. */
export type Moved = { readonly repriced: number };

/**
 * Copies what stands beside events and compares all sums by project, day and model. Nothing may be written to the file
 * meanwhile.
 * @throws AppError 500 if they differ
 */
export async function finishCopy({
  session,
  projects,
  target,
  signal,
}: Source & { readonly target: Target }): Promise<Moved> {
  const referred = nothingReferred();
  let repriced = 0;
  for (const project of projects) {
    signal.throwIfAborted();
    repriced += await carryOver({ session, engine: target.engine, project, referred, signal });
    const [difference] = await compareMoved(session, target.engine, project);
    if (difference !== undefined)
      throw new AppError(
        500,
        `The sums are not the same, and the move is not finished: ${JSON.stringify({ project, ...difference })}`,
      );
  }
  return { repriced };
}
