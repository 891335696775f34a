import type { Db } from '../../db/open.ts';

/** A run in progress: `done` resolves when its row is closed, whatever came of it. */
type RunningJob = { readonly id: string; readonly abort: AbortController; readonly done: Promise<void> };

/** What runs on an open database, by the job's name. One process writes to a file, so this is all of it. */
export type Runs = { stopped: boolean; readonly byJob: Map<string, RunningJob> };

const opened = new WeakMap<Db, Runs>();

/** The runs of an open database. */
export function runsOf(db: Db): Runs {
  const known = opened.get(db);
  if (known !== undefined) return known;
  const runs: Runs = { stopped: false, byJob: new Map() };
  opened.set(db, runs);
  return runs;
}
