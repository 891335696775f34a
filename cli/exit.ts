import { CommanderError } from 'commander';
import { ConfigError } from '../src/config.ts';
import { AppError } from '../src/errors.ts';
import { addonError, isAddonFailure } from './preflight.ts';
import { EXIT, type ExitCode, UserError, usageError } from './user-error.ts';

type Meaning = readonly [exit: ExitCode, code: string, fix: string];

const byStatus: Readonly<Record<number, Meaning>> = {
  400: [EXIT.usage, 'bad_request', 'Correct the arguments; `--help` shows what the command takes'],
  401: [EXIT.denied, 'not_authenticated', 'Check the key or sign in again'],
  403: [EXIT.denied, 'denied', 'Ask an owner of the organization for the role this needs'],
  404: [EXIT.notFound, 'not_found', 'Check the id or name; the matching `list` command shows what exists'],
  409: [EXIT.conflict, 'conflict', 'Look at what is there already before trying again'],
  413: [EXIT.usage, 'too_large', 'Send less at once'],
  429: [EXIT.failure, 'limited', 'Wait and try again'],
  503: [EXIT.failure, 'unavailable', 'Try again in a moment; `spanledger doctor` looks for a cause'],
};

type SystemMeaning = readonly [exit: ExitCode, code: string, what: string, fix: string];

const locked: SystemMeaning = [
  EXIT.conflict,
  'database_locked',
  'Another process is writing to the database',
  'Wait for it to finish, or stop it',
];
const damaged: SystemMeaning = [
  EXIT.database,
  'database_corrupt',
  'The file is not a database, or is damaged',
  'Check --db, or restore a backup with `spanledger restore`',
];
const readOnly: SystemMeaning = [
  EXIT.denied,
  'permission_denied',
  'The file may not be read or written',
  'Give this user access to the file and its directory',
];
const diskFull: SystemMeaning = [
  EXIT.failure,
  'disk_full',
  'The disk is full',
  'Free some space; nothing that was acknowledged is lost',
];

/** Codes of SQLite and of the operating system, wherever they stand in a chain of causes. */
const byCode: Readonly<Record<string, SystemMeaning>> = {
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
  SQLITE_CANTOPEN: [
    EXIT.database,
    'database_missing',
    'The database file cannot be opened',
    'Check --db, or create the file with `spanledger init`',
  ],
  SQLITE_READONLY: readOnly,
  SQLITE_FULL: diskFull,
  ENOSPC: diskFull,
  EACCES: readOnly,
  EPERM: readOnly,
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

/** The one place where a failure gets its words, its stable code and its exit code. */
export const toUserError = (error: unknown): UserError => {
  if (error instanceof UserError) return error;
  if (error instanceof ConfigError)
    return new UserError({
      what: error.what,
      fix: error.fix,
      code: 'config',
      exit: EXIT.usage,
      cause: error,
    });
  if (error instanceof CommanderError) return fromCommander(error);
  if (isAddonFailure(error)) return addonError(error);
  for (const code of codesOf(error)) {
    const system = byCode[code] ?? byCode[code.replace(/^(SQLITE_[A-Z]+)_.*/, '$1')];
    if (system) {
      const [exit, stable, what, fix] = system;
      return new UserError({ what, fix, code: stable, exit, cause: error });
    }
  }
  if (error instanceof AppError) {
    const [exit, code, fix] = byStatus[error.status] ?? [EXIT.failure, 'failure', 'Run again with --debug'];
    return new UserError({ what: error.message, fix, code, exit, cause: error });
  }
  return new UserError({
    what: `Something went wrong inside spanledger: ${error instanceof Error ? error.message : String(error)}`,
    fix: 'Run again with --debug to see where, and please report it',
    code: 'internal',
    exit: EXIT.failure,
    cause: error,
  });
};

const fromCommander = (error: CommanderError): UserError => {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const guess = suggestion?.match(/Did you mean (.+)\?\)/)?.[1];
  const what = first.charAt(0).toUpperCase() + first.slice(1);
  return usageError(what, guess ? `Did you mean ${guess}?` : 'Add --help to see what the command takes');
};
