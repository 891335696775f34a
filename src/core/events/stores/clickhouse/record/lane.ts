import type { Db } from '../../../../../db/open.ts';
import { unavailable } from '../../../../../errors.ts';
import { type Outbox, type ProjectTurn, projectOf, turnName } from './outbox.ts';
import type { TagValues } from './tag-values.ts';

/**
 * The order in which events are looked at and changed: within the process one piece of work after the other, and with a
 * libSQL server also one process after the other for each project. So each sees what the ones before it stored.
 */
export type Lane = {
  /** Runs work on those of some projects whose turn is free; the other ones are left to the caller. */
  run(projects: readonly number[], work: (turns: ProjectTurns) => Promise<void>): Promise<void>;
  /** Runs work on a project when its turn is free. What was stored before is in the engine then. */
  alone<T>(project: number, options: Alone, work: (turn: ProjectTurn) => Promise<T>): Promise<T>;
  /** Inserts what other processes left behind, of projects whose turn is free. */
  sweep(): Promise<void>;
  /** Resolves when all work is done. */
  idle(): Promise<void>;
};

export type ProjectTurns = ReadonlyMap<number, ProjectTurn>;

export type Alone = {
  /** Whether it deletes: then nothing may arrive later that a dead process has sent. */
  readonly deletes: boolean;
  readonly signal?: AbortSignal;
};

const POLL_MS = 25;
const LATE_POLL_MS = 2_000;
const PATIENCE_MS = 120_000;

type Parts = { readonly db: Db; readonly outbox: Outbox; readonly tags: TagValues };

export function createLane({ db, outbox, tags }: Parts): Lane {
  let last: Promise<unknown> = Promise.resolve();
  /** The newest entry at the last sweep. */
  let swept: number | null = null;

  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  }

  /** Takes the turns that are free, and inserts what stayed behind of their projects. */
  async function enter(projects: readonly number[]): Promise<ProjectTurns> {
    if (db.turns === null) {
      await outbox.drain(null, []);
      return new Map(projects.map((project) => [project, null]));
    }
    const taken = [...(await db.turns.take(projects.map(turnName))).values()];
    try {
      const others = taken.filter(({ isContinued }) => !isContinued).map(({ name }) => projectOf(name));
      for (const project of others) tags.forget(project);
      const left = taken.map(({ name }) => projectOf(name)).filter(outbox.isStuck);
      await outbox.drain([...new Set([...others, ...left])], taken);
      return new Map(taken.map((turn) => [projectOf(turn.name), turn]));
    } catch (error) {
      // What was not drained is drained by whoever is next.
      outbox.suspect(taken.map(({ name }) => projectOf(name)));
      outbox.finish([], taken);
      throw error;
    }
  }

  const run: Lane['run'] = (projects, work) =>
    inOrder(async () => {
      const turns = await enter(projects);
      try {
        if (turns.size > 0) await work(turns);
      } finally {
        outbox.finish([], [...turns.values()]);
      }
    });

  return {
    run,
    async alone(project, { deletes, signal }, work) {
      const until = performance.now() + PATIENCE_MS;
      for (;;) {
        let done: { readonly value: Awaited<ReturnType<typeof work>> } | null = null;
        let waitMs = POLL_MS;
        await run([project], async (turns) => {
          signal?.throwIfAborted();
          const turn = turns.get(project) ?? null;
          waitMs = Math.min(turn?.lateMs ?? 0, LATE_POLL_MS);
          if (deletes && waitMs > 0) return;
          if (deletes) await outbox.settled();
          done = { value: await work(turn) };
        });
        if (done !== null) return (done as { readonly value: Awaited<ReturnType<typeof work>> }).value;
        if (performance.now() > until)
          throw unavailable('Other servers are busy with the events of this project; try again', 5);
        signal?.throwIfAborted();
        // Outside, so that others go on.
        await Bun.sleep(waitMs);
      }
    },
    async sweep() {
      if (db.turns === null) return;
      const rows = await db.sql.all<{ project: number; no: number; isOld: number }>(
        `SELECT project, max(no) AS no, ${swept === null ? '1' : `min(no) <= ${swept}`} AS isOld FROM event_outbox GROUP BY project`,
      );
      const old = rows.filter(({ isOld }) => isOld === 1).map(({ project }) => project);
      swept = Math.max(swept ?? 0, ...rows.map(({ no }) => no));
      outbox.suspect(old);
      if (old.length > 0) await run(old, async () => {});
    },
    idle: () => inOrder(outbox.settled),
  };
}
