import { existsSync } from 'node:fs';
import { AppError, conflict } from '../../errors.ts';
import { sqliteCode } from '../connection.ts';

type Told = { readonly cause?: unknown; readonly fix?: string; readonly kind?: string };

/**
 * The file is missing, is not a database, is damaged, or a later version made it: exit code 6 on the command line.
 * `fix` is what to do, and `kind` names the failure for scripts, where the command line's own words do not fit.
 */
export class DatabaseFileError extends AppError {
  readonly fix: string | undefined;
  readonly kind: string | undefined;

  constructor(message: string, { cause, fix, kind }: Told = {}) {
    super(503, message, { cause });
    this.fix = fix;
    this.kind = kind;
  }
}

/** There is no file that a command was given by its path. */
export const noDatabase = (path: string, fix = 'Check the path'): DatabaseFileError =>
  new DatabaseFileError(`There is no database at ${path}`, { fix });

/** The error that a failure of SQLite becomes; any other error as it is. */
export function fileError(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === 'SQLITE_NOTADB') return new DatabaseFileError(`${path} is not a database`, { cause: error });
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new DatabaseFileError(`${path} is damaged; restore a backup`, { cause: error });
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) {
    return new DatabaseFileError(`${path} cannot be opened: check that its folder exists and is writable`, {
      cause: error,
      fix: existsSync(path)
        ? 'Give this user write access to the file, its side files and its folder'
        : 'Make the folder, give this user write access to it, or name another file with --db',
    });
  }
  if (code === 'SQLITE_BUSY') return conflict(`${path} is locked by another program`);
  return error;
}
