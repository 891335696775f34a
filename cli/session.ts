import { existsSync } from 'node:fs';
import type { z } from 'zod';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { labelOf, type Place } from '../src/db/remote/place.ts';
import { countText } from '../src/lib/figures.ts';
import type { BaseContext } from './command.ts';
import type { RemoteServer } from './remote/server.ts';
import { EXIT, UserError } from './user-error.ts';

/** Reads a server through its public API; for commands of `REMOTE_COMMANDS`. */
type ReadServer<T> = (server: RemoteServer) => Promise<T>;

/**
 * Opens the file for reading, runs `use` and closes it. Works while a server uses the file. With `--server`, `remote`
 * reads that server instead.
 * @throws {UserError} `database_missing` (6), `database_outdated` (5)
 */
export const withApp = async <T>(
  ctx: BaseContext,
  use: (app: App) => Promise<T>,
  remote?: ReadServer<T>,
): Promise<T> => {
  if (ctx.server !== null) {
    if (remote === undefined) throw new Error('this command is listed as one that reads a server');
    const { openServer } = await import('./remote/server.ts');
    return remote(openServer(ctx.server, ctx.signal));
  }
  const { openApp, place } = await load(ctx);
  requireDatabase(place);
  await requireMigrated(place);
  const app = openApp({ config: quietConfig(ctx), mode: 'read' });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
};

interface Act<S extends z.ZodType> {
  /** Name of the action, such as `keys.create`. */
  readonly action: string;
  readonly input: unknown;
  /** Schema of the action's reply. */
  readonly reply: S;
  /** Creates the file if it is missing; otherwise a missing file is an error. */
  readonly create?: true;
  /** A recommendation prepared the change: the audit log has it also as `copilot.…`. */
  readonly copilot?: true;
}

/**
 * Runs an action in the server that uses the file, or in this process if there is none.
 * @throws {AppError} from the action, and 409 when another command is writing to the file
 * @throws {UserError} `database_missing` (6)
 */
export const act = async <S extends z.ZodType>(ctx: BaseContext, what: Act<S>): Promise<z.output<S>> => {
  const { place } = await load(ctx);
  if (!what.create) requireDatabase(place);
  const { actThroughServer } = await import('../src/serve.ts');
  const served = await actThroughServer(labelOf(place), what);
  const result = served ? served.result : await actHere(ctx, what);
  // Serialised as a server would do it, so that dates look the same either way.
  return what.reply.parse(JSON.parse(JSON.stringify(result ?? null)));
};

const actHere = async (ctx: BaseContext, what: Act<z.ZodType>): Promise<unknown> => {
  const { openApp } = await load(ctx);
  const [{ modules }, { parseInput }, { operator }] = await Promise.all([
    import('../src/features.ts'),
    import('../src/http/validate.ts'),
    import('../src/operator.ts'),
  ]);
  const action = modules.flatMap(({ actions = [] }) => actions).find(({ name }) => name === what.action);
  if (!action) throw new Error(`There is no action ${what.action}`);
  parseInput(action.input, what.input);
  const app = openApp({ config: quietConfig(ctx), mode: 'command' });
  try {
    return await app.act(action, what.input, operator(what.copilot));
  } finally {
    await app.close();
  }
};

/**
 * Opens the file for writing, which applies pending migrations.
 * @throws {UserError} `database_missing` (6)
 */
export const migrateHere = async (
  ctx: BaseContext,
): Promise<{ database: string; applied: readonly string[] }> => {
  const { openApp, place } = await load(ctx);
  requireDatabase(place);
  const database = labelOf(place);
  // A running server has applied all migrations and holds the lock.
  if ((await pendingMigrations(place)) === 0) return { database, applied: [] };
  const app = openApp({ config: quietConfig(ctx), mode: 'command' });
  const applied = app.ctx.db.migrated;
  await app.close();
  return { database, applied };
};

/** Loads the product and says where the database is. Commands that only print help must not load it. */
const load = async (ctx: BaseContext) => {
  const [{ openApp }, { placeOf }] = await Promise.all([
    import('../src/app.ts'),
    import('../src/db/remote/place-of.ts'),
  ]);
  return { openApp, place: placeOf(ctx.config().values) };
};

/** A server always has its database. */
const requireDatabase = (place: Place): void => {
  if (typeof place !== 'string' || existsSync(place)) return;
  throw new UserError({
    what: `There is no database at ${place}`,
    fix: 'Run `spanledger init` or `spanledger serve` first, or point --db at the file',
    code: 'database_missing',
    exit: EXIT.database,
  });
};

const requireMigrated = async (place: Place): Promise<void> => {
  const pending = await pendingMigrations(place);
  if (pending === 0) return;
  throw new UserError({
    what: `${labelOf(place)} was created by an older version: ${countText(pending, 'migration')} pending`,
    fix: 'Run `spanledger migrate up`, or start the server once',
    code: 'database_outdated',
    exit: EXIT.conflict,
  });
};

const pendingMigrations = async (place: Place): Promise<number> => {
  const [{ statesOf }, { migrations }] = await Promise.all([
    import('../src/db/remote/open-remote.ts'),
    import('../migrations/index.ts'),
  ]);
  return statesOf(place, migrations).filter(({ appliedAt }) => appliedAt === null).length;
};

/** Hides the server's log lines, unless LOG_LEVEL is set: a command prints its own messages. */
const quietConfig = (ctx: BaseContext): Config => {
  const { values, sources } = ctx.config();
  return sources.LOG_LEVEL === 'default' ? { ...values, LOG_LEVEL: 'warn' } : values;
};
