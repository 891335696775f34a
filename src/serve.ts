import { chmodSync, existsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { App } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { eventsOf } from './core/events/index.ts';
import { stopModels } from './core/models/index.ts';
import { collectGarbageOnGrowth } from './db/collect-garbage.ts';
import { fileFaultOf } from './db/file-fault.ts';
import { underlyingError } from './db/query-error.ts';
import { AppError, badRequest, conflict, unavailable } from './errors.ts';
import { modules } from './features.ts';
import { createRefusalHold } from './http/hold-refusals.ts';
import { Reply, toResponse } from './http/reply.ts';
import { COPILOT_ORIGIN, isByCopilot } from './module.ts';
import { operator } from './operator.ts';
import type { Node } from './servers/node.ts';

/** A running server. */
export type Server = {
  /** The server's URL, such as `http://127.0.0.1:4318`. */
  readonly url: string;
  /** Address for browsers: `PUBLIC_URL`, or this machine's. */
  readonly pages: string;
  /** Stops accepting requests, finishes those in progress and closes the database. No acknowledged write is lost. */
  stop(): Promise<void>;
};

/** Higher than the product's own limits, so that an oversized body gets the product's JSON reply instead of Bun's. */
const MAX_BODY_BYTES = 40 * 1_048_576;
/** Idle time after which a connection is closed. */
const IDLE_SECONDS = 15;
/**
 * A reply may take longer: the first list of a large month's statements, or closing it. A body that arrives slowly is cut
 * before (`http/body/progress.ts`).
 */
const LONG_REPLY = { afterMs: 10_000, seconds: 120 };

/**
 * Starts the HTTP server, and a Unix socket next to the database file for the command line. Throws 409 if the port is
 * in use, ConfigError for an address that is not this machine's.
 */
export function serve(app: App, address: { host: string; port: number }): Server {
  const http = listen(app, address);
  const collectNoMore = collectGarbageOnGrowth();
  const addresses = addressesOf(address.host, http.port ?? 0, app.ctx.config);
  const admin = attach(app, addresses);
  return {
    ...addresses,
    async stop() {
      // A running call of a model would hold up the end of its request.
      await Promise.all([http.stop(), admin.stop(), stopModels(app.ctx)]);
      await app.close();
      collectNoMore();
    },
  };
}

/** One of several servers: like `serve`, and it takes part until it stops. Throws 409 if the port is in use. */
export async function serveNode(
  open: (onLead: (app: App) => Promise<() => Promise<void>>) => Node,
  { host, port, config }: { host: string; port: number; config: Config },
  /** Runs as long as this server leads. */
  onLead: (app: App) => Promise<{ stop(): Promise<void> }>,
): Promise<Server & Pick<Node, 'part'>> {
  let addresses: Pick<Server, 'url' | 'pages'> | null = null;
  const node = open(async (app) => {
    const admin = addresses === null ? null : attach(app, addresses);
    const work = await onLead(app);
    return async () => {
      await Promise.all([work.stop(), admin?.stop(), stopModels(app.ctx)]);
    };
  });
  let http: Bun.Server<undefined>;
  try {
    http = listen(node, { host, port });
  } catch (error) {
    await node.close();
    throw error;
  }
  addresses = addressesOf(host, http.port ?? 0, config);
  try {
    await node.start(http.port ?? 0);
  } catch (error) {
    await http.stop(true);
    await node.close();
    throw error;
  }
  const collectNoMore = collectGarbageOnGrowth();
  return {
    ...addresses,
    part: node.part,
    async stop() {
      await node.leave();
      await http.stop();
      await node.close();
      collectNoMore();
    },
  };
}

function addressesOf(
  host: string,
  port: number,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): Pick<Server, 'url' | 'pages'> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { url, pages: PUBLIC_URL ?? localOf(url) };
}

/** A browser cannot open 0.0.0.0, so the address for people is loopback. */
const localOf = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

function attach(app: App, { url, pages }: Pick<Server, 'url' | 'pages'>): { stop(): Promise<void> } {
  // Opens the store, so that what an earlier run left unsealed is counted before the first request.
  eventsOf(app.ctx);
  return listenForCommands(app, { [PAGES_ADDRESS]: pages, [LISTENING_ADDRESS]: localOf(url) });
}

function listen(
  app: Pick<App, 'fetch'>,
  { host, port }: { host: string; port: number },
): Bun.Server<undefined> {
  // No `Retry-After` is shorter than this.
  const hold = createRefusalHold({ free: 50, holdMs: 1_000 });
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_BODY_BYTES,
      // Bun's development error page shows source code.
      development: false,
      // Bun's default outside development lets two servers share the port, and each would get half of the requests.
      reusePort: false,
      fetch: async (request, server) => {
        const reply = app.fetch(request, { address: server.requestIP(request)?.address ?? '' });
        const wait = setTimeout(() => server.timeout(request, LONG_REPLY.seconds), LONG_REPLY.afterMs);
        return hold(await reply.finally(() => clearTimeout(wait)));
      },
    });
  } catch (error) {
    throw listenFault({ host, port }, error);
  }
}

/** What is wrong with an address on which the server cannot listen. */
function listenFault({ host, port }: { host: string; port: number }, error: unknown): unknown {
  // Bun also says EADDRINUSE of a name that it cannot resolve. Any free port tells whether it is the address.
  if (!canListenOn(host))
    return new ConfigError(
      'HOST',
      `HOST ${JSON.stringify(host)} is no address of this machine`,
      'Set HOST (or --host) to 127.0.0.1, to 0.0.0.0 for all addresses, or to one of its addresses',
    );
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return conflict(`Port ${port} on ${host} is in use`, error);
  if (code === 'EACCES')
    return new ConfigError(
      'PORT',
      `PORT ${port} is not open to this user`,
      'Set PORT (or --port) to 1024 or more',
    );
  return error;
}

function canListenOn(hostname: string): boolean {
  try {
    void Bun.serve({ hostname, port: 0, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** Maximum length of a Unix socket's path. */
const MAX_SOCKET_PATH = 100;

/**
 * Path of the Unix socket through which commands reach the server of `databasePath`: beside the file, or in the temporary
 * folder for a libSQL server. Its file mode protects it.
 */
export function commandSocket(databasePath: string): string {
  const beside = `${databasePath}.sock`;
  if (isAbsolute(databasePath) && beside.length <= MAX_SOCKET_PATH) return beside;
  return join(tmpdir(), `spanledger-${Bun.hash(databasePath).toString(36)}.sock`);
}

/** Addresses of the server by the names under which commands ask for them. */
type Addresses = Readonly<Record<string, string>>;

function listenForCommands(app: App, addresses: Addresses): { stop(): Promise<void> } {
  const socket = commandSocket(app.ctx.db.path);
  // A dead process left this socket. The write lock guarantees that no other process serves this file.
  if (existsSync(socket)) unlinkSync(socket);
  const server = withPrivateFiles(() =>
    Bun.serve({
      unix: socket,
      maxRequestBodySize: MAX_BODY_BYTES,
      development: false,
      fetch: (request, self) => {
        // A job may take longer than the idle timeout for HTTP clients.
        self.timeout(request, 0);
        return runAction(app, request, addresses);
      },
    }),
  );
  chmodSync(socket, 0o600);
  return {
    async stop() {
      await server.stop();
      if (existsSync(socket)) unlinkSync(socket);
    },
  };
}

/** Makes files that only their owner may use, from their first moment on. */
function withPrivateFiles<T>(make: () => T): T {
  const before = process.umask(0o177);
  try {
    return make();
  } finally {
    process.umask(before);
  }
}

/**
 * Runs one action. Its actor is the user of this process, who owns the socket: the file mode lets only that user and
 * root connect, and Bun's HTTP server does not tell which of them did. Whatever the request says about its sender
 * is ignored.
 */
async function runAction(app: App, request: Request, addresses: Addresses): Promise<Response> {
  try {
    // The URL is only a path if the Host header is missing or invalid.
    const name = new URL(request.url, 'http://spanledger').pathname.slice(1);
    if (Object.hasOwn(addresses, name)) return toResponse(new Reply(200, { result: addresses[name] }));
    const action = modules.flatMap((module) => module.actions ?? []).find((known) => known.name === name);
    if (action === undefined)
      throw new AppError(404, `This server knows no action ${name.slice(0, 100)}; is it an older version?`);
    const result = await app.act(action, await readInput(request), operator(isByCopilot(request)));
    return toResponse(new Reply(200, { result: result ?? null }));
  } catch (thrown) {
    const underlying = underlyingError(thrown);
    const error = fileFaultOf(underlying) ?? underlying;
    if (error instanceof AppError && error.cause !== undefined)
      app.ctx.log.warn({ err: error.cause }, error.message);
    if (error instanceof AppError) return toResponse(new Reply(error.status, { error: error.message }));
    app.ctx.log.error({ err: thrown }, 'unhandled error in an action');
    return toResponse(new Reply(500, { error: 'Internal server error' }));
  }
}

async function readInput(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw badRequest('The body is not JSON');
  }
}

/** Whether a process accepts connections on the socket. A socket file may outlive its process. */
async function isListening(socket: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: socket, socket: { data: () => {} } });
    connection.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the socket exists and belongs to the database file's owner; for a libSQL server, to this process's user. In a shared folder, anybody could create one.
 */
function isOfOwner(socket: string, databasePath: string): boolean {
  const [found, file] = [socket, databasePath].map((path) => statSync(path, { throwIfNoEntry: false }));
  const owner = isAbsolute(databasePath) ? file?.uid : process.getuid?.();
  return found !== undefined && found.uid === owner;
}

/** Asked for like actions; the replies are the address for browsers, and the one of this machine. */
const PAGES_ADDRESS = 'server.address';
const LISTENING_ADDRESS = 'server.listening_address';

/** Where the dashboard of the file's server is; null if no server is running. */
export const pagesAddress = (databasePath: string): Promise<string | null> =>
  askForAddress(databasePath, PAGES_ADDRESS);

/** Where that server listens, as this machine reaches it; null if no server is running. */
export const listeningAddress = (databasePath: string): Promise<string | null> =>
  askForAddress(databasePath, LISTENING_ADDRESS);

async function askForAddress(databasePath: string, name: string): Promise<string | null> {
  const reply = await actThroughServer(databasePath, { action: name, input: {} });
  return reply === null ? null : z.string().parse(reply.result);
}

const actionReply = z.object({ result: z.unknown().optional(), error: z.string().optional() });

type Asked = { readonly action: string; readonly input: unknown; readonly copilot?: boolean | undefined };

/** Asks the server of the file to run an action. Null if no server is running. Throws the action's AppError. */
export async function actThroughServer(
  databasePath: string,
  { action, input, copilot = false }: Asked,
): Promise<{ result: unknown } | null> {
  const socket = commandSocket(databasePath);
  if (!isOfOwner(socket, databasePath)) return null;
  let response: Response;
  try {
    response = await fetch(`http://spanledger/${action}`, {
      unix: socket,
      method: 'POST',
      headers: copilot ? COPILOT_ORIGIN : {},
      body: JSON.stringify(input),
      timeout: false,
    });
  } catch (error) {
    if (await isListening(socket)) throw unavailable('The server ended before it answered', 1, error);
    return null;
  }
  const reply = actionReply.parse(await response.json());
  if (!response.ok) throw new AppError(response.status, reply.error ?? 'The server refused');
  return { result: reply.result };
}
