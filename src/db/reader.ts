import { LRUCache } from 'lru-cache';
import { type Connection, openReadConnection, type SqlValue } from './connection.ts';
import type { OwnedTable } from './owned-table.ts';
import { refuseEscape } from './tenant-sql.ts';

/**
 * A connection limited to a scope. Tenant tables are replaced by temporary views that show only the rows of the
 * scope's projects, so that SQL without a filter cannot read other tenants' rows. SQL that names the underlying
 * tables is refused. All reads of tenant data take a Reader.
 */
export type Reader = {
  /** Numbers of the visible projects; at least one. */
  readonly projects: readonly number[];
  /** The organization whose own rows are visible; null for none. */
  readonly organizationId: string | null;
  /** Rows as objects. The caller asserts with `T` which columns it selects. */
  all<T>(sql: string, args?: SqlValue[]): T[];
  /** Rows as arrays in the order of the selected columns; faster for many rows. */
  rows(sql: string, args?: SqlValue[]): SqlValue[][];
  /** State shared by all reads of one connection, opened once: a cache that validates its entries. */
  share<S>(part: ReaderPart<S>): S;
};

/** Shared state of one connection's reads. It must not leak data from one scope to another. */
export type ReaderPart<S> = { readonly open: () => S };

/**
 * Which turn a read takes while the processes are busy: `last` if nobody waits for it, for some time rather than that
 * another process is started; `first` if queries get slower until it is done. Otherwise they go in order.
 */
export type Turn = 'first' | 'last';

/** A named read, run in a reader process. `input` and the result are plain data. */
export type ReadOp<I = unknown, O = unknown> = {
  readonly name: string;
  readonly turn?: Turn;
  // A method: its parameters are compared both ways, so that reads of any input fit in one list.
  run(reader: Reader, input: I): O;
};

/**
 * The rows that a reader sees: those of projects, by project number; with an organization id, also the organization's
 * own rows. `owner`: the organization that asks, where its own rows are not needed. A plain list of projects is for
 * reads of the server itself.
 */
export type ReadScope =
  | readonly number[]
  | { readonly projects: readonly number[]; readonly organizationId: string }
  | { readonly projects: readonly number[]; readonly owner: string };

/** What a scope makes visible. */
export const visibleIn = (
  scope: ReadScope,
): { readonly projects: readonly number[]; readonly organizationId: string | null } => ({
  projects: 'projects' in scope ? scope.projects : scope,
  organizationId: 'organizationId' in scope ? scope.organizationId : null,
});

const STATEMENT_CACHE = 200;

/** A read connection that can be reopened for one scope after another. */
export type ReadSession = {
  open(scope: ReadScope): Reader;
  /** Runs a read on one snapshot: its statements do not see commits made meanwhile. */
  run<I, O>(op: ReadOp<I, O>, scope: ReadScope, input: I): O;
  /** Copies what the write-ahead log has into the file, as far as no reader prevents it. Waits for nobody. */
  checkpoint(): void;
  close(): void;
};

/**
 * Opens the file for reading.
 * @param tables all tables; tables that are not `readable` stay hidden
 * @throws SQLITE_CANTOPEN or SQLITE_NOTADB if it is not a database
 */
export function openReadSession(path: string, tables: readonly OwnedTable[]): ReadSession {
  const connection = openReadConnection(path);
  connection.exec('PRAGMA query_only = OFF');
  connection.exec('CREATE TEMP TABLE scope (project INTEGER PRIMARY KEY)');
  connection.exec('CREATE TEMP TABLE scope_organizations (organization_id TEXT PRIMARY KEY)');
  hideTables(connection, new Map(tables.map((table) => [table.name, table])));
  connection.exec('PRAGMA query_only = ON');
  const prepare = statementCache(connection);
  const shared = new Map<unknown, unknown>();
  let current = '';

  function share<S>(part: ReaderPart<S>): S {
    if (!shared.has(part)) shared.set(part, part.open());
    return shared.get(part) as S;
  }

  function open(scope: ReadScope): Reader {
    const { projects, organizationId } = visibleIn(scope);
    const wanted = `${projects.join()} ${organizationId}`;
    if (wanted !== current) {
      current = '';
      setScope(connection, projects, organizationId);
      current = wanted;
    }
    return {
      projects,
      organizationId,
      all: <T>(sql: string, args: SqlValue[] = []) => prepare(sql, false).all(args) as T[],
      rows: (sql, args = []) => prepare(sql, true).all(args) as SqlValue[][],
      share,
    };
  }

  return {
    open,
    run(op, scope, input) {
      const reader = open(scope);
      connection.exec('BEGIN');
      try {
        return op.run(reader, input);
      } finally {
        // Some failures of a read have ended the transaction, and an error here would take the place of theirs.
        if (connection.inTransaction) connection.exec('COMMIT');
      }
    },
    checkpoint: () => void connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([]),
    close: () => connection.close(),
  };
}

/** Covers every table with a temporary view, because SQLite resolves unqualified names to temporary objects first. */
function hideTables(connection: Connection, known: ReadonlyMap<string, OwnedTable>): void {
  const names = connection
    .prepare(
      "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .raw(true)
    .all([]) as [string][];
  const views = names.map(([name]) => `CREATE TEMP VIEW "${name}" AS ${viewOf(name, known.get(name))};`);
  // In one transaction: each of its own takes time.
  connection.exec(['BEGIN;', ...views, 'COMMIT;'].join('\n'));
}

function viewOf(name: string, table: OwnedTable | undefined): string {
  const all = `SELECT * FROM main."${name}"`;
  if (table?.readable) {
    if (table.scope === 'public') return all;
    if (table.scope === 'project' && table.by === 'project')
      return `${all} WHERE project IN (SELECT project FROM temp.scope)`;
    if (table.scope === 'organization')
      return `${all} WHERE ${table.by} IN (SELECT organization_id FROM temp.scope_organizations)`;
  }
  return 'SELECT NULL AS hidden WHERE FALSE';
}

function setScope(connection: Connection, projects: readonly number[], organizationId: string | null): void {
  connection.exec('PRAGMA query_only = OFF');
  try {
    connection.exec('DELETE FROM temp.scope');
    const insert = connection.prepare('INSERT INTO temp.scope (project) VALUES (?)');
    for (const project of projects) insert.run([project]);
    connection.exec('DELETE FROM temp.scope_organizations');
    if (organizationId !== null)
      connection.prepare('INSERT INTO temp.scope_organizations VALUES (?)').run([organizationId]);
  } finally {
    connection.exec('PRAGMA query_only = ON');
  }
}

function statementCache(
  connection: Connection,
): (sql: string, raw: boolean) => ReturnType<Connection['prepare']> {
  const cache = new LRUCache<string, ReturnType<Connection['prepare']>>({ max: STATEMENT_CACHE });
  return (sql, raw) => {
    const key = `${raw ? 'r' : 'o'}${sql}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    refuseEscape(sql);
    const statement = connection.prepare(sql);
    if (raw) statement.raw(true);
    cache.set(key, statement);
    return statement;
  };
}
