import { getPriority, setPriority } from 'node:os';
import { readEnv } from '../config.ts';
import { unavailable } from '../errors.ts';
import { createFairGate } from '../lib/fair-gate.ts';
import { createDurations, type DurationCounts } from '../lib/stats/durations.ts';
import { type BlobPart, splitBlobs } from './blobs.ts';
import { fromErrorData } from './error-data.ts';
import type { OwnedTable } from './owned-table.ts';
import type { ReadScope, Turn } from './reader.ts';
import type { RemotePlace } from './remote/place.ts';
import type { OpenFile, PartTaken, ReadReply, ReadRequest } from './serve-reads.ts';

/** Runs reads in separate processes, so that no query runs on the thread that serves HTTP. */
export type ReaderPool = {
  /**
   * @returns the result as JSON text
   * @throws AppError 503 if the query exceeded its deadline, waited too long for a process, or the queue is full
   */
  read(name: string, scope: ReadScope, input: unknown, turn?: Turn): Promise<string>;
  stats(): ReaderStats;
  close(): void;
};

/** Processes now, queries that wait for one now, and since the start the time of answered queries with their wait. */
export type ReaderStats = {
  readonly processes: number;
  readonly busy: number;
  readonly waiting: number;
  readonly reads: DurationCounts;
  /** Queries without an answer: refused, too long, or interrupted. */
  readonly failed: number;
};

type Job = { id: number; resolve(json: string): void; reject(error: unknown): void };
/**
 * `timer`: the deadline of its job, or when it ends without one. `taken`: called when it has taken a piece.
 * `yields`: it has a lower priority than the other processes, for good, because the system gives none back.
 */
type Child = {
  readonly pid: number;
  yields: boolean;
  send(message: OpenFile | ReadRequest | BlobPart): void;
  kill(): void;
  job: Job | null;
  timer: Timer | null;
  taken(): void;
};

/** Queries that wait for a process: of all owners, and of one. */
const MAX_WAITING = { total: 400, each: 200 };
/**
 * Together with the deadline this is shorter than the idle timeout of connections, so that the client still gets a
 * reply.
 */
const PATIENCE_MS = 4_000;
/** A process that got no query for this long ends, and its memory is free. Starting one takes about 0.2 s. */
const IDLE_MS = 60_000;
/**
 * How long a query waits for a busy process before another is started, which takes 0.2 s and a hundred megabytes: most
 * queries are shorter.
 */
const HESITATE_MS = 1_000;
/** The same of a query of a job, for which nobody waits. */
const HESITATE_PATIENT_MS = 10_000;
/**
 * Queries run in processes that yield to the server, because many heavy ones would make ingest and health checks wait.
 * Reads that go first follow each other within `GAP_MS` if there is hardly time for them. From then on, and for
 * `STRAIN_MS`, they run in processes that took no query and do not yield.
 */
const GAP_MS = 1_000;
const STRAIN_MS = 5_000;
/** How much lower their priority is: a third of the time that others get. */
const YIELDING = 5;
const LOWEST = 19;
/**
 * The more memory a machine has, the later the engine collects garbage. With this much, sealing takes two thirds of the
 * memory and a twentieth more time; with a quarter of it, half more time.
 */
const HEAP_ENV = { BUN_JSC_forceRAMSize: String(512 * 1024 * 1024) };

/**
 * Queries of an organization share the processes fairly with those of others, and never take the last one.
 * @param command command line of a reader: this program, ending in `__reader`
 * @param tables all tables, for the scoped views of the readers
 * @param size maximum number of processes; they start on demand
 * @param deadlineMs a query that takes longer is killed with its process
 * @param patienceMs how long a query waits for a process
 * @param idleMs how long a process waits for a query before it ends
 */
export function createReaderPool(options: {
  command: readonly string[];
  /** Of the file, or the address of the server. */
  path: string;
  /** The server, if it is one. */
  remote?: RemotePlace;
  tables: readonly OwnedTable[];
  size: number;
  deadlineMs: number;
  patienceMs?: number;
  idleMs?: number;
}): ReaderPool {
  const children = new Set<Child>();
  const waits = new Set<AbortController>();
  /** Told when a process may be idle, those of the first of these sets that has some. */
  const waiters = {
    first: new Set<() => void>(),
    inOrder: new Set<() => void>(),
    last: new Set<() => void>(),
  };
  const tooMany = (seconds: number): Error => unavailable('Too many queries are waiting; try again', seconds);
  const gate = createFairGate({
    running: { total: options.size, each: Math.max(1, options.size - 1) },
    waiting: MAX_WAITING,
    refuse: tooMany,
  });
  let nextId = 0;
  let closed = false;
  /** When the last read that went first ended, and until when there is hardly time for the next. */
  const first = { endedAt: Number.NEGATIVE_INFINITY, strainUntil: Number.NEGATIVE_INFINITY };
  let failed = 0;
  const durations = createDurations();

  function start(): Child {
    const subprocess = Bun.spawn([...options.command, options.path], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...readEnv(), ...HEAP_ENV },
      ipc: (message: ReadReply | PartTaken) => {
        if ('taken' in message) child.taken();
        else settle(child, message);
      },
      onExit: () => onExit(child),
    });
    const child: Child = {
      pid: subprocess.pid,
      yields: false,
      send: (message) => subprocess.send(message),
      kill: () => subprocess.kill('SIGKILL'),
      job: null,
      timer: null,
      taken: () => {},
    };
    child.send({ open: options.tables, ...(options.remote && { remote: options.remote }) });
    children.add(child);
    return child;
  }

  function drop(child: Child): Job | null {
    children.delete(child);
    child.kill();
    return release(child);
  }

  const isStrained = (): boolean => performance.now() < first.strainUntil;

  const idleOne = (turn?: Turn): Child | undefined => {
    const idle = [...children].filter(({ job }) => job === null);
    const fit = idle.find(({ yields }) => yields === (turn !== 'first'));
    return fit ?? (turn === 'first' && isStrained() ? undefined : idle[0]);
  };

  const isBusy = (): boolean => children.size > 0 && idleOne() === undefined;

  /** Lowers the priority of a process that takes a query. */
  function lower(child: Child): void {
    if (child.yields) return;
    try {
      setPriority(child.pid, Math.min(LOWEST, getPriority() + YIELDING));
      child.yields = true;
    } catch {
      // It has ended, or the system does not allow it.
    }
  }

  function noteFirst(): void {
    const now = performance.now();
    if (now - first.endedAt < GAP_MS) first.strainUntil = now + STRAIN_MS;
  }

  async function hesitate(turn: keyof typeof waiters, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    waiters[turn].add(resolve);
    await promise;
    waiters[turn].delete(resolve);
    clearTimeout(timer);
  }

  async function untilIdle(): Promise<void> {
    const until = performance.now() + HESITATE_PATIENT_MS;
    for (let left = HESITATE_PATIENT_MS; left > 0 && isBusy() && !closed; left = until - performance.now())
      await hesitate('last', left);
  }

  /** Ends the wait of the one that has waited longest. */
  const wakeOne = (): void => {
    for (const of of Object.values(waiters))
      for (const longest of of) {
        of.delete(longest);
        longest();
        return;
      }
  };

  function idleOrNew(turn: Turn | undefined): Child {
    try {
      return idleOne(turn) ?? start();
    } catch (error) {
      throw unavailable('The query could not be started; try again', 1, error);
    }
  }

  /** The gate has admitted the query, so a process is idle or may be started. */
  async function ask({ id, input, ...of }: ReadRequest, turn: Turn | undefined): Promise<string> {
    for (;;) {
      if (isBusy()) await hesitate(turn === 'first' ? 'first' : 'inOrder', HESITATE_MS);
      if (closed) throw shuttingDown();
      const child = idleOrNew(turn);
      if (turn !== 'first') lower(child);
      const { rest, parts } = splitBlobs(id, input);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      // The process may end while pieces are sent.
      promise.catch(() => undefined);
      if (child.timer !== null) clearTimeout(child.timer);
      child.job = { id, resolve, reject };
      child.timer = setTimeout(() => drop(child)?.reject(tooLong(options.deadlineMs)), options.deadlineMs);
      try {
        for (const part of parts) {
          if (child.job?.id !== id) break;
          // One piece at a time: what waits to be sent is copied again with each further one.
          const taken = new Promise<void>((resolve) => {
            child.taken = resolve;
          });
          child.send(part);
          await Promise.race([taken, promise]);
        }
        if (child.job?.id === id) child.send({ id, input: rest, ...of });
        return await promise;
      } catch (error) {
        // The process died before its exit was noticed; another process takes the query.
        if (child.job?.id !== id) throw error;
        drop(child);
      }
    }
  }

  async function enter(scope: ReadScope): Promise<() => void> {
    const owner = ownerOf(scope);
    const wait = new AbortController();
    waits.add(wait);
    const patience = setTimeout(
      () => wait.abort(tooMany(gate.seconds(owner))),
      options.patienceMs ?? PATIENCE_MS,
    );
    try {
      return await gate.enter(owner, wait.signal);
    } finally {
      clearTimeout(patience);
      waits.delete(wait);
    }
  }

  function release(child: Child): Job | null {
    if (child.timer !== null) clearTimeout(child.timer);
    const job = child.job;
    child.job = null;
    child.timer = null;
    wakeOne();
    return job;
  }

  function settle(child: Child, reply: ReadReply): void {
    if (child.job?.id !== reply.id) return;
    const job = release(child);
    if (reply.json !== undefined) job?.resolve(reply.json);
    else job?.reject(toError(reply));
    child.timer = setTimeout(() => drop(child), options.idleMs ?? IDLE_MS).unref();
  }

  function onExit(child: Child): void {
    children.delete(child);
    release(child)?.reject(unavailable('The query was interrupted; try again'));
  }

  return {
    async read(name, scope, input, turn) {
      const since = performance.now();
      try {
        // Before it takes the place of a query for which somebody waits.
        if (turn === 'last') await untilIdle();
        const leave = await enter(scope);
        if (turn === 'first') noteFirst();
        try {
          if (closed) throw shuttingDown();
          return await ask({ id: nextId++, name, scope, input }, turn);
        } finally {
          if (turn === 'first') first.endedAt = performance.now();
          leave();
        }
      } catch (error) {
        failed++;
        throw error;
      } finally {
        durations.observe((performance.now() - since) / 1_000);
      }
    },
    stats: () => ({
      processes: children.size,
      busy: [...children].filter(({ job }) => job !== null).length,
      waiting: waits.size,
      reads: durations.read(),
      failed,
    }),
    close() {
      closed = true;
      for (const child of children) child.kill();
      while (Object.values(waiters).some(({ size }) => size > 0)) wakeOne();
      for (const wait of waits) wait.abort(shuttingDown());
    },
  };
}

/** Whose query it is: an organization's, or without one the server's own for some projects. */
function ownerOf(scope: ReadScope): string {
  if ('organizationId' in scope) return scope.organizationId;
  return 'owner' in scope ? scope.owner : scope.join();
}

const shuttingDown = (): Error => unavailable('The server is shutting down');

const tooLong = (deadlineMs: number): Error =>
  unavailable(`The query took longer than ${deadlineMs / 1000} s; ask for a shorter window`);

const toError = ({ failure }: ReadReply): Error =>
  failure === undefined ? new Error('the reader gave no result') : fromErrorData(failure);
