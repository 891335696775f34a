import type { Ctx, Service } from '../../../../../context.ts';
import { AppError } from '../../../../../errors.ts';
import { MAX_UNSEALED, type Unsealed } from '../ingest/log-part.ts';
import { SEGMENT_EVENTS } from '../segments/pieces.ts';
import type { Finished } from './finish-op.ts';
import { type SealRequest, sealRead } from './read-batches.ts';
import { mergeRead, SMALL_EVENTS } from './read-small.ts';
import { storeSegments } from './store-segments.ts';
import { unsealedOp } from './unsealed-op.ts';
import type { SealWork } from './wire.ts';

/** Moves batches of the log into segments in the background, one project at a time. */
export type Sealer = {
  /** Notes what is not sealed after a batch was stored. */
  stored(project: number, unsealed: Unsealed): void;
  /** Whether the log has room for more events. */
  hasRoom(): boolean;
  /**
   * Seals the batches that a project has now.
   * @param before only batches with an event before this instant, in epoch milliseconds
   * @throws AppError 503 if the store stays busy
   */
  sealAll(project: number, before?: number): Promise<void>;
  /** Merges small segments of a project and day while there are many. Returns the number of merges. */
  mergeSmall(project: number): Promise<number>;
  /** Finishes what has begun. */
  close(): Promise<void>;
};

export const sealerService: Service<Sealer> = {
  name: 'events.sealer',
  open: (ctx) => createSealer(ctx),
  close: (sealer) => sealer.close(),
};

/** When to seal: events and batches of a project, and events of all projects. */
type Limits = { readonly events: number; readonly batches: number; readonly ofAll: number };
const LIMITS: Limits = { events: SEGMENT_EVENTS, batches: 2_048, ofAll: MAX_UNSEALED / 2 };

/** New small segments of a project after which it is checked for days with many. */
const SMALL_SEGMENTS = 64;
/** Attempts if what was read changes before it is replaced, and delays after refusals and failures. */
const ATTEMPTS = 10;
const BUSY_MS = 100;
const BUSY_ATTEMPTS = 300;
const FAILED_MS = 60_000;

/** `newest` and `isLast`: see `SealReply`. */
type Sealed = { readonly newest: number; readonly isLast: boolean };

export function createSealer({ db, log, now }: Ctx, limits: Limits = LIMITS): Sealer {
  let ofAll = 0;
  /** Projects to seal, and the number of small segments since a project was last merged. */
  const due = new Set<number>();
  const small = new Map<number, number>();
  /** Projects that failed, and until when they wait. */
  const failed = new Map<number, number>();
  let running: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const closing = Promise.withResolvers<void>();
  let isClosing = false;

  const sleep = (ms: number): Promise<void> => Promise.race([Bun.sleep(ms), closing.promise]);

  /** Runs one at a time, because leftovers of other work of the project are deleted. */
  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  function note(project: number, unsealed: Unsealed): void {
    ofAll = unsealed.ofAll;
    if (unsealed.ofProject >= limits.events || unsealed.batches >= limits.batches) due.add(project);
    else due.delete(project);
  }

  /** Reads and stores until nothing changed in between; waits while the store is busy. */
  async function replace<T>(
    project: number,
    read: () => Promise<T | null>,
    workOf: (reply: T) => SealWork,
  ): Promise<T | null> {
    for (let changes = 0, refusals = 0; ; ) {
      try {
        const reply = await read();
        if (reply === null) return null;
        const { outcome, unsealed }: Finished = await storeSegments(db.writer, project, workOf(reply));
        note(project, unsealed);
        if (outcome === 'sealed') return reply;
        if (++changes === ATTEMPTS) throw new Error('what is to be sealed changes all the time');
      } catch (error) {
        const isBusy = error instanceof AppError && error.status === 503;
        if (!isBusy || isClosing || ++refusals === BUSY_ATTEMPTS) throw error;
        await sleep(BUSY_MS);
      }
    }
  }

  async function seal(request: SealRequest): Promise<Sealed | null> {
    const { project } = request;
    const read = async () => (await db.read(sealRead, [project], request)).parse();
    const sealed = await replace(project, read, ({ work }) => work);
    const created = sealed?.work.segments.filter(({ events }) => events < SMALL_EVENTS).length ?? 0;
    if (created > 0) small.set(project, (small.get(project) ?? 0) + created);
    return sealed;
  }

  async function merge(project: number): Promise<boolean> {
    const read = async () => (await db.read(mergeRead, [project], { project })).parse();
    const merged = await replace(project, read, (work) => work);
    if (merged === null) small.delete(project);
    return merged !== null;
  }

  const mayTry = (project: number): boolean => (failed.get(project) ?? 0) <= now();

  /** What to do next; null if nothing is due. */
  async function next(): Promise<{ readonly project: number; run(): Promise<unknown> } | null> {
    if (isClosing) return null;
    const project = [...due].find(mayTry) ?? (ofAll > limits.ofAll ? await largest() : undefined);
    if (project !== undefined) return { project, run: () => seal({ project, upTo: null, before: null }) };
    const [scattered] = [...small].find(([no, count]) => count >= SMALL_SEGMENTS && mayTry(no)) ?? [];
    return scattered === undefined ? null : { project: scattered, run: () => merge(scattered) };
  }

  async function largest(): Promise<number | undefined> {
    const projects = (await db.writer.write(unsealedOp, null)).filter(([project]) => mayTry(project));
    return projects.sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  async function runAll(): Promise<void> {
    for (let task = await next(); task !== null; task = await next()) {
      try {
        await exclusive(task.run);
      } catch (error) {
        if (isClosing) return;
        failed.set(task.project, now() + FAILED_MS);
        log.error({ err: error, project: task.project }, 'events could not be sealed');
      }
    }
  }

  function wake(): void {
    if (running !== null || isClosing) return;
    const isDue = due.size > 0 || ofAll > limits.ofAll;
    if (!isDue) return;
    running = runAll()
      .catch((error) => {
        if (!isClosing) log.error({ err: error }, 'the sealer stopped');
      })
      .finally(() => {
        running = null;
      });
  }

  return {
    stored(project, unsealed) {
      note(project, unsealed);
      wake();
    },
    hasRoom: () => ofAll < MAX_UNSEALED,
    async sealAll(project, before) {
      const request = { project, before: before ?? null };
      let sealed = await exclusive(() => seal({ ...request, upTo: null }));
      const upTo = sealed?.newest ?? null;
      while (sealed?.isLast === false) sealed = await exclusive(() => seal({ ...request, upTo }));
    },
    async mergeSmall(project) {
      for (let merges = 0; ; merges++) if (!(await exclusive(() => merge(project)))) return merges;
    },
    async close() {
      isClosing = true;
      closing.resolve();
      await running;
      await last;
    },
  };
}
