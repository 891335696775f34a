import type { Connection, SqlResult, SqlStatement, SqlValue } from '../connection.ts';
import { leaseLostError, toError } from './fault.ts';
import { fenceStatement } from './lease.ts';
import type { RemotePlace } from './place.ts';
import { openWire, type Wire, type WireRequest } from './wire.ts';

type Mode = 'write' | 'deferred';

/** Marks within a transaction: they are sent with the statement that follows. */
const MARK = /^(SAVEPOINT|RELEASE|ROLLBACK TO)\b/;

/**
 * A connection to a libSQL server with the driver's interface, so that writes and reads run on a server as they do on a
 * file. Each statement is one request; BEGIN and savepoints travel with the statement after them. A transaction that
 * writes starts with a check that this process still holds the lease, so that its memory of the database is valid.
 * Its errors have the codes of the driver of files.
 */
export function openRemoteConnection(place: RemotePlace): Connection {
  let wire: Wire | null = openWire(place);
  let mode: Mode | null = null;
  /** Whether the server knows of the transaction. */
  let begun = false;
  let marks: SqlStatement[] = [];

  /** After a request without an answer the thread may still be at it, so the next one goes to another. */
  function ask(request: WireRequest): ReturnType<Wire['ask']> {
    wire ??= openWire(place);
    try {
      return wire.ask(request);
    } catch (error) {
      wire.close();
      wire = null;
      throw error;
    }
  }

  function askAll(request: WireRequest, fenced: boolean): SqlResult[] {
    const reply = ask(request);
    if ('results' in reply) return reply.results;
    const isFence = fenced && reply.at === 0 && reply.fault.code.startsWith('SQLITE_CONSTRAINT');
    throw isFence ? leaseLostError() : toError(reply.fault);
  }

  /** The mode of a transaction that starts now; null within one, or outside. */
  function start(): Mode | null {
    if (mode === null || begun) return null;
    begun = true;
    return mode;
  }

  function run(statement: SqlStatement): SqlResult {
    const begin = start();
    const fence = begin === 'write' && place.holder !== null ? [fenceStatement(place.holder)] : [];
    const statements = [...fence, ...marks, statement];
    marks = [];
    const results = askAll({ run: statements, begin }, fence.length > 0);
    return results.at(-1) as SqlResult;
  }

  function end(how: 'commit' | 'rollback'): void {
    const [left, wasBegun] = [marks, begun];
    [mode, begun, marks] = [null, false, []];
    if (!wasBegun) return;
    // The end of the transaction is the end of its savepoints; only what is to be undone has to be.
    const undoes = how === 'commit' && left.some(({ sql }) => sql.startsWith('ROLLBACK TO'));
    try {
      if (undoes) askAll({ run: left, begin: null }, false);
    } catch (error) {
      ask({ end: 'rollback' });
      throw error;
    }
    askAll({ end: how }, false);
  }

  function exec(sql: string): void {
    const verb = sql.trim().replace(/;$/, '').toUpperCase();
    if (verb.startsWith('BEGIN')) mode = verb === 'BEGIN' ? 'deferred' : 'write';
    else if (verb === 'COMMIT' || verb === 'ROLLBACK') end(verb === 'COMMIT' ? 'commit' : 'rollback');
    else if (MARK.test(verb)) marks.push({ sql, args: [] });
    else {
      if (marks.length > 0) throw new Error('a script cannot follow a savepoint');
      askAll({ script: sql, begin: start() }, false);
    }
  }

  const connection = {
    get inTransaction() {
      return mode !== null;
    },
    prepare: (sql: string) => createStatement(sql, run),
    runStatement: run,
    exec,
    close() {
      wire?.close();
      wire = null;
    },
  };
  return connection as unknown as Connection;
}

/** The part of the driver's statements that the product uses. Preparing one sends nothing. */
function createStatement(sql: string, run: (statement: SqlStatement) => SqlResult): object {
  let isRaw = false;
  const all = (args: SqlValue[] = []): unknown[] => {
    const { columns, rows } = run({ sql, args });
    if (isRaw) return rows;
    return rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place] ?? null])));
  };
  const statement = {
    raw(on = true) {
      isRaw = on;
      return statement;
    },
    all,
    get: (args: SqlValue[] = []) => all(args)[0],
    iterate: (args: SqlValue[] = []) => all(args)[Symbol.iterator](),
    run: (args: SqlValue[] = []) => ({ changes: run({ sql, args }).changes, lastInsertRowid: 0 }),
  };
  return statement;
}
