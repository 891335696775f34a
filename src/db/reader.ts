import { type Connection, openReadConnection, type SqlValue } from './connection.ts';

/**
 * A connection opened for a scope: tenant tables are temporary views that show the rows of its projects
 * only, so that SQL which forgets its filter sees nobody else's. All reads of tenant data take a Reader.
 */
export type Reader = {
  /** The project numbers it may see; at least one. */
  readonly projects: readonly number[];
  /** Rows as objects. `T` is the caller's word for the columns it selects. */
  all<T>(sql: string, args?: SqlValue[]): T[];
  /** Rows as arrays in the order of the selected columns: faster for many rows. */
  rows(sql: string, args?: SqlValue[]): SqlValue[][];
};

/** A named read, run in a reader process. `input` and the result are plain data. */
export type ReadOp<I = never, O = unknown> = {
  readonly name: string;
  readonly run: (reader: Reader, input: I) => O;
};

/** Tables with a `project` column that readers only see through their scope. */
const SCOPED_TABLES = [
  'event_chunks',
  'event_labels',
  'event_prices',
  'event_shapes',
  'events',
  'rollup_hours',
  'rollup_days',
  'rollup_labels',
  'quarantined_events',
  'undated_events',
] as const;
const STATEMENT_CACHE = 200;

/** A read connection that is pointed at one scope after another. */
export type ReadSession = {
  open(projects: readonly number[]): Reader;
  /** Runs a read on one snapshot: what is committed meanwhile, its statements do not see. */
  run<I, O>(op: ReadOp<I, O>, projects: readonly number[], input: I): O;
  close(): void;
};

/** Opens the file for reading. Throws SQLITE_CANTOPEN or SQLITE_NOTADB when it is not a database. */
export function openReadSession(path: string): ReadSession {
  const connection = openReadConnection(path);
  connection.exec('PRAGMA query_only = OFF');
  connection.exec('CREATE TEMP TABLE scope (project INTEGER PRIMARY KEY)');
  for (const table of SCOPED_TABLES) {
    connection.exec(
      `CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE project IN (SELECT project FROM temp.scope)`,
    );
  }
  connection.exec('PRAGMA query_only = ON');
  const prepare = statementCache(connection);
  let current = '';

  function open(projects: readonly number[]): Reader {
    const wanted = projects.join();
    if (wanted !== current) {
      setScope(connection, projects);
      current = wanted;
    }
    return {
      projects,
      all: <T>(sql: string, args: SqlValue[] = []) => prepare(sql, false).all(args) as T[],
      rows: (sql, args = []) => prepare(sql, true).all(args) as SqlValue[][],
    };
  }

  return {
    open,
    run(op, projects, input) {
      const reader = open(projects);
      connection.exec('BEGIN');
      try {
        return op.run(reader, input);
      } finally {
        connection.exec('COMMIT');
      }
    },
    close: () => connection.close(),
  };
}

function setScope(connection: Connection, projects: readonly number[]): void {
  connection.exec('PRAGMA query_only = OFF');
  try {
    connection.exec('DELETE FROM temp.scope');
    const insert = connection.prepare('INSERT INTO temp.scope (project) VALUES (?)');
    for (const project of projects) insert.run([project]);
  } finally {
    connection.exec('PRAGMA query_only = ON');
  }
}

function statementCache(
  connection: Connection,
): (sql: string, raw: boolean) => ReturnType<Connection['prepare']> {
  const cache = new Map<string, ReturnType<Connection['prepare']>>();
  return (sql, raw) => {
    const key = `${raw ? 'r' : 'o'}${sql}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const oldest = cache.size >= STATEMENT_CACHE ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    const statement = connection.prepare(sql);
    if (raw) statement.raw(true);
    cache.set(key, statement);
    return statement;
  };
}
