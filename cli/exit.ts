import { CommanderError } from 'commander';
import { ConfigError } from '../src/config.ts';
import type { DatabaseFileError } from '../src/db/file/file-error.ts';
import { underlyingError } from '../src/db/query-error.ts';
import { AppError } from '../src/errors.ts';
import { driverError, isDriverFailure } from './driver-error.ts';
import { EXIT, type ExitCode, ownFix, UserError, usageError } from './user-error.ts';

type Meaning = readonly [exit: ExitCode, code: string, fix: string];

const byStatus: Readonly<Record<number, Meaning>> = {
  400: [EXIT.usage, 'bad_request', 'Correct the arguments; `--help` shows what the command takes'],
  401: [EXIT.denied, 'not_authenticated', 'Check the key, or sign in again'],
  403: [EXIT.denied, 'denied', 'Ask an owner of the organization for the required role'],
  404: [EXIT.notFound, 'not_found', 'Check the id or name; the matching `list` command shows what exists'],
  409: [
    EXIT.conflict,
    'conflict',
    'Look at what is there with the matching `list` or `show` command, then try again',
  ],
  413: [EXIT.usage, 'too_large', 'Send less at once'],
  429: [EXIT.failure, 'limited', 'Wait and try again'],
  503: [EXIT.failure, 'unavailable', 'Try again in a moment'],
};

type SystemMeaning = readonly [exit: ExitCode, code: string, what: string, fix: string];

const locked: SystemMeaning = [
  EXIT.conflict,
  'database_locked',
  'Another process is writing to the database',
  'Wait for it to finish, stop it, or name another file with --db',
];
const missing: SystemMeaning = [
  EXIT.database,
  'database_missing',
  'The database file cannot be opened',
  'Check --db, or create the file with `spanledger init`',
];
const damaged: SystemMeaning = [
  EXIT.database,
  'database_corrupt',
  'The file is not a database, or it is damaged',
  'Check --db, or restore a backup',
];
const readOnly: SystemMeaning = [
  EXIT.denied,
  'permission_denied',
  'No permission to read or write the file',
  'Give this user access to the file and its directory',
];
const diskFull: SystemMeaning = [
  EXIT.failure,
  'disk_full',
  'The disk is full',
  'Free some space; no acknowledged event is lost',
];

/** Codes of SQLite and of the operating system, looked up along the chain of causes. */
const byCode: Readonly<Record<string, SystemMeaning>> = {
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
  SQLITE_CANTOPEN: missing,
  SQLITE_READONLY: readOnly,
  SQLITE_FULL: diskFull,
  // The file of 32 KB through which processes share what the log holds.
  SQLITE_IOERR_SHMSIZE: diskFull,
  SQLITE_IOERR: [
    EXIT.failure,
    'disk_failed',
    'The disk failed while the database was read or written',
    'Look for errors of the disk in the log of the system; if it stays so, restore a backup',
  ],
  ENOSPC: diskFull,
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  EADDRINUSE: [
    EXIT.conflict,
    'port_in_use',
    'Another program is already listening on this address and port',
    'Stop it, or choose another one with --port',
  ],
};

const codesOf = function* (error: unknown): Generator<string> {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    if ('code' in current && typeof current.code === 'string') yield current.code;
    current = current.cause;
  }
};

/** Gives every failure its message, stable code and exit code. */
export const toUserError = async (thrown: unknown): Promise<UserError> => {
  const error = underlyingError(thrown);
  if (error instanceof UserError) return error;
  if (error instanceof ConfigError) {
    return new UserError({
      what: error.what,
      fix: error.fix,
      code: 'config',
      exit: EXIT.usage,
      cause: error,
    });
  }
  if (error instanceof CommanderError) return fromCommander(error);
  if (isDriverFailure(error)) return driverError(error);
  const system = systemMeaning(error);
  if (error instanceof AppError) return fromAppError(error, system);
  if (system) {
    const [exit, code, general, fix] = system;
    const path = system === readOnly ? pathOf(error) : undefined;
    const what = path === undefined ? general : `No permission to read or write ${path}`;
    return new UserError({ what, fix, code, exit, cause: error });
  }
  return new UserError({
    what: `Something went wrong inside spanledger: ${error instanceof Error ? error.message : String(error)}`,
    fix: 'Run again with --debug to see where, and please report it',
    code: 'internal',
    exit: EXIT.failure,
    cause: error,
  });
};

/** The file that the operating system refused. */
const pathOf = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;

const systemMeaning = (error: unknown): SystemMeaning | undefined => {
  for (const code of codesOf(error)) {
    const meaning = byCode[code] ?? byCode[code.replace(/^(SQLITE_[A-Z]+)_.*/, '$1')];
    if (meaning) return meaning;
  }
  return undefined;
};

/** The error's own message is more specific than a system code; the code has the better fix. */
const fromAppError = async (error: AppError, system: SystemMeaning | undefined): Promise<UserError> => {
  const what = error.message;
  const fileFailure = await asFileFailure(error);
  if (fileFailure !== null) {
    const [exit, code, , fix] = system?.[0] === EXIT.database ? system : missing;
    return new UserError({
      what,
      fix: fileFailure.fix ?? fix,
      code: fileFailure.kind ?? code,
      exit,
      cause: error,
    });
  }
  const byCause: Meaning | undefined = system && [system[0], system[1], system[3]];
  const [exit, code, fix] = byCause ??
    byStatus[error.status] ?? [EXIT.failure, 'failure', 'Run again with --debug'];
  const own = byCause === undefined ? ownFix(what) : null;
  return new UserError({ what, fix, ...own, code, exit, cause: error });
};

const asFileFailure = async (error: AppError): Promise<DatabaseFileError | null> => {
  if (error.status !== 503) return null;
  // Only a command that has loaded the store can have failed there, and other commands must not load it.
  const { DatabaseFileError } = await import('../src/db/file/file-error.ts');
  return error instanceof DatabaseFileError ? error : null;
};

const fromCommander = (error: CommanderError): UserError => {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const guess = suggestion?.match(/Did you mean (.+)\?\)/)?.[1];
  const what = first.charAt(0).toUpperCase() + first.slice(1);
  return usageError(what, guess ? `Did you mean ${guess}?` : 'Add --help to see what the command takes');
};
