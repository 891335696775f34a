import { unavailable } from '../../errors.ts';
import { isUnavailable, type SqlResult, type SqlValue } from '../connection.ts';
import type { OwnedTable } from '../owned-table.ts';
import { type ReaderPart, type ReadSession, visibleIn } from '../reader.ts';
import { refuseEscape } from '../tenant-sql.ts';
import type { RemotePlace } from './place.ts';
import { openRemoteConnection } from './remote-connection.ts';
import { type Scope, scopeSql } from './scope-sql.ts';

/** What is said when the server does not answer. */
export const serverAway = (cause: unknown): Error =>
  unavailable('The database server does not answer; try again', 1, cause);

/** Opens a libSQL server for reads: each sees one snapshot, and only the rows of its scope. */
export function openRemoteReadSession(place: RemotePlace, tables: readonly OwnedTable[]): ReadSession {
  const connection = openRemoteConnection(place);
  const declared = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  const shared = new Map<unknown, unknown>();
  let known: ReadonlyMap<string, OwnedTable | undefined> | null = null;

  /** Also those that the product does not know, which stay hidden. */
  function allTables(): ReadonlyMap<string, OwnedTable | undefined> {
    known ??= new Map(
      (
        connection
          .prepare("SELECT lower(name) FROM sqlite_schema WHERE type IN ('table', 'view')")
          .raw(true)
          .all([]) as [string][]
      ).map(([name]) => [name, declared.get(name)]),
    );
    return known;
  }

  function share<S>(part: ReaderPart<S>): S {
    if (!shared.has(part)) shared.set(part, part.open());
    return shared.get(part) as S;
  }

  const open: ReadSession['open'] = (given) => {
    const scope: Scope = visibleIn(given);
    const ask = (sql: string, args: SqlValue[], raw: boolean): unknown[] => {
      refuseEscape(sql);
      return connection
        .prepare(scopeSql(sql, scope, allTables()))
        .raw(raw)
        .all(args);
    };
    return {
      ...scope,
      all: <T>(sql: string, args: SqlValue[] = []) => ask(sql, args, false) as T[],
      rows: (sql, args = []) => ask(sql, args, true) as SqlResult['rows'],
      share,
    };
  };

  return {
    open,
    run(op, scope, input) {
      try {
        allTables();
        connection.exec('BEGIN');
        try {
          return op.run(open(scope), input);
        } finally {
          connection.exec('ROLLBACK');
        }
      } catch (error) {
        throw isUnavailable(error) ? serverAway(error) : error;
      }
    },
    checkpoint: () => {},
    close: () => connection.close(),
  };
}
