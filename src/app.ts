import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import pino, { type Logger } from 'pino';
import type { z } from 'zod';
import { migrations } from '../migrations/index.ts';
import type { Config } from './config.ts';
import { type Ctx, createServices, type Servers } from './context.ts';
import { createSessionGuards } from './core/auth/index.ts';
import { createKeyGuards, keysChanged } from './core/keys/index.ts';
import { organizationsChanged } from './core/orgs/index.ts';
import { pricesChanged } from './core/pricing/index.ts';
import { projectsChanged } from './core/projects/index.ts';
import type { Callers } from './core/tenancy/index.ts';
import { type Db, type OpenOptions, openDb, openDbForReading } from './db/open.ts';
import { findQueryError } from './db/query-error.ts';
import { openFollowerDb, openRemoteDb, openRemoteDbForReading } from './db/remote/open-remote.ts';
import type { Place, RemotePlace } from './db/remote/place.ts';
import { placeOf } from './db/remote/place-of.ts';
import { selfCommand } from './db/self-command.ts';
import { modules, tables } from './features.ts';
import { createLimits, NO_LIMITS } from './http/limits.ts';
import { createOpenGuard } from './http/open-guard.ts';
import type { Guards } from './http/route.ts';
import { type ClientAddress, createFetch, type Elsewhere, type ReplyCheck } from './http/server.ts';
import { parseInput } from './http/validate.ts';
import { inlineWorkers, type Workers } from './http/work/work.ts';
import { createWorkThread } from './http/work/work-thread.ts';
import { createLog } from './log.ts';
import { type Action, type Actor, createEmitter, writesOf } from './module.ts';
import { refuseMoved } from './moved-note.ts';
import { operator } from './operator.ts';

/** The running product. `openApp` creates it. */
export type App = {
  readonly ctx: Ctx;
  /** Answers one HTTP request; never rejects. `from` is the peer of the connection. */
  fetch(request: Request, from?: ClientAddress): Promise<Response>;
  /** Runs an action in this process, after parsing its input. Throws AppError. */
  act<S extends z.ZodType, O>(action: Action<S, O>, input: unknown, actor?: Actor): Promise<O>;
  /** Calls the listeners of an event that another server has sent. */
  receive(event: string, payload: unknown): void;
  /** Empties the caches of what another server may have changed. */
  dropCaches(): void;
  close(): Promise<void>;
};

/** One of several servers of the same databases. */
export type OwnServer = {
  readonly place: RemotePlace;
  /** Whether it is the one that does everything. Others store events. */
  readonly leads: boolean;
  /** Sends an event to the other servers. */
  send(message: { readonly to: 'all' | 'leader'; readonly event: string; readonly payload: unknown }): void;
  readonly elsewhere: Elsewhere;
  readonly servers: Servers;
};

export type AppOptions = {
  config: Config;
  /**
   * `serve`: the writer on a thread, readers in processes. `command`: everything on this thread.
   * `read`: like `command`, but the file is not locked and can't be changed.
   */
  mode: 'serve' | 'command' | 'read';
  now?: () => number;
  log?: Logger;
  /** Tests hash cheaply; see `Ctx`. */
  weakHashes?: boolean;
  /** False disables the rate limits. Only the benchmark, on a database of its own, and tests use this. */
  rateLimits?: boolean;
  /** Unless this process is the only one that serves. */
  server?: OwnServer;
  /** Tests compare each reply with its schema. */
  checkReply?: ReplyCheck;
};

/** What is emptied when something may have changed without a message. Other caches look again after seconds. */
const CACHED = [keysChanged, projectsChanged, organizationsChanged, pricesChanged];

const QUERY_DEADLINE_MS = 10_000;
/** One organization uses at most two of them. */
const READERS = 3;

/** The composition root: the only place that connects modules, database and HTTP. Throws like `openDb`. */
export function openApp(options: AppOptions): App {
  const { config } = options;
  const now = options.now ?? Date.now;
  const given = options.log ?? createLog(config.LOG_LEVEL);
  const log = given.child({}, { serializers: { err: toLogged } });
  const place = options.server?.place ?? placeOf(config);
  const db = openDatabase(place, options, now(), log);
  // For a server, `placeOf` has made sure that it is set.
  const secret = config.BETTER_AUTH_SECRET ?? keptSecret(db.path, options.mode);
  const emit = createEmitter(modules);
  const services = createServices(modules.flatMap((module) => module.services ?? []));
  const ctx: Ctx = {
    config,
    db,
    tables,
    log,
    secret,
    weakHashes: options.weakHashes ?? false,
    limits: options.rateLimits === false ? NO_LIMITS : createLimits({ config, log, now }),
    workers: openWorkers(options, log),
    servers: options.server?.servers ?? null,
    now,
    emit: ({ name, reach }, ...[payload]) => {
      const { server } = options;
      const isHere = server === undefined || reach !== 'leader' || server.leads;
      if (isHere) emit(ctx, name, payload);
      if (server !== undefined && (reach === 'all' || (reach === 'leader' && !server.leads)))
        server.send({ to: reach, event: name, payload });
    },
    use: (service) => services.use(ctx, service),
  };
  const guards: Guards<Callers> = {
    none: createOpenGuard(ctx.limits),
    ...createKeyGuards(ctx),
    ...createSessionGuards(ctx),
  };
  const routes = modules.flatMap((module) => module.routes ?? []);
  return {
    ctx,
    fetch: createFetch(ctx, {
      routes,
      guards,
      checkReply: options.checkReply,
      elsewhere: options.server?.elsewhere,
      hintForPath: (method, pathname) =>
        modules.map((module) => module.hintForPath?.(method, pathname)).find((hint) => hint !== undefined),
    }),
    act: async (action, input, actor = operator()) => action.run(ctx, parseInput(action.input, input), actor),
    receive: (event, payload) => emit(ctx, event, payload),
    dropCaches() {
      for (const event of CACHED) emit(ctx, event.name, undefined);
    },
    close: async () => {
      await services.close();
      ctx.limits.close();
      ctx.workers.close();
      await db.close();
    },
  };
}

/** An error for the log. For a failed statement this is its text without the values. */
function toLogged(error: Error): object {
  const failed = findQueryError(error);
  if (failed === null) return pino.stdSerializers.err(error);
  const cause = failed.cause instanceof Error ? failed.cause : new Error(String(failed.cause));
  return { ...pino.stdSerializers.err(cause), query: failed.query };
}

const onCrash =
  (log: Logger, thread: string) =>
  (error: Error): void => {
    log.fatal({ err: error }, `the ${thread} died`);
    process.exit(1);
  };

function openWorkers({ mode }: AppOptions, log: Logger): Workers {
  if (mode !== 'serve') return inlineWorkers;
  return createWorkThread(new URL('./work-thread.ts', import.meta.url).href, onCrash(log, 'work thread'));
}

function openDatabase(place: Place, { mode, config, server }: AppOptions, now: number, log: Logger): Db {
  if (typeof place === 'string') refuseMoved(place, config.EVENTS_URL);
  if (mode === 'read') {
    if (typeof place === 'string') return openDbForReading(place, { migrations, tables });
    return openRemoteDbForReading({ place, migrations, tables });
  }
  const given = { migrations, tables, writes: writesOf(modules), now };
  const options = mode === 'command' ? given : { ...given, server: serverParts(log) };
  if (server?.leads === false)
    return openFollowerDb({ place: server.place, ...given, server: serverParts(log) });
  return typeof place === 'string'
    ? openDb({ path: place, ...options })
    : openRemoteDb({ place, ...options });
}

function serverParts(log: Logger): NonNullable<OpenOptions['server']> {
  return {
    writerEntry: new URL('./writer-thread.ts', import.meta.url).href,
    readerCommand: [...selfCommand(), '__reader'],
    readers: READERS,
    queryDeadlineMs: QUERY_DEADLINE_MS,
    onCrash: onCrash(log, 'writer'),
  };
}

const LEAST_SECRET = 32;

/**
 * Without a configured secret, generates a random one and stores it next to the database file, readable only by the
 * file's owner. If a full disk or a crash truncated the stored secret, it is replaced.
 */
function keptSecret(path: string, mode: AppOptions['mode']): string {
  const file = `${path}.secret`;
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept.length >= LEAST_SECRET) return kept;
  const secret = randomBytes(32).toString('hex');
  if (mode !== 'read') writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
