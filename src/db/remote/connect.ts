import { type Client, createClient, type InValue, type ResultSet } from '@libsql/client/http';
import type { SqlResult, SqlStatement, SqlValue } from '../connection.ts';
import { REQUEST_MS } from './limits.ts';
import type { RemotePlace } from './place.ts';

/** The official client, over HTTP. */
export const connect = ({ url, token }: RemotePlace): Client =>
  createClient({
    url,
    intMode: 'bigint',
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(REQUEST_MS) }),
    ...(token !== null && { authToken: token }),
  });

/** A statement as the client sends it. Whole numbers are sent as integers: the protocol makes others floating-point. */
export const toInStatement = ({ sql, args }: SqlStatement): { sql: string; args: InValue[] } => ({
  sql,
  args: args.map(toInValue),
});

function toInValue(value: SqlValue): InValue {
  if (typeof value !== 'number') return value ?? null;
  if (Number.isInteger(value)) return BigInt(value);
  return Number.isNaN(value) ? null : value;
}

/** A result with numbers, as the driver of files gives it. */
export function toSqlResult({ columns, rows, rowsAffected }: ResultSet): SqlResult {
  return {
    columns,
    rows: rows.map((row) => columns.map((_, place) => toSqlValue(row[place]))),
    changes: columns.length > 0 ? 0 : rowsAffected,
  };
}

const toSqlValue = (value: unknown): SqlValue =>
  typeof value === 'bigint' ? Number(value) : ((value ?? null) as SqlValue);
