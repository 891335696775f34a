import { Database, type Statement } from 'bun:sqlite';
import type { Value } from './columns.ts';
import type { Reply, Request, Rows } from './messages.ts';

/** Most characters of a result. */
const MAX_TEXT = 64_000_000;

/**
 * Entry of the query process (`spanledger __sql`). It holds the events in memory and runs a statement of the user on
 * them, so that the command can end it at any time. Bun's SQLite, unlike the ledger's driver, has no functions that
 * access files.
 */
export const main = (): void => {
  const db = new Database(':memory:', { safeIntegers: true });
  // Sorting must not fill the disk; the command watches the memory of this process.
  db.run('PRAGMA temp_store = MEMORY');
  let sql = '';
  let insert: Statement | null = null;

  const handle = (request: Request): Reply => {
    if (request.kind === 'run') return { kind: 'rows', result: select(db, sql, request.limit) };
    if (request.kind === 'store') {
      const { rows } = request;
      db.transaction(() => {
        for (const row of rows) insert?.run(...row);
      })();
      return { kind: 'done' };
    }
    const { columns, loaded } = request;
    db.run(`CREATE TABLE events (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`);
    insert = db.prepare(
      loaded.length === 0
        ? 'INSERT INTO events DEFAULT VALUES'
        : `INSERT INTO events (${loaded.join(', ')}) VALUES (${loaded.map(() => '?').join(', ')})`,
    );
    sql = request.sql;
    // Errors are found before the events are read, and name what the user wrote.
    if (db.prepare(sql).paramsCount > 0) return failure('PARAMETERS', 'it has parameters');
    return { kind: 'done' };
  };

  process.on('message', (message: unknown) => process.send?.(answer(() => handle(message as Request))));
  process.on('disconnect', () => process.exit(0));
  new Worker(new URL('./parent-watch.ts', import.meta.url).href);
};

const failure = (code: string, message: string): Reply => ({ kind: 'failure', code, message });

const answer = (handle: () => Reply): Reply => {
  try {
    return handle();
  } catch (error) {
    if (!(error instanceof Error)) return failure('', String(error));
    return failure('code' in error ? String(error.code) : '', error.message);
  }
};

const select = (db: Database, sql: string, limit: number): Rows => {
  db.run('PRAGMA query_only = ON');
  const statement = db.prepare(`SELECT * FROM (\n${sql}\n) LIMIT ${limit + 1}`);
  let length = 0;
  const rows = statement.values().map((row) =>
    row.map((cell: unknown) => {
      const value = toValue(cell);
      if (typeof value === 'string') length += value.length;
      if (length > MAX_TEXT) throw Object.assign(new Error('the result is too large'), { code: 'TOO_LARGE' });
      return value;
    }),
  );
  return { columns: statement.columnNames, rows: rows.slice(0, limit), truncated: rows.length > limit };
};

const toValue = (cell: unknown): Value => {
  if (typeof cell === 'bigint')
    return cell >= Number.MIN_SAFE_INTEGER && cell <= Number.MAX_SAFE_INTEGER ? Number(cell) : String(cell);
  return cell instanceof Uint8Array ? `x'${cell.toHex()}'` : (cell as Value);
};
