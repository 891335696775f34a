import type { Ctx, Service } from '../../../../../context.ts';
import { AppError } from '../../../../../errors.ts';
import { readEvents } from '../damage/read-events.ts';
import { MAX_UNSEALED, type Unsealed } from '../ingest/log-part.ts';
import { type SealReply, type SealRequest, sealRead } from './read-batches.ts';
import { mergeRead, SMALL_EVENTS } from './read-small.ts';
import { replaceBySegments } from './replace.ts';
import { createSealQueue, type SealQueue } from './seal-queue.ts';
import { unsealedOp } from './unsealed-op.ts';

/** Moves batches of the log into segments in the background, one project at a time. */
export type Sealer = {
  /** Notes what is not sealed after a batch was stored. */
  stored(project: number, unsealed: Unsealed): void;
  /** Whether the log has room for more events: false until the events of an earlier run are counted. */
  hasRoom(): boolean;
  /** Events that are not sealed. */
  unsealed(): number;
  /**
   * Seals the batches that a project has now.
   * @param before only batches with an event before this instant, in epoch milliseconds
   * @throws AppError 503 if the store stays busy
   */
  sealAll(project: number, before?: number): Promise<void>;
  /** Merges small segments of a project and day while there are many. Returns the number of merges. */
  mergeSmall(project: number): Promise<number>;
  /**
   * Runs work that stores new segments while nothing else does, because what an interruption left over of a project is
   * deleted with its next segments.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Finishes what has begun. */
  close(): Promise<void>;
};

export const sealerService: Service<Sealer> = {
  name: 'events.sealer',
  open: createSealer,
  close: (sealer) => sealer.close(),
};

/** How long a project waits after a failure. */
const FAILED_MS = 60_000;
const RECOUNT_MS = 1_000;

function createSealer(ctx: Ctx): Sealer {
  const queue = createSealQueue();
  const closing = Promise.withResolvers<void>();
  const work = createWork(ctx, queue, closing.promise);
  let isClosing = false;
  let isCounted = false;
  let running: Promise<void> | null = null;

  /** Counts what an earlier run left unsealed, and seals it if it is much. */
  async function count(): Promise<void> {
    while (!isClosing) {
      try {
        for (const { project, ...unsealed } of await ctx.db.writer.write(unsealedOp, null))
          queue.note(project, unsealed);
        isCounted = true;
        wake();
        return;
      } catch (error) {
        const status = error instanceof AppError ? error.status : null;
        // A file that was opened for reading takes no events.
        if (status === 409) return;
        if (status !== 503) ctx.log.error({ err: error }, 'unsealed events could not be counted');
        await Promise.race([Bun.sleep(RECOUNT_MS), closing.promise]);
      }
    }
  }

  /** Other projects go on; this one is tried again later, even if no batch wakes the sealer. */
  function setAside(project: number): void {
    queue.setAside(project);
    const retry = setTimeout(() => {
      queue.takeBack(project);
      wake();
    }, FAILED_MS);
    retry.unref();
  }

  async function runAll(): Promise<void> {
    for (let task = queue.next(); task !== null && !isClosing; task = queue.next()) {
      const project = task.kind === 'largest' ? await work.largest() : task.project;
      if (project === null) return;
      try {
        const isDone = await (task.kind === 'merge' ? work.merge(project) : work.seal(project));
        // The writer counts batches that the readers do not see.
        if (!isDone && task.kind !== 'merge') setAside(project);
      } catch (error) {
        if (isClosing) return;
        setAside(project);
        ctx.log.error({ err: error, project }, 'events could not be sealed');
      }
    }
  }

  function wake(): void {
    if (running !== null || isClosing || queue.next() === null) return;
    running = runAll()
      .catch((error) => ctx.log.error({ err: error }, 'the sealer stopped'))
      .finally(() => {
        running = null;
      });
  }

  const counting = count();
  return {
    stored(project, unsealed) {
      queue.note(project, unsealed);
      wake();
    },
    hasRoom: () => isCounted && queue.unsealed() < MAX_UNSEALED,
    unsealed: () => queue.unsealed(),
    async sealAll(project, before) {
      let sealed = await work.seal(project, { before });
      const upTo = sealed?.newest;
      while (sealed?.isLast === false) sealed = await work.seal(project, { before, upTo });
    },
    async mergeSmall(project) {
      for (let merges = 0; ; merges++) if (!(await work.merge(project))) return merges;
    },
    inTurn: work.inTurn,
    async close() {
      isClosing = true;
      closing.resolve();
      await counting;
      await running;
      await work.end();
    },
  };
}

type Work = {
  inTurn: Sealer['inTurn'];
  /** Seals the oldest batches of a project that match; null if there are none. */
  seal(project: number, bounds?: Omit<SealRequest, 'project'>): Promise<SealReply>;
  /** Merges the small segments of one day; false if no day has many. */
  merge(project: number): Promise<boolean>;
  /** The project with the most unsealed events. */
  largest(): Promise<number | null>;
  /** Resolves when nothing is being done. */
  end(): Promise<void>;
};

/** Seals and merges one at a time, because each deletes what was left over of the project. */
function createWork(ctx: Ctx, queue: SealQueue, closing: Promise<void>): Work {
  const { db } = ctx;
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }
  const common = {
    writer: db.writer,
    onUnsealed: queue.note,
    sleep: (ms: number): Promise<void> => Promise.race([Bun.sleep(ms), closing]),
  };

  async function seal(project: number, bounds: Omit<SealRequest, 'project'> = {}): Promise<SealReply> {
    const read = async () => (await readEvents(ctx, sealRead, [project], { project, ...bounds })).parse();
    const sealed = await replaceBySegments({ ...common, project, read, workOf: (reply) => reply.work });
    const small = sealed?.work.segments.filter(({ events }) => events < SMALL_EVENTS).length ?? 0;
    if (small > 0) queue.noteSmall(project, small);
    return sealed;
  }

  async function merge(project: number): Promise<boolean> {
    const read = async () => (await readEvents(ctx, mergeRead, [project], { project })).parse();
    const merged = await replaceBySegments({ ...common, project, read, workOf: (reply) => reply });
    if (merged === null) queue.noteMerged(project);
    return merged !== null;
  }

  return {
    inTurn,
    seal: (project, bounds) => inTurn(() => seal(project, bounds)),
    merge: (project) => inTurn(() => merge(project)),
    async largest() {
      const projects = await db.writer.write(unsealedOp, null);
      const free = projects.filter(({ project }) => !queue.isAside(project));
      return free.sort((a, b) => b.ofProject - a.ofProject)[0]?.project ?? null;
    },
    end: async () => void (await last),
  };
}
