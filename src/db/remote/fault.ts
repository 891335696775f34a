import { sqliteCode } from '../connection.ts';

/** The code of errors that are not SQLite's: the server cannot be reached, or has ended the transaction. */
const AWAY = 'SQLITE_CANTOPEN_REMOTE';
/** Another process holds the lease. */
const LEASE_LOST = 'SQLITE_READONLY_LEASE';

/** An error as plain data. */
export type Fault = { readonly message: string; readonly code: string };

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^UNIQUE constraint failed/, 'SQLITE_CONSTRAINT_UNIQUE'],
  [/^NOT NULL constraint failed/, 'SQLITE_CONSTRAINT_NOTNULL'],
  [/^FOREIGN KEY constraint failed/, 'SQLITE_CONSTRAINT_FOREIGNKEY'],
  [/^CHECK constraint failed/, 'SQLITE_CONSTRAINT_CHECK'],
];

/**
 * An error of the client with SQLite's message and extended code. A server sends only the basic code, and puts its own
 * words before the message.
 */
export function toFault(error: unknown): Fault {
  const text = error instanceof Error ? error.message : String(error);
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = text.replace(/^(?:SQL[A-Z_]+: )*(?:SQLite (?:input )?error: )?/, '');
  if (given === 'SQLITE_CONSTRAINT')
    return { message, code: KINDS.find(([text]) => text.test(message))?.[1] ?? given };
  return { message, code: /^(SQLITE_|SQL_|ARGS_)/.test(given) ? given : AWAY };
}

export const toError = ({ message, code }: Fault): Error => Object.assign(new Error(message), { code });

/** The server did not answer, or ended the transaction. */
export const awayError = (message: string): Error => toError({ message, code: AWAY });

export const leaseLostError = (): Error =>
  toError({ message: 'another process took over the database', code: LEASE_LOST });

/** What to tell a caller of a failure that only a server has; null for any other error. */
export function serverFailure(error: unknown): string | null {
  const code = sqliteCode(error);
  if (code === AWAY) return 'The database server does not answer; try again';
  return code === LEASE_LOST ? 'Another server took over; try again' : null;
}
