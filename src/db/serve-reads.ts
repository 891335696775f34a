import { type BlobPart, createBlobJoiner } from './blobs.ts';
import { collectGarbageOnGrowth, collectGarbageWhenIdle, collectYoungGarbage } from './collect-garbage.ts';
import { isFileFault } from './connection.ts';
import { type ErrorData, toErrorData } from './error-data.ts';
import type { OwnedTable } from './owned-table.ts';
import { openReadSession, type ReadOp, type ReadScope, type ReadSession } from './reader.ts';
import type { RemotePlace } from './remote/place.ts';
import { openRemoteReadSession } from './remote/remote-reader.ts';

/** One read of a reader process. `id` is unique in its pool. */
export type ReadRequest = { id: number; name: string; scope: ReadScope; input: unknown };
/** Either the result as JSON text, or the failure. */
export type ReadReply = { id: number; json?: string; failure?: ErrorData };

/** The first message to a reader: all tables. Sent, because the manifests that declare them would load the whole product. */
export type OpenFile = { readonly open: readonly OwnedTable[]; readonly remote?: RemotePlace };

/** A reader has taken a piece of a request and is ready for the next one. */
export type PartTaken = { taken: number };

const CHECKPOINT_MS = 500;
/** After a fault of the file the connection is opened anew, at most this often, because the file may stay damaged. */
const REOPEN_MS = 1_000;

/**
 * The reader process: answers reads until its parent exits. Between reads it copies the write-ahead log into the file,
 * because the writer's commits would wait for the disk meanwhile. What is left for the writer is little.
 * @param ops the reads of most processes
 * @param loadRest loads the other reads when the first of them is asked for
 */
export function serveReads(
  path: string,
  ops: readonly ReadOp[],
  loadRest: () => Promise<readonly ReadOp[]>,
): void {
  const byName = new Map(ops.map((op) => [op.name, op]));
  const blobs = createBlobJoiner();
  let sessions: Sessions | null = null;
  const worked = collectGarbageWhenIdle();
  process.on('message', async (message: unknown) => {
    const request = message as ReadRequest | BlobPart | OpenFile;
    if ('open' in request) {
      const { open: tables, remote } = request;
      sessions = createSessions(() =>
        remote === undefined ? openReadSession(path, tables) : openRemoteReadSession(remote, tables),
      );
    } else if ('part' in request) {
      blobs.add(request);
      process.send?.({ taken: request.id } satisfies PartTaken);
    } else {
      process.send?.(await answer({ ...request, input: blobs.join(request.id, request.input) }));
      // A read of a job comes between others, and leaves more than they do.
      if (byName.get(request.name)?.turn !== undefined) collectYoungGarbage();
      worked();
    }
  });
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    try {
      sessions?.use((session) => session.checkpoint());
    } catch {
      // The writer does it, and reports what is wrong with the file.
    }
  }, CHECKPOINT_MS);
  collectGarbageOnGrowth();

  async function answer({ id, name, scope, input }: ReadRequest): Promise<ReadReply> {
    try {
      const op = byName.get(name) ?? (await findInRest(name));
      if (sessions === null) throw new Error('the file is not open');
      const result = sessions.use((session) => session.run(op, scope, input));
      return { id, json: JSON.stringify(result) };
    } catch (error) {
      return { id, failure: toErrorData(error) };
    }
  }

  async function findInRest(name: string): Promise<ReadOp> {
    for (const op of await loadRest()) byName.set(op.name, op);
    const op = byName.get(name);
    if (op === undefined) throw new Error(`unknown read ${name}`);
    return op;
  }
}

type Sessions = { use<T>(use: (session: ReadSession) => T): T };

/** Opens a session anew after a fault of the file: a connection may keep a page that it could not read. */
function createSessions(open: () => ReadSession): Sessions {
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
