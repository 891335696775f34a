import { unavailable } from '../errors.ts';
import { type ErrorData, fromErrorData, toErrorData } from './error-data.ts';
import type { OwnedTable } from './owned-table.ts';
import type { ReadOp, ReadScope } from './reader.ts';
import { openReadSession } from './reader.ts';

/** Runs reads in separate processes, so that no query runs on the thread that serves HTTP. */
export type ReaderPool = {
  /**
   * @returns the result as JSON text
   * @throws AppError 503 if the query exceeded its deadline, waited too long for a process, or the queue is full
   */
  read(name: string, scope: ReadScope, input: unknown): Promise<string>;
  close(): void;
};

type Request = { id: number; name: string; scope: ReadScope; input: unknown };
type Reply = { id: number; json?: string; failure?: ErrorData };
type Job = Request & { resolve(json: string): void; reject(error: unknown): void; patience: Timer };
type Child = { send(request: Request): void; kill(): void; job: Job | null; timer: Timer | null };

const MAX_WAITING = 200;
/**
 * Together with the deadline this is shorter than the idle timeout of connections, so that the client still gets a
 * reply.
 */
const PATIENCE_MS = 4_000;
const CHECKPOINT_MS = 500;

/**
 * @param command command line of a reader: this program, ending in `__reader`
 * @param size maximum number of processes; they start on demand
 * @param deadlineMs a query that takes longer is killed with its process
 * @param patienceMs how long a query waits for a process
 */
export function createReaderPool(options: {
  command: readonly string[];
  path: string;
  size: number;
  deadlineMs: number;
  patienceMs?: number;
}): ReaderPool {
  const children = new Set<Child>();
  const waiting: Job[] = [];
  let nextId = 0;
  let closed = false;

  function start(): Child {
    const child: Child = { send: () => {}, kill: () => {}, job: null, timer: null };
    const subprocess = Bun.spawn([...options.command, options.path], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message: Reply) => settle(child, message),
      onExit: () => onExit(child),
    });
    child.send = (request) => subprocess.send(request);
    child.kill = () => subprocess.kill('SIGKILL');
    children.add(child);
    return child;
  }

  function dispatch(): void {
    while (waiting.length > 0 && !closed) {
      const idle = [...children].find((child) => child.job === null);
      if (idle === undefined && children.size >= options.size) return;
      const job = waiting.shift();
      if (job === undefined) return;
      clearTimeout(job.patience);
      try {
        give(idle ?? start(), job);
      } catch (error) {
        job.reject(unavailable('The query could not be started; try again', 1, error));
      }
    }
  }

  function give(child: Child, job: Job): void {
    child.job = job;
    child.timer = setTimeout(() => {
      release(child)?.reject(
        unavailable(`The query took longer than ${options.deadlineMs / 1000} s; ask for a shorter window`),
      );
      children.delete(child);
      child.kill();
      dispatch();
    }, options.deadlineMs);
    try {
      child.send({ id: job.id, name: job.name, scope: job.scope, input: job.input });
    } catch {
      // The process died before its exit was noticed; another process takes the query.
      release(child);
      children.delete(child);
      child.kill();
      waiting.unshift(job);
    }
  }

  function giveUp(id: number): void {
    const place = waiting.findIndex((job) => job.id === id);
    if (place >= 0)
      waiting.splice(place, 1)[0]?.reject(unavailable('Too many queries are waiting; try again'));
  }

  function release(child: Child): Job | null {
    if (child.timer !== null) clearTimeout(child.timer);
    const job = child.job;
    child.job = null;
    child.timer = null;
    return job;
  }

  function settle(child: Child, reply: Reply): void {
    if (child.job?.id !== reply.id) return;
    const job = release(child);
    if (reply.json !== undefined) job?.resolve(reply.json);
    else job?.reject(toError(reply));
    dispatch();
  }

  function onExit(child: Child): void {
    children.delete(child);
    release(child)?.reject(unavailable('The query was interrupted; try again'));
    dispatch();
  }

  return {
    read(name, scope, input) {
      if (waiting.length >= MAX_WAITING)
        return Promise.reject(unavailable('Too many queries are waiting; try again'));
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const id = nextId++;
      const patience = setTimeout(() => giveUp(id), options.patienceMs ?? PATIENCE_MS);
      waiting.push({ id, name, scope, input, resolve, reject, patience });
      dispatch();
      return promise;
    },
    close() {
      closed = true;
      for (const child of children) child.kill();
      for (const job of waiting.splice(0)) {
        clearTimeout(job.patience);
        job.reject(unavailable('The server is shutting down'));
      }
    },
  };
}

const toError = ({ failure }: Reply): Error =>
  failure === undefined ? new Error('the reader gave no result') : fromErrorData(failure);

/**
 * The reader process: answers reads until its parent exits. Between reads it copies the write-ahead log into the file,
 * because the writer's commits would wait for the disk meanwhile. What is left for the writer is little.
 */
export function serveReads(path: string, tables: readonly OwnedTable[], ops: readonly ReadOp[]): void {
  const session = openReadSession(path, tables);
  const byName = new Map(ops.map((op) => [op.name, op]));
  process.on('message', (message: unknown) => {
    const request = message as Request;
    process.send?.(answer(request));
  });
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    try {
      session.checkpoint();
    } catch {
      // The writer does it, and reports what is wrong with the file.
    }
  }, CHECKPOINT_MS);

  function answer(request: Request): Reply {
    try {
      const op = byName.get(request.name);
      if (op === undefined) throw new Error(`unknown read ${request.name}`);
      const result = session.run(op, request.scope, request.input);
      return { id: request.id, json: JSON.stringify(result) };
    } catch (error) {
      return { id: request.id, failure: toErrorData(error) };
    }
  }
}
