import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { type ControlDb, isRead, toResultSet, toStatement } from '../client.ts';
import { isUnavailable, type SqlResult, type SqlStatement } from '../connection.ts';
import { connect, toInStatement, toSqlResult } from './connect.ts';
import { toError, toFault } from './fault.ts';
import type { RemotePlace } from './place.ts';
import { serverAway } from './remote-reader.ts';

/** The control plane on a server: reads go there directly, writes through the single writer, as with a file. */
export function openRemoteControl(
  place: RemotePlace,
  write: (statements: SqlStatement[]) => Promise<SqlResult[]>,
): { db: ControlDb; run(statement: SqlStatement): Promise<SqlResult>; close(): void } {
  const server = connect(place);
  const run = async (statement: SqlStatement): Promise<SqlResult> => {
    try {
      return toSqlResult(await server.execute(toInStatement(statement)));
    } catch (thrown) {
      const error = toError(toFault(thrown));
      throw isUnavailable(error) ? serverAway(error) : error;
    }
  };
  const client = {
    execute: async (statement: InStatement, args?: InArgs): Promise<ResultSet> => {
      const normal = toStatement(statement, args);
      const [result] = isRead(normal.sql) ? [await run(normal)] : await write([normal]);
      return toResultSet(result);
    },
    batch: async (statements: InStatement[]): Promise<ResultSet[]> =>
      (await write(statements.map((statement) => toStatement(statement)))).map(toResultSet),
    transaction: () =>
      Promise.reject(new Error('use batch: an interactive transaction would block the writer')),
    close: () => server.close(),
    closed: false,
    protocol: 'http',
  };
  return { db: drizzle(client as unknown as Client), run, close: () => server.close() };
}
