import { chmodSync, existsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from './app.ts';
import { underlyingError } from './db/query-error.ts';
import { AppError, conflict, unavailable } from './errors.ts';
import { modules } from './features.ts';
import { Reply, toResponse } from './http/reply.ts';
import { parseInput } from './http/validate.ts';
import { operatorName } from './operator.ts';

/** A running server. */
export type Server = {
  /** Where it answers, such as `http://127.0.0.1:4318`. */
  readonly url: string;
  /** Takes no new requests, ends those that run, closes the database. Nothing acknowledged is lost. */
  stop(): Promise<void>;
};

/** Above the product's own limits, so that those answer, with JSON. */
const MAX_BODY_BYTES = 40 * 1_048_576;
/** A connection that is silent for longer is cut. */
const IDLE_SECONDS = 15;

/** Listens for people and programs, and on a socket beside the file for the command line. Throws 409 when the port is taken. */
export function serve(app: App, address: { host: string; port: number }): Server {
  const http = listen(app, address);
  const admin = listenForCommands(app);
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${http.port}`,
    async stop() {
      await Promise.all([http.stop(), admin.stop()]);
      await app.close();
    },
  };
}

function listen(app: App, { host, port }: { host: string; port: number }): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_BODY_BYTES,
      // Bun's own page for an error shows the source.
      development: false,
      // Bun's default outside development: two servers would share the port, and each get half of the calls.
      reusePort: false,
      fetch: (request, server) => app.fetch(request, { address: server.requestIP(request)?.address ?? '' }),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw conflict(`Port ${port} on ${host} is in use`, error);
    }
    throw error;
  }
}

/** Login name of who runs the command. The socket's mode says that it is the file's owner or root. */
const OPERATOR_HEADER = 'x-operator';
/** Longest path that a Unix socket may have. */
const MAX_SOCKET_PATH = 100;

/** The socket through which commands reach the process that serves `databasePath`. Its mode is its guard. */
export function commandSocket(databasePath: string): string {
  const beside = `${databasePath}.sock`;
  if (beside.length <= MAX_SOCKET_PATH) return beside;
  return join(tmpdir(), `spanledger-${Bun.hash(databasePath).toString(36)}.sock`);
}

function listenForCommands(app: App): { stop(): Promise<void> } {
  const socket = commandSocket(app.ctx.db.path);
  // Left by a process that died: the write lock says that no other one serves this file.
  if (existsSync(socket)) unlinkSync(socket);
  const server = Bun.serve({
    unix: socket,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: (request, self) => {
      // A job may take longer than any silence that a stranger is allowed.
      self.timeout(request, 0);
      return runAction(app, request);
    },
  });
  chmodSync(socket, 0o600);
  return {
    async stop() {
      await server.stop();
      if (existsSync(socket)) unlinkSync(socket);
    },
  };
}

async function runAction(app: App, request: Request): Promise<Response> {
  try {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const action = modules.flatMap((module) => module.actions ?? []).find((known) => known.name === name);
    if (action === undefined)
      throw new AppError(404, `This server knows no action ${name}; is it an older version?`);
    const input = parseInput(action.input, await request.json());
    const operator = decodeURIComponent(request.headers.get(OPERATOR_HEADER) ?? 'unknown').slice(0, 100);
    const result = await app.act(action, input, { kind: 'operator', name: operator });
    return toResponse(new Reply(200, { result: result ?? null }));
  } catch (thrown) {
    const error = underlyingError(thrown);
    if (error instanceof AppError) return toResponse(new Reply(error.status, { error: error.message }));
    app.ctx.log.error({ err: thrown }, 'unhandled error in an action');
    return toResponse(new Reply(500, { error: 'Internal server error' }));
  }
}

/** Whether somebody takes connections there; a socket file may outlive its process. */
async function isListening(socket: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: socket, socket: { data: () => {} } });
    connection.end();
    return true;
  } catch {
    return false;
  }
}

/** Whether the socket is there and the file's owner made it: where it lies in a shared folder, anybody could. */
function isOfOwner(socket: string, databasePath: string): boolean {
  const [found, file] = [socket, databasePath].map((path) => statSync(path, { throwIfNoEntry: false }));
  return found !== undefined && found.uid === file?.uid;
}

/**
 * Asks the process that serves the file to run an action. Null when no process does.
 * Throws the action's AppError.
 */
export async function actThroughServer(
  databasePath: string,
  action: string,
  input: unknown,
): Promise<{ result: unknown } | null> {
  const socket = commandSocket(databasePath);
  if (!isOfOwner(socket, databasePath)) return null;
  let response: Response;
  try {
    response = await fetch(`http://spanledger/${encodeURIComponent(action)}`, {
      unix: socket,
      method: 'POST',
      headers: { [OPERATOR_HEADER]: encodeURIComponent(operatorName()) },
      body: JSON.stringify(input),
      timeout: false,
    });
  } catch (error) {
    if (await isListening(socket)) throw unavailable('The server ended before it answered', 1, error);
    return null;
  }
  const reply = (await response.json()) as { result?: unknown; error?: string };
  if (!response.ok) throw new AppError(response.status, reply.error ?? 'The server refused');
  return { result: reply.result };
}
