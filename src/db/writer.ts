import { unavailable } from '../errors.ts';
import { createDurations, type DurationCounts } from '../lib/stats/durations.ts';
import { collectGarbageOnGrowth } from './collect-garbage.ts';
import { fromErrorData } from './error-data.ts';
import {
  createGroupCommit,
  type WriteOp,
  type WriteReply,
  type WriteRequest,
  type Writes,
} from './group-commit.ts';
import type { Place } from './remote/place.ts';

/** The only way to write. Resolves after COMMIT; rejects with an AppError, or with a plain Error for a bug. */
export type Writer = {
  /**
   * @param op a registered write operation; the writer thread finds it by name
   * @param payload structured-cloneable
   * @param weight approximate number of rows; the sum over waiting requests is bounded
   * @throws AppError 503 if too much is waiting or the store cannot write, 429 for quota
   */
  write<P, R>(op: WriteOp<P, R>, payload: NoInfer<P>, weight?: number): Promise<R>;
  /** Rows that are submitted and not yet answered. */
  pending(): number;
  /** Since the start: how long answered writes took with their wait, and how many of all were refused or failed. */
  stats(): { readonly writes: DurationCounts; readonly failed: number };
  close(): Promise<void>;
};

type Waiting = {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  weight: number;
  /** Of `performance.now()`. */
  since: number;
};

/** Maximum number of waiting rows. Above it, writes are refused early with 503. */
const MAX_PENDING_ROWS = 20_000;
/** How long a request may wait while another process holds the file's lock. */
const PATIENCE_MS = 5_000;

type Transport = { send(request: WriteRequest): void; close(): void };

/** Runs the writer on this thread, for commands when no server is running. */
export function createInlineWriter(place: Place, writes: Writes): Writer {
  return createWriter((onReplies, onClosed) => {
    const engine = createGroupCommit(place, writes, onReplies);
    return {
      send: (request) => engine.submit(request),
      close: () => {
        engine.close();
        onClosed();
      },
    };
  });
}

/**
 * Runs the writer on its own thread, so that the thread that serves HTTP never waits for the disk. `entry` is the
 * module that calls `serveWrites`.
 */
export function createThreadWriter(
  place: Place,
  entry: string | URL,
  onCrash: (error: Error) => void,
): Writer {
  return createWriter((onReplies, onClosed) => {
    const worker = new Worker(entry);
    worker.onmessage = (event: MessageEvent<WriteReply[] | 'closed'>) => {
      if (event.data === 'closed') onClosed();
      else onReplies(event.data);
    };
    worker.onerror = (event) => onCrash(new Error(event.message));
    worker.postMessage({ open: place });
    return {
      send: (request) => worker.postMessage(request),
      close: () => worker.postMessage('close'),
    };
  });
}

/** The writer thread: serves the requests of `createThreadWriter`. */
export function serveWrites(writes: Writes): void {
  collectGarbageOnGrowth();
  let engine: ReturnType<typeof createGroupCommit> | null = null;
  const scope = globalThis as unknown as { onmessage: unknown; postMessage(message: unknown): void };
  scope.onmessage = (event: MessageEvent<WriteRequest | { open: Place } | 'close'>) => {
    const message = event.data;
    if (message === 'close') {
      engine?.close();
      scope.postMessage('closed');
      scope.onmessage = null;
    } else if ('open' in message) {
      engine = createGroupCommit(message.open, writes, (replies) => scope.postMessage(replies));
    } else {
      engine?.submit(message);
    }
  };
}

function createWriter(
  connect: (onReplies: (replies: WriteReply[]) => void, onClosed: () => void) => Transport,
): Writer {
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let pendingRows = 0;
  let failed = 0;
  const durations = createDurations();
  let closing: PromiseWithResolvers<void> | null = null;
  const transport = connect(settle, () => closing?.resolve());

  function settle(replies: WriteReply[]): void {
    for (const reply of replies) {
      const request = waiting.get(reply.id);
      if (request === undefined) continue;
      waiting.delete(reply.id);
      pendingRows -= request.weight;
      durations.observe((performance.now() - request.since) / 1_000);
      if (reply.ok) request.resolve(reply.result);
      else {
        failed++;
        request.reject(fromErrorData(reply.failure));
      }
    }
  }

  return {
    write<P, R>({ name }: WriteOp<P, R>, payload: P, weight = 1): Promise<R> {
      if (closing !== null) return Promise.reject(unavailable('The server is shutting down', 1));
      if (pendingRows + weight > MAX_PENDING_ROWS) {
        failed++;
        return Promise.reject(unavailable('The server is overloaded; try again', 1));
      }
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      const id = nextId++;
      waiting.set(id, {
        resolve: resolve as (value: unknown) => void,
        reject,
        weight,
        since: performance.now(),
      });
      pendingRows += weight;
      transport.send({ id, op: name, payload, patienceMs: PATIENCE_MS });
      return promise;
    },
    pending: () => pendingRows,
    stats: () => ({ writes: durations.read(), failed }),
    close() {
      if (closing === null) {
        closing = Promise.withResolvers<void>();
        transport.close();
      }
      return closing.promise;
    },
  };
}
