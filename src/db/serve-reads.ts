import { type BlobPart, createBlobJoiner } from './blobs.ts';
import { collectGarbageOnGrowth } from './collect-garbage.ts';
import { isFileFault } from './connection.ts';
import { type ErrorData, toErrorData } from './error-data.ts';
import type { OwnedTable } from './owned-table.ts';
import { openReadSession, type ReadOp, type ReadScope, type ReadSession } from './reader.ts';

/** One read of a reader process. `id` is unique in its pool. */
export type ReadRequest = { id: number; name: string; scope: ReadScope; input: unknown };
/** Either the result as JSON text, or the failure. */
export type ReadReply = { id: number; json?: string; failure?: ErrorData };

/** A reader has taken a piece of a request and is ready for the next one. */
export type PartTaken = { taken: number };

const CHECKPOINT_MS = 500;
/** After a fault of the file the connection is opened anew, at most this often, because the file may stay damaged. */
const REOPEN_MS = 1_000;

/**
 * The reader process: answers reads until its parent exits. Between reads it copies the write-ahead log into the file,
 * because the writer's commits would wait for the disk meanwhile. What is left for the writer is little.
 */
export function serveReads(path: string, tables: readonly OwnedTable[], ops: readonly ReadOp[]): void {
  const sessions = createSessions(() => openReadSession(path, tables));
  const byName = new Map(ops.map((op) => [op.name, op]));
  const blobs = createBlobJoiner();
  process.on('message', (message: unknown) => {
    const request = message as ReadRequest | BlobPart;
    if ('part' in request) {
      blobs.add(request);
      process.send?.({ taken: request.id } satisfies PartTaken);
    } else process.send?.(answer({ ...request, input: blobs.join(request.id, request.input) }));
  });
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    try {
      sessions.use((session) => session.checkpoint());
    } catch {
      // The writer does it, and reports what is wrong with the file.
    }
  }, CHECKPOINT_MS);
  collectGarbageOnGrowth();

  function answer({ id, name, scope, input }: ReadRequest): ReadReply {
    try {
      const op = byName.get(name);
      if (op === undefined) throw new Error(`unknown read ${name}`);
      const result = sessions.use((session) => session.run(op, scope, input));
      return { id, json: JSON.stringify(result) };
    } catch (error) {
      return { id, failure: toErrorData(error) };
    }
  }
}

/** Opens a session anew after a fault of the file: a connection may keep a page that it could not read. */
function createSessions(open: () => ReadSession): { use<T>(use: (session: ReadSession) => T): T } {
  let session = open();
  let openedAt = performance.now();
  let isFaulty = false;

  function reopen(): void {
    openedAt = performance.now();
    const former = session;
    session = open();
    isFaulty = false;
    try {
      former.close();
    } catch {
      // The file cannot be read again; nothing else uses this connection.
    }
  }

  return {
    use(use) {
      try {
        if (isFaulty && performance.now() - openedAt > REOPEN_MS) reopen();
        return use(session);
      } catch (error) {
        isFaulty ||= isFileFault(error);
        throw error;
      }
    },
  };
}
