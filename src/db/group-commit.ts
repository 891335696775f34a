import { AppError, unavailable } from '../errors.ts';
import {
  type Connection,
  isFileFault,
  isUnavailable,
  openWriteConnection,
  sqliteCode,
} from './connection.ts';
import type { Effect } from './effects.ts';
import { type ErrorData, toErrorData } from './error-data.ts';
import { serverFailure } from './remote/fault.ts';
import type { Place } from './remote/place.ts';
import { openRemoteConnection } from './remote/remote-connection.ts';
import { openWriterEnv, type WriterEnv } from './writer-env.ts';

/**
 * One kind of write. `open` prepares statements on the writing connection. `apply` runs one request inside the
 * group's transaction. `flush` writes the rows that `apply` buffered, just before COMMIT; `discard` drops them after
 * a rollback. `apply` must buffer only after everything that can fail.
 */
export type WriteOp<P = unknown, R = unknown> = {
  readonly name: string;
  readonly open: (
    connection: Connection,
    env: WriterEnv,
  ) => {
    apply(payload: P): R;
    flush?(): void;
    discard?(): void;
  };
};

/** All write operations and effects, as the modules' manifests list them. */
export type Writes = { readonly ops: readonly WriteOp[]; readonly effects?: readonly Effect[] };

export type WriteRequest = {
  readonly id: number;
  readonly op: string;
  readonly payload: unknown;
  /** Maximum time in the queue, in milliseconds. After it the request is refused. */
  readonly patienceMs: number;
};

/** A write's error, serialized by `toErrorData`. */
export type WriteFailure = ErrorData;
export type WriteReply =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly failure: WriteFailure };

export type GroupCommit = {
  submit(request: WriteRequest): void;
  /** Commits the queued requests, then closes the connection. Later requests are refused. */
  close(): void;
};

type Queued = WriteRequest & { readonly since: number };
type OpenOp = ReturnType<WriteOp['open']>;
type Opened = {
  readonly env: WriterEnv;
  op(name: string): OpenOp;
  /** Those that were asked for so far. */
  ops(): Iterable<OpenOp>;
};

/** Requests of one transaction, with the replies to send after COMMIT. `since` is when it began. */
type Group = { readonly requests: Queued[]; readonly replies: WriteReply[]; readonly since: number };

const BUSY_RETRY_MS = 25;
/**
 * After a fault of the file the connection is opened anew, and with it the memory of the write operations is read again.
 * Because the file may stay damaged, this happens at most this often and takes at most a tenth of the time.
 */
const REOPEN = { ms: 1_000, share: 0.1 };
/** How long closing waits for other connections. */
const CLOSE_PATIENCE_MS = 1_000;
/** Maximum number of requests in one transaction, and how long it accepts more. Both bound the latency under load. */
const GROUP_LIMIT = 256;
const GROUP_MS = 20;

/**
 * The single writer with group commit. Requests that arrive during a transaction join it, and it commits when the
 * queue is empty, because one commit costs as much as about fifty rows. Each request has its own savepoint, so that a
 * failed request does not affect the others. Replies are sent after COMMIT.
 */
export function createGroupCommit(
  place: Place,
  writes: Writes,
  reply: (replies: WriteReply[]) => void,
): GroupCommit {
  let connection = openPlace(place);
  let opened = openWrites(connection, writes);
  /** False after a failure that leaves the connection in an unknown state; the next group reopens it. */
  let sound = true;
  /** Whether a fault of the file happened on this connection, and when it may be opened anew for that. */
  let faulty = false;
  let reopenAt = 0;
  let queue: Queued[] = [];
  let group: Group | null = null;
  let scheduled = false;
  let closed = false;

  function reopen(): void {
    const started = performance.now();
    try {
      closeQuietly(connection);
      connection = openPlace(place);
      opened = openWrites(connection, writes);
      sound = true;
      faulty = false;
    } finally {
      const ended = performance.now();
      reopenAt = ended + Math.max(REOPEN.ms, (ended - started) / REOPEN.share);
    }
  }

  function mustReopen(): boolean {
    return !sound || (faulty && performance.now() >= reopenAt);
  }

  function schedule(delayMs: number): void {
    if (scheduled || closed) return;
    scheduled = true;
    if (delayMs === 0) setImmediate(drain);
    else setTimeout(drain, delayMs);
  }

  /** One turn: applies the queued requests, or commits if none arrived since the last turn. */
  function drain(): void {
    scheduled = false;
    if (closed) return;
    refuseExpired();
    if (group === null && !begin()) return;
    const open = group as Group;
    const room = performance.now() - open.since < GROUP_MS ? GROUP_LIMIT - open.requests.length : 0;
    const taken = queue.splice(0, room);
    if (taken.length > 0) takeIn(open, taken);
    else commit(open);
    if (group !== null || queue.length > 0) schedule(0);
  }

  /** Returns false if the queue is empty or another process holds the lock. */
  function begin(): boolean {
    if (queue.length === 0) return false;
    try {
      if (mustReopen()) reopen();
      connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      onBusy(error);
      return false;
    }
    group = { requests: [], replies: [], since: performance.now() };
    return true;
  }

  /**
   * Another process holds the lock. The connection is reopened, because the driver's state after SQLITE_BUSY is
   * unreliable.
   */
  function onBusy(error: unknown): void {
    sound = false;
    if (!isUnavailable(error)) {
      const failed = queue;
      queue = [];
      reply(failed.map((request) => refusal(request, error)));
      return;
    }
    schedule(BUSY_RETRY_MS);
  }

  function refuseExpired(): void {
    const now = performance.now();
    const expired = queue.filter((request) => now - request.since > request.patienceMs);
    if (expired.length === 0) return;
    queue = queue.filter((request) => now - request.since <= request.patienceMs);
    reply(expired.map((request) => refusal(request, unavailable('The store is busy; try again', 1))));
  }

  function takeIn(open: Group, taken: readonly Queued[]): void {
    open.requests.push(...taken);
    try {
      for (const request of taken) open.replies.push(applyOne(request));
    } catch (error) {
      fail(open, error);
    }
  }

  function commit(open: Group): void {
    try {
      for (const op of opened.ops()) op.flush?.();
      connection.exec('COMMIT');
    } catch (error) {
      fail(open, error);
      return;
    }
    group = null;
    reply(open.replies);
  }

  function fail({ requests }: Group, error: unknown): void {
    faulty ||= isFileFault(error);
    for (const op of opened.ops()) op.discard?.();
    opened.env.effects.discard();
    rollback();
    group = null;
    reply(requests.map((request) => refusal(request, error)));
  }

  function applyOne(request: Queued): WriteReply {
    connection.exec('SAVEPOINT request');
    try {
      const result = opened.op(request.op).apply(request.payload);
      connection.exec('RELEASE request');
      return { id: request.id, ok: true, result };
    } catch (error) {
      if (isUnavailable(error) || !connection.inTransaction) throw error;
      faulty ||= isFileFault(error);
      connection.exec('ROLLBACK TO request');
      connection.exec('RELEASE request');
      return refusal(request, error);
    }
  }

  function rollback(): void {
    try {
      if (connection.inTransaction) connection.exec('ROLLBACK');
    } catch {
      sound = false;
    }
  }

  return {
    submit(request) {
      if (closed) {
        reply([refusal(request, unavailable('The server is shutting down', 1))]);
        return;
      }
      queue.push({ ...request, since: performance.now() });
      schedule(0);
    },
    close() {
      for (let moved = true; moved; ) {
        const [open, waiting] = [group, queue.length];
        drain();
        moved = group !== open || queue.length < waiting;
      }
      closed = true;
      const late = queue;
      queue = [];
      if (late.length > 0)
        reply(late.map((request) => refusal(request, unavailable('The store is busy', 1))));
      if (typeof place === 'string') emptyLog(connection);
      closeQuietly(connection);
    },
  };
}

const openPlace = (place: Place): Connection =>
  typeof place === 'string' ? openWriteConnection(place) : openRemoteConnection(place);

/** Moves the write-ahead log into the file, so that a copy of a stopped server's file is complete. */
function emptyLog(connection: Connection): void {
  try {
    // A reader may be copying a part of the log.
    connection.exec(`PRAGMA busy_timeout = ${CLOSE_PATIENCE_MS}`);
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // Another process is reading. The log stays next to the file; the next opening applies it.
  }
}

/** Closing fails if it was closed before, or if the file cannot be read. */
function closeQuietly(connection: Connection): void {
  try {
    connection.close();
  } catch {
    // The next opening recovers what is in the log.
  }
}

/** An operation is opened by its first request: to prepare the statements of all takes as long as to open the file. */
function openWrites(connection: Connection, { ops, effects = [] }: Writes): Opened {
  const env = openWriterEnv(connection, effects);
  const listed = new Map(ops.map((op) => [op.name, op]));
  const opened = new Map<string, OpenOp>();
  return {
    env,
    ops: () => opened.values(),
    op(name) {
      const op = opened.get(name) ?? listed.get(name)?.open(connection, env);
      if (op === undefined) throw new Error(`unknown write ${name}`);
      opened.set(name, op);
      return op;
    },
  };
}

function refusal(request: WriteRequest, error: unknown): WriteReply {
  return { id: request.id, ok: false, failure: toFailure(error) };
}

function toFailure(error: unknown): WriteFailure {
  if (error instanceof AppError) return toErrorData(error);
  const code = sqliteCode(error);
  if (code.startsWith('SQLITE_FULL')) return storeFailure('The disk is full; nothing was stored', error);
  const ofServer = serverFailure(error);
  if (ofServer !== null) return storeFailure(ofServer, error);
  if (isUnavailable(error))
    return storeFailure('The store cannot write at the moment; nothing was stored', error);
  return toErrorData(error);
}

function storeFailure(message: string, cause: unknown): WriteFailure {
  return toFailure(unavailable(message, 1, cause));
}
