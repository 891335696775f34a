import { hostname } from 'node:os';
import { AppError, conflict, unavailable } from '../../errors.ts';
import { JsonText } from '../../lib/json-text.ts';
import { createDurations } from '../../lib/stats/durations.ts';
import type { Connection } from '../connection.ts';
import { listMigrations, type Migration, type MigrationState } from '../migrate.ts';
import { type Db, migrationStates, type OpenOptions } from '../open.ts';
import { createReaderPool } from '../reader-pool.ts';
import { sqlOp } from '../sql-op.ts';
import { createInlineWriter, createThreadWriter, type Writer } from '../writer.ts';
import { awayError } from './fault.ts';
import {
  LEASE_MS,
  LEASE_TABLE,
  type LeaseHolder,
  releaseStatement,
  renewStatement,
  takeLease,
} from './lease.ts';
import { migrateRemote } from './migrate-remote.ts';
import type { Place, RemotePlace } from './place.ts';
import { openRemoteConnection } from './remote-connection.ts';
import { openRemoteControl } from './remote-control.ts';
import { openRemoteReadSession } from './remote-reader.ts';
import { openTurns, TURNS_TABLE } from './turns.ts';

export type RemoteOptions = Omit<OpenOptions, 'path'> & { readonly place: RemotePlace };

const RENEW_MS = 4_000;
/** Time for the process that held the lease to end, or for its lease to expire if it died. */
const SERVER_PATIENCE_MS = LEASE_MS + 5_000;
const RETRY_MS = 250;

/**
 * Opens the control plane on a libSQL server for reading and writing. One process at a time may: a server waits up to
 * 20 s for the one before it, a command does not wait.
 * @throws AppError 409 if another process holds the lease, 503 if the server does not answer or refuses the token, and
 * DatabaseFileError if a later version made the database
 */
export function openRemoteDb(options: RemoteOptions): Db {
  const { place, migrations, now, server } = options;
  const migrated = prepareRemote(place, (connection) => {
    connection.exec(`${LEASE_TABLE};\n${TURNS_TABLE}`);
    awaitLease(connection, place, server !== undefined);
    return migrateRemote(connection, migrations, now);
  });
  const writer: Writer =
    server === undefined
      ? createInlineWriter(place, options.writes)
      : createThreadWriter(place, server.writerEntry, server.onCrash);
  return writingDb(options, place, { writer, migrated });
}

/**
 * Opens it for a server that follows another one: it stores events, each project's in its turn, without a lease. The
 * leader has applied the migrations.
 */
export function openFollowerDb(
  options: Omit<RemoteOptions, 'server'> & { readonly server: NonNullable<RemoteOptions['server']> },
): Db {
  const { place, server } = options;
  const unfenced: RemotePlace = { ...place, holder: null };
  const writer = createThreadWriter(unfenced, server.writerEntry, server.onCrash);
  return writingDb(options, unfenced, { writer, migrated: [] });
}

/** A database over its writer; with a lease if the writer has one, which is kept. */
function writingDb(
  options: RemoteOptions,
  writing: RemotePlace,
  { writer, migrated }: Pick<Db, 'writer' | 'migrated'>,
): Db {
  const { place, server } = options;
  const control = openRemoteControl(writing, (statements) => writer.write(sqlOp, statements));
  const turns = openTurns(place.holder ?? '', control.run);
  const readers = openReaders(options);
  const keeper =
    writing.holder === null
      ? null
      : keepLease(place, control.run, (error) => {
          if (server !== undefined) server.onCrash(error);
        });
  return {
    path: place.url,
    isRemote: true,
    turns,
    sql: control.db,
    writer,
    migrated,
    read: readers.read,
    readerStats: readers.stats,
    async close() {
      await writer.close();
      turns.close();
      readers.close();
      await keeper?.release();
      control.close();
    },
  };
}

/** Opens it for reading, without a lease. Writes are refused. */
export function openRemoteDbForReading(options: Pick<RemoteOptions, 'place' | 'migrations' | 'tables'>): Db {
  const place: RemotePlace = { ...options.place, holder: null };
  statesOf(place, options.migrations);
  const refuse = <T>(): Promise<T> => Promise.reject(conflict('This database was opened for reading'));
  const control = openRemoteControl(place, () => refuse());
  const readers = openReaders({ ...options, place });
  return {
    path: place.url,
    isRemote: true,
    turns: null,
    sql: control.db,
    writer: {
      write: () => refuse(),
      pending: () => 0,
      stats: () => ({ writes: createDurations().read(), failed: 0 }),
      close: () => Promise.resolve(),
    },
    migrated: [],
    read: readers.read,
    readerStats: readers.stats,
    close() {
      readers.close();
      control.close();
      return Promise.resolve();
    },
  };
}

/** The state of the migrations of a file or server. Throws like `openDb` or `openRemoteDb`. */
export const statesOf = (place: Place, migrations: readonly Migration[]): MigrationState[] =>
  typeof place === 'string'
    ? migrationStates(place, migrations)
    : prepareRemote(place, (connection) => listMigrations(connection, migrations));

/** Runs work on a connection that is not fenced. Throws like `openRemoteDb`. */
export function prepareRemote<T>(place: RemotePlace, use: (connection: Connection) => T): T {
  const connection = openRemoteConnection({ ...place, holder: null });
  try {
    const [[checks] = []] = connection.prepare('PRAGMA foreign_keys').raw(true).all([]) as number[][];
    if (checks !== 1)
      throw new AppError(503, `${place.url} does not check foreign keys: turn PRAGMA foreign_keys on there`);
    return use(connection);
  } catch (error) {
    throw openingError(place, error);
  } finally {
    connection.close();
  }
}

function openingError({ url, token }: RemotePlace, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (/status 40[13]/.test(error.message)) {
    const what = token === null ? 'asks for a token: set DATABASE_AUTH_TOKEN' : 'refuses DATABASE_AUTH_TOKEN';
    return unavailable(`${url} ${what}`, 5, error);
  }
  const isAway = 'code' in error && error.code === (awayError('') as Error & { code: string }).code;
  return isAway ? unavailable(`${url} does not answer: ${error.message}`, 5, error) : error;
}

function awaitLease(connection: Connection, { url, holder }: RemotePlace, isServer: boolean): void {
  const name = `${hostname()}, process ${process.pid}`;
  const until = performance.now() + (isServer ? SERVER_PATIENCE_MS : 0);
  let other: LeaseHolder | null;
  for (;;) {
    other = takeLease(connection, { holder: holder ?? '', name });
    if (other === null) return;
    if (performance.now() > until) break;
    Bun.sleepSync(RETRY_MS);
  }
  const advice = isServer
    ? 'stop it, or set REDIS_URL for both to run several servers'
    : 'run commands where that server runs, or stop it';
  throw conflict(
    `${url} is in use by another spanledger process (${other.name}). Only one process may write: ${advice}`,
  );
}

type Keeper = { release(): Promise<void> };

/** Renews the lease. When another process has taken it over, this one must end. */
function keepLease(
  { holder }: RemotePlace,
  run: ReturnType<typeof openRemoteControl>['run'],
  onLost: (error: Error) => void,
): Keeper {
  const id = holder ?? '';
  const timer = setInterval(() => {
    run(renewStatement(id)).then(
      ({ changes }) => {
        if (changes === 0) onLost(new Error('another process took over the database'));
      },
      // The server is away: every write fails until it is back, and checks the lease again then.
      () => undefined,
    );
  }, RENEW_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      // It expires otherwise.
      await run(releaseStatement(id)).catch(() => undefined);
    },
  };
}

type Readers = { read: Db['read']; stats: Db['readerStats']; close(): void };

function openReaders({
  place: writing,
  tables,
  server,
}: Pick<RemoteOptions, 'place' | 'tables' | 'server'>): Readers {
  const place: RemotePlace = { ...writing, holder: null };
  if (server === undefined) {
    const session = openRemoteReadSession(place, tables);
    return {
      read: async (op, scope, input) => new JsonText(JSON.stringify(session.run(op, scope, input))),
      stats: () => null,
      close: () => session.close(),
    };
  }
  const pool = createReaderPool({
    command: server.readerCommand,
    path: place.url,
    remote: place,
    tables,
    size: server.readers,
    deadlineMs: server.queryDeadlineMs,
  });
  return {
    read: async (op, scope, input) => new JsonText(await pool.read(op.name, scope, input, op.turn)),
    stats: () => pool.stats(),
    close: () => pool.close(),
  };
}
